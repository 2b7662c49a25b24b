// Keys and pointers on the grid of the editor.
import { regionLabels } from "./model.js";

// `puzzle` and `mode` return the current ones. `paint` sets the region of cells, and `step` takes a
// change back ("undo") or makes it again ("redo").
export function listenToGrid({ grid, board, selection, keys, rules, mode, paint, step, puzzle }) {
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

  // Digits work wherever the focus is in the editor, for example after a click on a mode, apart from text fields.
  document.getElementById("editor").addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || [" ", "Enter"].includes(event.key)) return;
    if (event.target.closest("#grid, input:not([type=radio], [type=checkbox]), select, textarea") || !keys.press(event.key)) return;
    event.preventDefault();
    grid.focus({ preventScroll: true });
  });

  let isPainting = false;
  let drawnFrom = null; // the last point of the mouse while it draws a line
  grid.addEventListener("pointerdown", (event) => {
    const place = board.placeAt(event);
    if (!place) return;
    keys.pause();
    const cell = cellAt(place);
    const isCell = cell !== null;
    const isTouch = event.pointerType === "touch";
    const extend = event.shiftKey || event.ctrlKey || event.metaKey || document.getElementById("several").checked || (isTouch && mode() === "rules");
    const { chosen } = selection.state();
    drawnFrom = isCell && mode() === "rules" && !isTouch && !extend ? event : null;
    if (isCell && (extend || (isTouch && chosen.length === 1 && chosen[0] === cell))) selection.toggle(cell);
    else selection.at(place, false);
    if (mode() === "regions" && isCell) {
      isPainting = true;
      paint([cell], keys.brush());
    }
  });
  // Fast movements have few events, so the cells between them are found, too. A cell counts only if
  // its middle is touched, so that lines can be diagonal.
  grid.addEventListener("pointermove", (event) => {
    if (event.buttons !== 1 || event.pointerType !== "mouse" || selection.state().clue) return;
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
    isPainting = false;
    if (drawnFrom && selection.state().chosen.length > 1) rules.drew();
    drawnFrom = null;
  });
}
