// The selected cells in the editor, and the clue outside the grid at which the cursor is.
import { cellName } from "./model.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// `puzzle` returns the puzzle, `outside` returns null or the directions of clues outside the grid,
// "straight" or "diagonal", and `changed` is called after each change.
export function makeSelection({ puzzle, outside, changed }) {
  let cursor = 0;
  let chosen = [0]; // in the order of choosing, which is the order along a line
  let clue = null; // { row, column } outside the grid, and the `way` into it

  const isInside = (row, column) => row >= 0 && column >= 0 && row < puzzle().rows && column < puzzle().columns;

  // The cells that a clue outside the grid sees, in each possible direction.
  function linesFrom({ row, column }) {
    const steps = outside() === "diagonal" ? [[1, 1], [1, -1], [-1, -1], [-1, 1]] : Object.values(STEPS);
    return steps.map(([down, right]) => {
      const cells = [];
      for (let [r, c] = [row + down, column + right]; isInside(r, c); [r, c] = [r + down, c + right]) cells.push(r * puzzle().columns + c);
      return cells.filter((cell) => !puzzle().holes.includes(cell));
    }).filter((cells) => cells.length);
  }

  function choose(cell, extend = false, isByKey = false) {
    clue = null;
    if (!extend) chosen = [cell];
    else if (!chosen.length && cell !== cursor && isByKey) chosen = [cursor, cell];
    else if (!chosen.includes(cell)) chosen = [...chosen, cell];
    cursor = cell;
    changed();
  }

  // Choosing the same clue again selects the next line that begins there.
  function chooseClue(place) {
    const lines = linesFrom(place);
    if (!lines.length) return;
    const isAgain = clue && clue.row === place.row && clue.column === place.column;
    clue = { row: place.row, column: place.column, way: isAgain ? (clue.way + 1) % lines.length : 0 };
    chosen = lines[clue.way];
    changed();
  }

  return {
    state: () => ({ cursor, chosen, clue }),
    names: () => chosen.map((cell) => cellName(cell, puzzle())),
    // The cells to fill: the selected ones, or the one at the cursor.
    cells: () => (chosen.length ? chosen : [cursor]),
    choose,
    chooseAll(cells) {
      [chosen, clue] = [cells, null];
      cursor = cells.at(-1) ?? cursor;
      changed();
    },
    // Choose the next cell of a drawn line. Going back to the cell before removes the last one.
    drag(cell, extend) {
      if (!extend || cell !== chosen.at(-2)) {
        choose(cell, extend);
        return;
      }
      chosen = chosen.slice(0, -1);
      cursor = cell;
      changed();
    },
    toggle(cell) {
      if (!chosen.includes(cell)) {
        choose(cell, true);
        return;
      }
      chosen = chosen.filter((each) => each !== cell);
      cursor = chosen.at(-1) ?? cell;
      changed();
    },
    clear() {
      [chosen, clue] = [[], null];
      changed();
    },
    reset() {
      [cursor, chosen, clue] = [0, [0], null];
    },
    at(place, extend) {
      if (isInside(place.row, place.column)) choose(place.row * puzzle().columns + place.column, extend);
      else if (outside()) chooseClue(place);
    },
    // Move the cursor with an arrow key, also to the places of clues outside the grid. Without these, left and right
    // continue at the end of the row before and at the beginning of the next one, as needed to copy a puzzle.
    move(key, extend) {
      const [down, right] = STEPS[key];
      const { columns, rows } = puzzle();
      const from = clue ?? { row: Math.floor(cursor / columns), column: cursor % columns };
      const place = { row: from.row + down, column: from.column + right };
      if (outside() && !extend && !isInside(place.row, place.column)) {
        if (place.row >= -1 && place.row <= rows && place.column >= -1 && place.column <= columns) chooseClue(place);
        return;
      }
      if (right && !extend && !clue) {
        choose(Math.min(Math.max(cursor + right, 0), rows * columns - 1));
        return;
      }
      const [row, column] = [Math.min(Math.max(place.row, 0), rows - 1), Math.min(Math.max(place.column, 0), columns - 1)];
      choose(row * columns + column, extend && !clue, true);
    },
    isArrow: (key) => key in STEPS,
  };
}
