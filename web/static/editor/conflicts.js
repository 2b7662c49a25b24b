// Repeated values, which are marked while the user types.
import { cellNamed, regionLabels } from "./model.js";

const WITHOUT_REPEATS = ["killer", "different", "renban", "nabner", "thermo"];

function groups(labels) {
  const found = new Map();
  labels.forEach((label, cell) => {
    if (label !== null) found.set(label, [...(found.get(label) ?? []), cell]);
  });
  return [...found.values()];
}

// The rows, columns, and boxes or regions of a board.
function usualHouses(puzzle) {
  const cells = puzzle.values.map((_, cell) => cell);
  const lines = puzzle.others.grids || puzzle.others.lines === "free" ? [] : [...groups(cells.map((cell) => Math.floor(cell / puzzle.columns))), ...groups(cells.map((cell) => cell % puzzle.columns))];
  return [...lines, ...groups(regionLabels(puzzle))];
}

// The cells with a value that occurs twice in a house or a cage. `houses` are those that the
// service reported for this board, or null if it hasn't responded yet.
export function conflictsIn(puzzle, houses) {
  const cages = puzzle.rules.filter(({ type }) => WITHOUT_REPEATS.includes(type)).map(({ cells }) => cells.map((name) => cellNamed(name, puzzle)));
  const wrong = new Set();
  for (const house of [...(houses ?? usualHouses(puzzle)), ...cages]) {
    const seen = new Map();
    for (const cell of house) {
      const value = puzzle.values[cell];
      if (!value) continue;
      if (seen.has(value) && seen.get(value) !== cell) {
        wrong.add(cell);
        wrong.add(seen.get(value));
      }
      seen.set(value, cell);
    }
  }
  return wrong;
}
