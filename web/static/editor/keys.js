// The keys of the editor: one per value or region, on the screen and on the keyboard.
import { numberLeft } from "./cell_line.js";
import { regionLabels, symbolOf } from "./model.js";
import { isWord } from "./symbols.js";

const TYPING_PAUSE = 900; // ms within which digits form one number
const [FEW, MANY] = [6, 10]; // the most keys in a row, for up to 9 values and for more

const byId = (id) => document.getElementById(id);

// `fill` writes a value into the selected cells, 0 to clear them, `leaveEmpty` returns whether a single empty cell is
// selected, for keys that stand for an empty cell, `paint` gives the cells a region, and
// `type` adds a digit to the rule's parameter, or removes the last one for "", while keys type that
// parameter according to `isClue`.
export function makeKeys({ fill, leaveEmpty, paint, type, isClue }) {
  let puzzle = null;
  let mode = "digits";
  let counts = null; // the numbers of solutions that the true candidates of a cell leave, by value
  let brush = 1;
  let [typed, typedAt] = [0, 0];

  function press(value, { joined = false } = {}) {
    if (mode === "regions") {
      brush = value || brush;
      paint(value ? String(value) : null, { joined });
    } else {
      fill(value, { joined });
    }
  }

  function digit(key) {
    if (isClue()) {
      type(key);
      return;
    }
    const isSoon = typed > 0 && performance.now() - typedAt < TYPING_PAUSE;
    const number = isSoon ? typed * 10 + Number(key) : Number(key);
    typedAt = performance.now();
    typed = number <= puzzle.size ? number : Number(key);
    if (typed <= puzzle.size) press(typed, { joined: isSoon && number === typed });
  }

  function clear() {
    if (isClue()) type("");
    else press(0);
  }

  function key() {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.addEventListener("click", () => {
      const place = [...byId("pad").children].indexOf(button);
      const value = place === puzzle.size ? 0 : place + 1;
      if (mode === "regions" && value) {
        brush = value;
        render();
      } else {
        press(value);
      }
    });
    return button;
  }

  // What the key of a value shows: its text, a number below it, its name for screen readers, and its state.
  function described(value, sizes) {
    const isRegion = mode === "regions";
    if (value === 0) return { text: "⌫", label: isRegion ? "Remove the selected cells from their regions" : "Clear the selected cells" };
    if (isRegion) {
      const size = sizes.get(String(value)) ?? 0;
      return { text: String(value), below: size, label: `Region ${value}, ${size} cells`, isPressed: value === brush, kind: size === puzzle.size ? "" : "incomplete" };
    }
    const text = symbolOf(value, puzzle);
    if (!counts) return { text };
    const left = numberLeft(counts.get(value));
    return { text, below: left, label: `${text}, solutions left: ${left}`, kind: { 1: "once", undefined: "impossible" }[counts.get(value)] };
  }

  function set(button, { text, below, label, isPressed, kind = "" }) {
    button.className = kind;
    button.ariaLabel = label ?? null;
    button.ariaPressed = isPressed ?? null;
    const small = below === undefined ? [] : [Object.assign(document.createElement("small"), { textContent: below })];
    button.replaceChildren(text, ...small);
  }

  // The buttons stay the same, because a press that begins before a verdict arrives has to end on the same button.
  function render() {
    const pad = byId("pad");
    while (pad.children.length > puzzle.size + 1) pad.lastElementChild.remove();
    while (pad.children.length <= puzzle.size) pad.append(key());
    const sizes = new Map();
    if (mode === "regions") for (const label of regionLabels(puzzle)) sizes.set(label, (sizes.get(label) ?? 0) + 1);
    for (const [place, button] of [...pad.children].entries()) set(button, described(place === puzzle.size ? 0 : place + 1, sizes));
  }

  return {
    show(shown, shownMode) {
      [puzzle, mode, counts] = [shown, shownMode, null];
      render();
      const most = puzzle.size > 9 ? MANY : FEW;
      const keys = puzzle.size + 1;
      byId("pad").style.setProperty("--across", Math.ceil(keys / Math.ceil(keys / most)));
      byId("pad").classList.toggle("words", puzzle.symbols?.some(isWord) ?? false);
    },
    // Mark the keys of a cell's true candidates with the numbers of solutions that they leave, if `numbers` has them. The
    // note above the keys keeps its place while these candidates `areShown`. `name` is the cell.
    mark(name, numbers, areShown) {
      counts = mode === "digits" && areShown ? numbers ?? null : null;
      byId("keys-note").hidden = mode !== "digits" || !areShown;
      byId("counts-note").textContent = counts ? `Solutions left with each digit in ${name}:` : "";
      render();
    },
    brush: () => String(brush),
    // The next digit begins a new number.
    pause() { typed = 0; },
    // Handle a key and return whether it has a meaning.
    press(pressed) {
      const symbol = mode === "digits" && !isClue() ? (puzzle.symbols ?? []).findIndex((each) => each.toUpperCase() === pressed.toUpperCase()) : -1;
      const isEmpty = mode === "digits" && !isClue() && ["0", ".", " "].includes(pressed);
      if (symbol >= 0) fill(symbol + 1);
      else if (isEmpty && leaveEmpty()) typed = 0;
      else if (/^[0-9]$/.test(pressed)) digit(pressed);
      else if (["Backspace", "Delete"].includes(pressed)) clear();
      else if (pressed === " " || isEmpty || (pressed === "Enter" && mode === "regions")) press(mode === "regions" ? brush : 0);
      else return false;
      return true;
    },
  };
}
