// The keys of the editor: one per value or region, on the screen and on the keyboard.
import { numberLeft } from "./cell_line.js";
import { regionLabels, symbolOf } from "./model.js";
import { isWord } from "./symbols.js";

const TYPING_PAUSE = 900; // ms within which digits form one number
const [FEW, MANY] = [6, 10]; // the most keys in a row, for up to 9 values and for more

const byId = (id) => document.getElementById(id);

// `fill` writes a value into the selected cells, 0 to clear them, `paint` gives them a region, and
// `type` adds a digit to the rule's parameter, or removes the last one for "", while keys type that
// parameter according to `isClue`.
export function makeKeys({ fill, paint, type, isClue }) {
  let puzzle = null;
  let mode = "digits";
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

  function key(value, counts) {
    const button = document.createElement("button");
    button.type = "button";
    const isRegion = mode === "regions";
    if (value === 0) {
      button.textContent = "⌫";
      button.setAttribute("aria-label", isRegion ? "Remove the selected cells from their regions" : "Clear the selected cells");
    } else if (isRegion) {
      button.textContent = String(value);
      button.append(Object.assign(document.createElement("small"), { textContent: counts.get(String(value)) ?? 0 }));
      button.setAttribute("aria-pressed", value === brush);
      button.setAttribute("aria-label", `Region ${value}, ${counts.get(String(value)) ?? 0} cells`);
      button.classList.toggle("incomplete", counts.get(String(value)) !== puzzle.size);
    } else {
      button.textContent = symbolOf(value, puzzle);
    }
    button.addEventListener("click", () => {
      if (isRegion && value) {
        brush = value;
        show(puzzle, mode);
        byId("pad").children[value - 1].focus();
      } else {
        press(value);
      }
    });
    return button;
  }

  function show(shown, shownMode) {
    [puzzle, mode] = [shown, shownMode];
    const counts = new Map();
    if (mode === "regions") for (const label of regionLabels(puzzle)) counts.set(label, (counts.get(label) ?? 0) + 1);
    const keys = Array.from({ length: puzzle.size + 1 }, (_, place) => key(place === puzzle.size ? 0 : place + 1, counts));
    byId("pad").replaceChildren(...keys);
    const most = puzzle.size > 9 ? MANY : FEW;
    byId("pad").style.setProperty("--across", Math.ceil(keys.length / Math.ceil(keys.length / most)));
    byId("pad").classList.toggle("words", puzzle.symbols?.some(isWord) ?? false);
  }

  return {
    show,
    // Mark the keys of a cell's true candidates, and show the numbers of solutions that they leave, or none of that
    // if `counts` isn't a map of these numbers. `name` is the cell.
    mark(counts, name) {
      const isShown = mode === "digits" && Boolean(counts);
      byId("keys-note").hidden = !isShown;
      byId("keys-note").textContent = isShown ? `Solutions left with each digit in ${name}:` : "";
      for (const [place, button] of [...byId("pad").children].slice(0, puzzle.size).entries()) {
        const count = isShown ? counts.get(place + 1) : undefined;
        button.classList.toggle("once", count === 1);
        button.classList.toggle("impossible", isShown && count === undefined);
        if (mode === "regions") continue;
        button.querySelector("small")?.remove();
        button.removeAttribute("aria-label");
        if (!isShown) continue;
        button.setAttribute("aria-label", `${button.textContent}, solutions left: ${numberLeft(count)}`);
        button.append(Object.assign(document.createElement("small"), { textContent: numberLeft(count) }));
      }
    },
    brush: () => String(brush),
    // The next digit begins a new number.
    pause() { typed = 0; },
    // Handle a key and return whether it has a meaning.
    press(pressed) {
      const symbol = mode === "digits" && !isClue() ? (puzzle.symbols ?? []).findIndex((each) => each.toUpperCase() === pressed.toUpperCase()) : -1;
      if (symbol >= 0) fill(symbol + 1);
      else if (/^[0-9]$/.test(pressed)) digit(pressed);
      else if (["Backspace", "Delete"].includes(pressed)) clear();
      else if (pressed === " " || (pressed === "Enter" && mode === "regions")) press(mode === "regions" ? brush : 0);
      else return false;
      return true;
    },
  };
}
