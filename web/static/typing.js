// Digits that the solver types on the board of a puzzle's page. They stay in this browser, and hints
// take them into account.

import { showCell } from "./board_frame.js";

const CELL = 20; // units of the drawing
const INSET = 0.9; // of the chosen cell, whose frame would cover thick lines
const SVG = "http://www.w3.org/2000/svg";
// Elements that use keys themselves. Arrow keys also choose between views of the board.
const TEXT_FIELDS = "input:not([type=radio]), select, textarea";
const OTHER_KEYS = "input, #stage, #explained";
const [WIDE, NARROW] = [10, 6]; // the most keys of the pad in a row, on wide windows and on phones
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

// `changed` is called after each change with the typed values by cell. A cell is always chosen, at
// first the first empty one, so that the keys of the pad work. Returns the function `mark`, which
// marks cells on the board and takes a list of cells for each kind of mark, and the function `enter`,
// which types values as pairs of cell and value.
export function makeTyping({ board, pad, restart, data, changed }) {
  const { columns, symbols, open, givens, houses } = data;
  const isOpen = new Set(open);
  const key = `typed ${location.pathname}`;
  const typed = new Map(JSON.parse(sessionStorage.getItem(key) ?? "[]"));
  const ground = element("g", {});
  board.querySelector("path.ground").after(ground);
  const layer = board.appendChild(element("g", {}));
  let chosen = firstEmpty();
  let isInUse = false; // Until then, arrow keys scroll, or lead to the previous and next puzzle.
  let marks = {};

  pad.style.setProperty("--across", across(WIDE));
  pad.style.setProperty("--across-narrow", across(NARROW));
  board.setAttribute("tabindex", "0");
  board.setAttribute("role", "application");
  board.setAttribute("aria-describedby", "typing-help");
  board.addEventListener("click", (event) => {
    isInUse = true;
    board.focus({ preventScroll: true });
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
    if (at.x >= 0 && at.x < columns * CELL) choose(Math.floor(at.y / CELL) * columns + Math.floor(at.x / CELL));
  });
  // The keys work wherever the focus is, for example after a click on a hint.
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !isUsed(event)) return;
    if (event.key in STEPS) move(...STEPS[event.key]);
    else if (["Backspace", "Delete", "0"].includes(event.key)) put(null);
    else if (!write(event.key)) return;
    isInUse = true;
    event.preventDefault();
  });
  pad.addEventListener("click", ({ target }) => {
    isInUse = true;
    if (target.dataset.value) put(Number(target.dataset.value));
    else if ("clear" in target.dataset) put(null);
  });
  restart.addEventListener("click", () => {
    typed.clear();
    chosen = firstEmpty();
    keep();
  });

  function firstEmpty() {
    return open.find((cell) => !typed.has(cell)) ?? open[0];
  }

  // The keys of rows that are about equally long, with `most` keys at the most. One key clears a cell.
  function across(most) {
    const keys = symbols.length + 1;
    return Math.ceil(keys / Math.ceil(keys / most));
  }

  function isUsed({ target, key }) {
    if (!pad.parentElement.getClientRects().length) return false;
    if (target === board) return true;
    if (key in STEPS) return isInUse && !target.closest(`${TEXT_FIELDS}, ${OTHER_KEYS}`);
    return !target.closest(TEXT_FIELDS);
  }

  function choose(cell) {
    if (isOpen.has(cell)) chosen = cell;
    draw();
    showCell(board.parentElement, layer.querySelector(".chosen"));
  }

  function move(down, right) {
    let [row, column] = [Math.floor(chosen / columns), chosen % columns];
    const rows = Math.ceil((open.at(-1) + 1) / columns);
    do {
      row += down;
      column += right;
    } while (row >= 0 && row < rows && column >= 0 && column < columns && !isOpen.has(row * columns + column));
    if (row >= 0 && column >= 0 && column < columns) choose(row * columns + column);
  }

  // Type a character: it continues a longer symbol, or replaces the value of the cell.
  function write(character) {
    if (character.length > 2) return false;
    const before = symbols[(typed.get(chosen) ?? 0) - 1] ?? "";
    const names = symbols.map((symbol) => symbol.toLowerCase());
    const place = [before + character, character].map((name) => names.indexOf(name.toLowerCase())).find((found) => found >= 0);
    if (place === undefined) return false;
    put(place + 1);
    return true;
  }

  function put(value) {
    if (value === null) typed.delete(chosen);
    else typed.set(chosen, value);
    keep();
  }

  function keep() {
    sessionStorage.setItem(key, JSON.stringify([...typed]));
    draw();
    changed(typed);
  }

  // The cells whose value occurs twice in a house.
  function clashes() {
    const value = (cell) => typed.get(cell) ?? givens[cell];
    return new Set(houses.flatMap((house) => house.filter((cell) => value(cell) && house.some((other) => other !== cell && value(other) === value(cell)))));
  }

  function draw() {
    const wrong = new Set([...(marks.wrong ?? []), ...clashes()]);
    const { x: left, y: top } = corner(chosen);
    const parts = [element("rect", { class: "chosen", x: left + INSET, y: top + INSET, width: CELL - 2 * INSET, height: CELL - 2 * INSET })];
    for (const [cell, value] of typed) {
      const { x, y } = corner(cell);
      const text = element("text", { class: wrong.has(cell) ? "entered wrong" : "entered", x: x + CELL / 2, y: y + 15 });
      text.textContent = symbols[value - 1];
      parts.push(text);
    }
    restart.disabled = typed.size === 0;
    if (data.candidates) showCandidates();
    layer.replaceChildren(...parts);
    const grounds = [...["looked", "reason", "aimed"].map((kind) => [kind, marks[kind] ?? []]), ["conflict", [...wrong]]];
    ground.replaceChildren(...grounds.flatMap(([kind, cells]) => cells.map((cell) => element("rect", { class: kind, ...corner(cell), width: CELL, height: CELL }))));
  }

  // On boards that are drawn without their candidates, those of the chosen cell are marked on the keys.
  function showCandidates() {
    const values = data.candidates[chosen];
    for (const key of pad.querySelectorAll("[data-value]")) key.classList.toggle("possible", values.includes(Number(key.dataset.value)));
    const name = `r${Math.floor(chosen / columns) + 1}c${(chosen % columns) + 1}`;
    document.getElementById("cell-candidates").textContent = `${name}: ${values.map((value) => symbols[value - 1]).join(", ") || "no candidates"}`;
  }

  function corner(cell) {
    return { x: (cell % columns) * CELL, y: Math.floor(cell / columns) * CELL };
  }

  draw();
  changed(typed);
  return {
    mark(shown) {
      marks = shown;
      draw();
    },
    enter(values) {
      for (const [cell, value] of values) typed.set(cell, value);
      chosen = firstEmpty();
      keep();
    },
  };
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
