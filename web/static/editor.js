// The grid editor. It writes its puzzle into the text field.
import { makeHistory } from "./history.js";
import { svg } from "./preview.js";
import { inWords, makeRuleForm } from "./rule_form.js";
import { blankFor, chosenSymbols } from "./symbols.js";

const CELL = 20; // as in the service's drawings
const TYPING_PAUSE = 900; // ms within which digits form one number
const NAMESPACE = "http://www.w3.org/2000/svg";

const byId = (id) => document.getElementById(id);

const REPLACE = "The text field contains text that did not come from the grid. Replace it with the puzzle in the grid?";

// `ask` returns the service's preview of a text.
export function makeEditor({ text, changed, ask }) {
  const grid = byId("grid");
  let size = 9;
  let box = "3x3";
  let values = [];
  let symbols = null; // null: digits
  let [symbolSet, ownSymbols] = ["", ""];
  let rules = [];
  let cursor = 0;
  let chosen = [0]; // in the order of choosing, which is the order along a line
  let typedAt = 0;
  let written = ""; // the text that the grid has written
  let faults = new Map(); // errors by rule

  const name = (cell) => `r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
  const symbolOf = (value) => (symbols ? symbols[value - 1] : String(value));

  function element(tag, attributes, content = "") {
    const made = document.createElementNS(NAMESPACE, tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = content;
    return made;
  }

  function setSize() {
    const option = byId("size").selectedOptions[0];
    [size, box] = [Number(option.value), option.dataset.box];
    [cursor, chosen] = [0, [0]];
    grid.setAttribute("viewBox", `-2 -2 ${size * CELL + 4} ${size * CELL + 4}`);
    grid.style.setProperty("--size", size);
    drawLines();
  }

  function empty() {
    values = Array.from({ length: size * size }, () => 0);
    rules = [];
    drawLines();
  }

  const state = () => ({ size, values: [...values], rules, written, text: text.value, symbolSet, ownSymbols });

  function show(saved) {
    byId("size").value = saved.size;
    byId("symbol-set").value = saved.symbolSet;
    byId("own-symbols").value = saved.ownSymbols;
    const place = saved.size === size ? [cursor, chosen] : null;
    setSize();
    if (place) [cursor, chosen] = place;
    ({ rules, written } = saved);
    values = [...saved.values];
    text.value = saved.text;
    takeSymbols();
    draw();
    changed();
  }

  const hasContent = () => values.some(Boolean) || rules.length > 0;

  // Ask before a text that isn't from the grid is lost.
  const mayReplace = () => text.value === written || !text.value.trim() || window.confirm(REPLACE);

  function change(mutate) {
    history.amend(state());
    mutate();
    if (hasContent() || text.value === written) {
      written = hasContent() ? puzzleText({ values, rules }) : "";
      text.value = written;
    }
    history.add(state());
    draw();
    changed();
  }

  function takeSymbols() {
    [symbolSet, ownSymbols] = [byId("symbol-set").value, byId("own-symbols").value];
    symbols = chosenSymbols(size);
    const letters = Math.min(symbols ? longest() : String(size).length, 16);
    grid.setAttribute("class", `board editor-board ${letters > 3 ? `word letters-${letters}` : `w${letters}`}`);
    byId("pad").replaceChildren(...[...values.slice(0, size).keys(), -1].map((value) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = value < 0 ? "⌫" : symbolOf(value + 1);
      if (value < 0) button.setAttribute("aria-label", "Clear the selected cells");
      button.addEventListener("click", () => { fill(value + 1); grid.focus(); });
      return button;
    }));
  }

  // Emoji count as one character: only longer symbols need a smaller font.
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
    byId("chosen").replaceChildren(...[...new Set([...chosen, cursor])].map((cell) => element("rect", {
      class: cell !== cursor ? "" : chosen.length ? "cursor" : "cursor idle", x: (cell % size) * CELL + 1, y: Math.floor(cell / size) * CELL + 1, width: CELL - 2, height: CELL - 2,
    })));
    byId("values").replaceChildren(...values.flatMap((value, cell) => (value ? [element("text", {
      class: "given", x: (cell % size) * CELL + CELL / 2, y: Math.floor(cell / size) * CELL + 15,
    }, symbolOf(value))] : [])));
    byId("cell").textContent = `${name(cursor)}: ${values[cursor] ? symbolOf(values[cursor]) : "empty"}${chosen.length > 1 ? `; ${chosen.length} cells selected` : ""}`;
    byId("added").replaceChildren(...rules.map(ruleItem));
    byId("undo").setAttribute("aria-disabled", !history.canUndo());
    byId("redo").setAttribute("aria-disabled", !history.canRedo());
  }

  function ruleItem(rule) {
    const item = document.createElement("li");
    const remove = document.createElement("button");
    remove.type = "button";
    remove.className = "quiet";
    remove.textContent = "Remove";
    remove.addEventListener("click", () => {
      if (mayReplace()) change(() => { rules = rules.filter((each) => each !== rule); });
    });
    item.append(`${inWords(rule)} `, remove);
    if (faults.has(rule)) {
      const fault = document.createElement("small");
      fault.className = "fault";
      fault.textContent = faults.get(rule);
      item.append(fault);
    }
    return item;
  }

  // One line if the cells suffice, otherwise a JSON object.
  function puzzleText(puzzle) {
    const blank = symbols ? blankFor(symbols) : ".";
    const line = puzzle.values.map((value) => (value ? symbolOf(value) : blank)).join(size > 9 || (symbols && longest() > 1) ? " " : "");
    const usual = [4, 6, 8, 9, 12, 16, 25].includes(size);
    const bare = puzzle.values.some(Boolean) && usual && !puzzle.rules.length && !symbols;
    const known = symbols ? { symbols, blank } : {};
    return bare ? line : JSON.stringify({ puzzle: line, box, ...known, constraints: puzzle.rules });
  }

  function fill(value) {
    if (!value && !hasContent()) return;
    if (!mayReplace()) return;
    change(() => { for (const cell of chosen.length ? chosen : [cursor]) values[cell] = value; });
  }

  const isTyped = (key) => (symbol) => symbol.toUpperCase() === key.toUpperCase();

  function type(digit) {
    const before = performance.now() - typedAt < TYPING_PAUSE ? values[cursor] : 0;
    typedAt = performance.now();
    const number = before * 10 + digit;
    if (number <= size) fill(number);
    else if (digit <= size) fill(digit);
  }

  function move(down, right, extend) {
    const row = Math.min(Math.max(Math.floor(cursor / size) + down, 0), size - 1);
    const column = Math.min(Math.max((cursor % size) + right, 0), size - 1);
    choose(row * size + column, extend, true);
    typedAt = 0;
  }

  function choose(cell, extend, isByKey = false) {
    if (!extend) chosen = [cell];
    else if (!chosen.length && cell !== cursor && isByKey) chosen = [cursor, cell];
    else if (!chosen.includes(cell)) chosen.push(cell);
    cursor = cell;
    draw();
  }

  function deselect(cell) {
    chosen = chosen.filter((each) => each !== cell);
    cursor = chosen.at(-1) ?? cell;
    draw();
  }

  const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  grid.addEventListener("keydown", (event) => {
    if (event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      step(key === "y" || event.shiftKey ? "redo" : "undo");
      return;
    }
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
    const extend = event.shiftKey || event.ctrlKey || event.metaKey || byId("several").checked;
    if (extend && chosen.includes(cell)) deselect(cell);
    else choose(cell, extend);
    typedAt = 0;
  });
  grid.addEventListener("pointermove", (event) => {
    const cell = cellAt(event);
    if (event.buttons === 1 && event.pointerType === "mouse" && cell !== null && cell !== cursor) choose(cell, true);
  });

  function step(way) {
    if (!(way === "undo" ? history.canUndo() : history.canRedo())) return;
    history.amend(state());
    show(history[way]());
  }

  for (const id of ["symbol-set", "own-symbols"]) {
    byId(id).addEventListener("input", () => {
      if (hasContent() && !mayReplace()) show(state());
      else change(takeSymbols);
    });
  }
  byId("size").addEventListener("change", () => change(() => { setSize(); empty(); takeSymbols(); }));
  byId("empty").addEventListener("click", () => change(empty));
  byId("undo").addEventListener("click", () => step("undo"));
  byId("redo").addEventListener("click", () => step("redo"));
  makeRuleForm({
    cells: () => chosen.map(name),
    add(rule) {
      if (!mayReplace()) return false;
      change(() => { rules = [...rules, rule]; });
      chosen = []; // the next rule applies to other cells
      draw();
      grid.focus();
      return true;
    },
  });
  setSize();
  empty();
  const history = makeHistory(state());
  takeSymbols();
  draw();

  function showDrawing(drawing) {
    const picture = svg(drawing);
    picture.querySelectorAll("text.given, text.wrong, title").forEach((each) => each.remove());
    for (const each of ["ruled", "cornered"]) grid.classList.toggle(each, picture.classList.contains(each));
    byId("under").replaceChildren(...picture.childNodes);
    grid.setAttribute("viewBox", `-2 -2 ${size * CELL + 4} ${size * CELL + 4}`);
  }

  const drawingOf = (preview) => preview?.first?.[0]?.drawing;

  // Find rules that are invalid, alone or combined with earlier ones, and draw the others.
  async function drawValidRules() {
    const puzzle = written;
    const blank = Array.from({ length: size * size }, () => 0);
    const good = [];
    const found = new Map();
    let drawing = drawingOf(await ask(puzzleText({ values: blank, rules: [] })));
    for (const rule of drawing ? rules : []) {
      const preview = await ask(puzzleText({ values: blank, rules: [...good, rule] }));
      if (!preview || text.value !== puzzle) return;
      if (drawingOf(preview)) {
        drawing = drawingOf(preview);
        good.push(rule);
      } else {
        found.set(rule, preview.troubles?.[0]?.detail ?? preview.detail);
      }
    }
    faults = found;
    draw();
    if (drawing) showDrawing(drawing);
    else drawLines();
  }

  return {
    state,
    wrote: (puzzle) => hasContent() && puzzle === written,
    // Show a saved state, which becomes the first state for undo.
    restore(saved) {
      show(saved);
      history.amend(state());
      byId("editor").open ||= hasContent();
    },
    // Replace the bare grid by the service's drawing of the text, which shows the rules.
    showPreview(preview) {
      if (text.value !== written) return;
      if (drawingOf(preview)) {
        faults = new Map();
        draw();
        showDrawing(drawingOf(preview));
      } else if (rules.length) {
        drawValidRules();
      } else {
        drawLines();
      }
    },
  };
}
