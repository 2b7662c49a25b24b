// Why a puzzle has several solutions, in the words of web/pages/several_solutions.py.
import { cellName } from "./model.js";

const MOST_NAMED = 12; // cells

const list = new Intl.ListFormat("en");

// The cells in which the two most similar of the listed solutions differ, each with both of its symbols. Every
// solution is a list of symbols. The result is empty if no two solutions differ.
function difference(solutions) {
  const between = (one, other) => new Map(one.flatMap((symbol, cell) => (symbol === other[cell] ? [] : [[cell, [symbol, other[cell]]]])));
  const pairs = solutions.flatMap((one, place) => solutions.slice(place + 1).map((other) => between(one, other)));
  return pairs.filter((cells) => cells.size).sort((one, other) => one.size - other.size)[0] ?? new Map();
}

// Return the reason in a sentence without its period, and the symbols of the differing cells that the grid marks:
// those of all cells, or of the first of many. Both are empty if no two of the listed solutions differ. With more
// than two solutions, the reason is one of several.
export function reasonForSeveral(solutions, puzzle) {
  const cells = difference(solutions);
  if (!cells.size) return { reason: "", open: new Map() };
  const rank = (symbol) => (puzzle.symbols ? puzzle.symbols.indexOf(symbol) : Number(symbol));
  const inOrder = (symbols) => [...new Set(symbols)].sort((one, other) => rank(one) - rank(other));
  const marked = new Map([...cells].slice(0, cells.size > MOST_NAMED ? 1 : cells.size).map(([cell, symbols]) => [cell, inOrder(symbols)]));
  const names = [...marked.keys()].map((cell) => cellName(cell, puzzle));
  const symbols = inOrder([...marked.values()].flat());
  if (marked.size < cells.size) return { reason: `${names[0]} can be ${symbols.join(" or ")}, one of ${cells.size} cells in which two solutions differ`, open: marked };
  const swapped = `${list.format(symbols)} can be swapped in ${list.format(names)} without breaking a rule (a deadly pattern)`;
  const filled = `${list.format(names)} can be filled with ${list.format(symbols)} in two ways that fit all givens and rules`;
  const reason = symbols.length === 2 ? swapped : filled;
  return { reason: solutions.length > 2 ? `for example, ${reason}` : reason, open: marked };
}
