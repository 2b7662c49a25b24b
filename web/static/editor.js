// A grid to type a puzzle into; what it holds is written into the text field.
import { svg } from "./look.js";
import { blankBeside, chosenSymbols } from "./symbols.js";

const CELL = 20; // as in the pictures that the service draws
const HASTE = 900; // ms within which digits make one number
const NAMESPACE = "http://www.w3.org/2000/svg";

const byId = (id) => document.getElementById(id);

export function makeEditor({ text, changed }) {
  const grid = byId("grid");
  let size = 9;
  let box = "3x3";
  let values = [];
  let symbols = null; // null: digits
  let rules = [];
  let cursor = 0;
  let chosen = [0]; // in the order of choosing, which is the order along a line
  let typedAt = 0;
  let written = null;

  const name = (cell) => `r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
  const symbolOf = (value) => (symbols ? symbols[value - 1] : String(value));

  function element(tag, attributes, content = "") {
    const made = document.createElementNS(NAMESPACE, tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = content;
    return made;
  }

  function resize() {
    const option = byId("size").selectedOptions[0];
    [size, box] = [Number(option.value), option.dataset.box];
    values = new Array(size * size).fill(0);
    rules = [];
    [cursor, chosen] = [0, [0]];
    grid.setAttribute("viewBox", `-2 -2 ${size * CELL + 4} ${size * CELL + 4}`);
    grid.style.setProperty("--size", size);
    drawLines();
    takeSymbols();
    draw();
  }

  function takeSymbols() {
    symbols = chosenSymbols(size);
    const letters = Math.min(symbols ? longest() : String(size).length, 16);
    grid.setAttribute("class", `board editor-board ${letters > 3 ? `word letters-${letters}` : `w${letters}`}`);
    byId("pad").replaceChildren(...[...values.slice(0, size).keys(), -1].map((value) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = value < 0 ? "⌫" : symbolOf(value + 1);
      if (value < 0) button.setAttribute("aria-label", "Empty the selected cells");
      button.addEventListener("click", () => { fill(value + 1); grid.focus(); });
      return button;
    }));
  }

  // Emoji count as one: only what has several characters of the usual width needs room.
  const longest = () => Math.max(...symbols.map((symbol) => symbol.replace(/[^\x20-\x7e]+/g, "x").length));

  function drawLines() {
    const [down, across] = box.split("x").map(Number);
    const end = size * CELL;
    const paths = { thin: "", thick: "" };
    for (let line = 1; line < size; line += 1) {
      paths[line % down ? "thin" : "thick"] += `M0 ${line * CELL}h${end}`;
      paths[line % across ? "thin" : "thick"] += `M${line * CELL} 0v${end}`;
    }
    const frame = `M0 0h${end}v${end}h-${end}z`;
    byId("under").replaceChildren(
      element("path", { class: "ground", d: frame }),
      ...Object.entries(paths).map(([kind, d]) => element("path", { class: kind, d })),
      element("path", { class: "frame", d: frame }),
    );
  }

  function draw() {
    byId("chosen").replaceChildren(...chosen.map((cell) => element("rect", {
      class: cell === cursor ? "cursor" : "", x: (cell % size) * CELL + 1, y: Math.floor(cell / size) * CELL + 1, width: CELL - 2, height: CELL - 2,
    })));
    byId("values").replaceChildren(...values.flatMap((value, cell) => (value ? [element("text", {
      class: "given", x: (cell % size) * CELL + CELL / 2, y: Math.floor(cell / size) * CELL + 15,
    }, symbolOf(value))] : [])));
    byId("cell").textContent = `${name(cursor)}: ${values[cursor] ? symbolOf(values[cursor]) : "empty"}${chosen.length > 1 ? `; ${chosen.length} cells selected` : ""}`;
    byId("added").replaceChildren(...rules.map(ruleItem));
    const { key, description } = byId("rule").selectedOptions[0].dataset;
    byId("number").hidden = !key;
    byId("number").setAttribute("aria-label", key || "Number");
    byId("number").placeholder = key;
    byId("rule-hint").textContent = description;
  }

  function ruleItem(rule, index) {
    const item = document.createElement("li");
    const remove = document.createElement("button");
    remove.type = "button";
    remove.className = "quiet";
    remove.textContent = "Remove";
    remove.addEventListener("click", () => { rules.splice(index, 1); write(); });
    const { type, cells, ...others } = rule;
    item.append(`${type} ${Object.values(others).flat().join(" ")} ${cells.join(" ")} `, remove);
    return item;
  }

  // One line where cells say everything, else a puzzle as JSON.
  function write() {
    const blank = symbols ? blankBeside(symbols) : ".";
    const line = values.map((value) => (value ? symbolOf(value) : blank)).join(size > 9 || (symbols && longest() > 1) ? " " : "");
    const usual = [4, 6, 8, 9, 12, 16, 25].includes(size);
    const bare = values.some(Boolean) && usual && !rules.length && !symbols;
    const known = symbols ? { symbols, blank } : {};
    written = bare ? line : JSON.stringify({ puzzle: line, box, ...known, constraints: rules });
    if (!values.some(Boolean) && !rules.length) written = "";
    text.value = written;
    draw();
    changed();
  }

  function fill(value) {
    for (const cell of chosen) values[cell] = value;
    write();
  }

  const isTyped = (key) => (symbol) => symbol.toUpperCase() === key.toUpperCase();

  function type(digit) {
    const before = performance.now() - typedAt < HASTE ? values[cursor] : 0;
    typedAt = performance.now();
    const number = before * 10 + digit;
    if (number <= size) fill(number);
    else if (digit <= size) fill(digit);
  }

  function move(down, right, extend) {
    const row = Math.min(Math.max(Math.floor(cursor / size) + down, 0), size - 1);
    const column = Math.min(Math.max((cursor % size) + right, 0), size - 1);
    choose(row * size + column, extend);
    typedAt = 0;
  }

  function choose(cell, extend) {
    cursor = cell;
    if (!extend) chosen = [cell];
    else if (!chosen.includes(cell)) chosen.push(cell);
    draw();
  }

  const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (STEPS[event.key]) move(...STEPS[event.key], event.shiftKey);
    else if (symbols?.some(isTyped(event.key))) fill(symbols.findIndex(isTyped(event.key)) + 1);
    else if (/^[0-9]$/.test(event.key)) type(Number(event.key));
    else if (["Backspace", "Delete", " "].includes(event.key)) fill(0);
    else if (event.key === "Escape") choose(cursor, false);
    else return;
    event.preventDefault();
  });

  function cellAt({ clientX, clientY }) {
    const { left, top, width } = grid.getBoundingClientRect();
    const scale = (size * CELL + 4) / width;
    const [row, column] = [clientY - top, clientX - left].map((way) => Math.floor((way * scale - 2) / CELL));
    return row >= 0 && column >= 0 && row < size && column < size ? row * size + column : null;
  }

  grid.addEventListener("pointerdown", (event) => {
    const cell = cellAt(event);
    if (cell === null) return;
    choose(cell, event.shiftKey || event.ctrlKey || event.metaKey || byId("several").checked);
    typedAt = 0;
  });
  grid.addEventListener("pointermove", (event) => {
    const cell = cellAt(event);
    if (event.buttons === 1 && event.pointerType === "mouse" && cell !== null && cell !== cursor) choose(cell, true);
  });

  for (const id of ["symbol-set", "own-symbols"]) byId(id).addEventListener("input", () => { takeSymbols(); write(); });
  byId("size").addEventListener("change", () => { resize(); write(); });
  byId("rule").addEventListener("change", draw);
  byId("empty").addEventListener("click", () => { resize(); write(); });
  byId("add").addEventListener("click", () => {
    const rule = { type: byId("rule").value, cells: chosen.map(name) };
    const { key } = byId("rule").selectedOptions[0].dataset;
    const numbers = (byId("number").value.match(/-?\d+/g) ?? []).map(Number);
    if (key && numbers.length) rule[key] = key === "values" ? numbers : numbers[0];
    rules.push(rule);
    byId("number").value = "";
    write();
    grid.focus();
  });
  byId("number").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    byId("add").click();
  });
  resize();

  // What the service drew of the text replaces the bare lines: it knows how rules look.
  return (said) => {
    const [first] = said?.first ?? [];
    if (text.value !== written) return;
    if (!first?.drawing) return drawLines();
    const drawing = svg(first.drawing);
    drawing.querySelectorAll("text.given, text.wrong, title").forEach((each) => each.remove());
    grid.classList.toggle("cornered", drawing.classList.contains("cornered"));
    byId("under").replaceChildren(...drawing.childNodes);
    grid.setAttribute("viewBox", `-2 -2 ${size * CELL + 4} ${size * CELL + 4}`);
  };
}
