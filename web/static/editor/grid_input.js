// Keys and pointers on the grid of the editor.
import { regionLabels } from "./model.js";
import { isDrawing } from "./view.js";

const TEXT_FIELDS = "input:not([type=radio], [type=checkbox]), select, textarea";

// `puzzle` and `mode` return the current ones. `paint` sets the region of cells, `step` takes a
// change back ("undo") or makes it again ("redo"), and `replace` takes a pasted text.
export function listenToGrid({ grid, board, selection, keys, rules, mode, paint, step, replace, puzzle }) {
  // The cell at a place on the board, or null outside the cells.
  function cellAt(place) {
    const { rows, columns } = puzzle();
    const isInside = place && place.row >= 0 && place.column >= 0 && place.row < rows && place.column < columns;
    return isInside ? place.row * columns + place.column : null;
  }

  grid.addEventListener("keydown", (event) => {
    if (event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      step(key === "y" || event.shiftKey ? "redo" : "undo");
      return;
    }
    if (selection.isArrow(event.key)) {
      selection.move(event.key, event.shiftKey);
      keys.pause();
    } else if (event.key === "Escape") selection.choose(selection.state().cursor);
    else if (event.key === "Enter" && mode() === "rules") rules.submit();
    else if (!keys.press(event.key)) return;
    event.preventDefault();
  });

  // Digits work wherever the focus is, for example after a click on a mode, apart from text fields.
  document.addEventListener("keydown", (event) => {
    if (!isDrawing() || event.altKey || event.ctrlKey || event.metaKey || [" ", "Enter"].includes(event.key)) return;
    if (event.target.closest(`#grid, ${TEXT_FIELDS}`) || !keys.press(event.key)) return;
    event.preventDefault();
    grid.focus({ preventScroll: true });
  });

  // A puzzle or a link that is pasted anywhere but in a text field takes the place of the puzzle.
  document.addEventListener("paste", (event) => {
    const pasted = event.clipboardData.getData("text").trim();
    if (!isDrawing() || !pasted || event.target.closest(TEXT_FIELDS)) return;
    event.preventDefault();
    replace(pasted);
  });

  let isPainting = false;
  let drawnFrom = null; // the last point of the pointer while it draws a line
  let touched = null; // where a finger touched a cell, until it moves to another one or is lifted

  // Select or paint the cell under the pointer. Taps add cells to a rule, and unselect them.
  function press(event, { isTap = false } = {}) {
    const place = board.placeAt(event);
    if (!place) return;
    keys.pause();
    const cell = cellAt(place);
    const isCell = cell !== null;
    const extend = event.shiftKey || event.ctrlKey || event.metaKey || document.getElementById("several").checked || (isTap && mode() === "rules");
    const { chosen } = selection.state();
    drawnFrom = isCell && mode() === "rules" && !extend ? event : null;
    if (isCell && (extend || (isTap && chosen.length === 1 && chosen[0] === cell))) selection.toggle(cell);
    else selection.at(place, false);
    if (mode() === "regions" && isCell) {
      isPainting = true;
      paint([cell], keys.brush());
    }
  }

  // A finger that leaves the cell that it touched draws like the mouse, unless it scrolls a large board.
  function isDrag(event) {
    if (event.buttons !== 1 || selection.state().clue) return false;
    if (event.pointerType !== "touch") return true;
    if (!event.isPrimary || grid.clientWidth > grid.parentElement.clientWidth) return false;
    if (!touched) return true;
    const cell = cellAt(board.placeAt(event));
    if (cell === null || cell === cellAt(board.placeAt(touched))) return false;
    press(touched);
    touched = null;
    return true;
  }

  grid.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") touched = event.isPrimary ? event : null;
    else press(event);
  });
  // Fast movements have few events, so the cells between them are found, too. A cell counts only if
  // its middle is touched, so that lines can be diagonal.
  grid.addEventListener("pointermove", (event) => {
    if (!isDrag(event)) return;
    const isLine = mode() === "rules";
    for (const place of isLine ? board.placesBetween(drawnFrom ?? event, event) : [board.placeAt(event)]) {
      const cell = cellAt(place);
      if (cell === null || cell === selection.state().cursor) continue;
      selection.drag(cell, mode() !== "regions");
      if (mode() === "regions" && isPainting && regionLabels(puzzle())[cell] !== keys.brush()) paint([cell], keys.brush(), { joined: true });
    }
    if (isLine && drawnFrom) drawnFrom = event;
  });
  addEventListener("pointerup", () => {
    if (touched) press(touched, { isTap: true });
    else if (drawnFrom && selection.state().chosen.length > 1) rules.drew();
    [isPainting, drawnFrom, touched] = [false, null, null];
  });
  addEventListener("pointercancel", () => { [isPainting, drawnFrom, touched] = [false, null, null]; });
}
