// The line below the grid that describes the cell at the cursor.
import { cellName, symbolOf } from "./model.js";

// The number of solutions that a true candidate leaves. There is none for other values, and an undecided one has 0.
export const numberLeft = (count) => (count === undefined ? "0" : count > 9 ? "10+" : count || "?");

// A true candidate as a button that calls `give`, and the number of solutions that it leaves. Only the first one has
// the unit, so that the candidates of most cells fit on one line.
function candidateButton(symbol, count, isFirst, give) {
  const unit = !isFirst || !count ? "" : count === 1 ? " solution" : " solutions";
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: count === 1 ? "once" : "",
    textContent: `${symbol} (${numberLeft(count)}${unit})`,
    title: `Add ${symbol} as a given`,
  });
  button.addEventListener("click", give);
  return button;
}

// Return the parts of the line, texts and buttons. `solution`, `candidates`, and `regions` are null unless they are
// shown, `open` has the symbols of the cells that the verdict names, `hint` is a sentence that follows, and `give` adds a
// value as a given. The numbers of solutions are left out with `hasKeys`: then, the keys show them.
export function describeCell({ puzzle, cursor, chosen, clue, hasConflict, solution, candidates, hasKeys, open, regions, hint, give }) {
  if (clue) return [`Clue for ${cellName(chosen[0], puzzle)} to ${cellName(chosen.at(-1), puzzle)}`];
  const value = puzzle.values[cursor] || solution?.[cursor];
  const counts = value ? null : candidates?.get(cursor);
  const symbols = counts ? [...counts.keys()].map((each) => symbolOf(each, puzzle)).join(", ") : "";
  const buttons = hasKeys ? [] : [...(counts ?? [])].flatMap(([each, count], place) => [place ? ", " : "", candidateButton(symbolOf(each, puzzle), count, place === 0, () => give(each))]);
  const contents = value ? symbolOf(value, puzzle) : symbols || (open?.has(cursor) ? `can be ${open.get(cursor).join(" or ")}` : "empty");
  const region = regions ? `, region ${regions[cursor] ?? "none"}` : "";
  const others = `${hasConflict ? ", in conflict" : ""}${region}${chosen.length > 1 ? `; ${chosen.length} cells selected` : ""}${hint && `. ${hint}`}`;
  return [`${cellName(cursor, puzzle)}: `, ...(buttons.length ? buttons : [contents]), others];
}
