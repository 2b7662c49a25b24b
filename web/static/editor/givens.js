// Add givens to a puzzle with several solutions until only one of them fits.
import { split, valuesOf } from "./solving.js";

const MOST = 30_000; // ms
const LISTED = 50; // solutions per request
const GUESSES = 100_000;

// The givens of `solution` that exclude the other solutions: each time the one that excludes most of them.
function tellApart(solution, others) {
  const cells = [];
  let left = others;
  while (left.length) {
    const counts = solution.map((value, cell) => left.filter((other) => other[cell] !== value).length);
    const cell = counts.indexOf(Math.max(...counts));
    cells.push(cell);
    left = left.filter((other) => other[cell] === solution[cell]);
  }
  return cells;
}

const given = (count) => `${count} ${count === 1 ? "given" : "givens"}`;

// Return the puzzle's values with the added givens, and whether they leave one solution. `solve` requests a
// result, `textOf` describes a puzzle, and `progress` is called with the number of givens so far.
async function addGivens({ puzzle, solution, solve, textOf, signal, progress }) {
  const symbols = valuesOf(puzzle);
  const end = performance.now() + MOST;
  const hasTime = () => performance.now() < end;
  const filled = (cells) => puzzle.values.map((value, cell) => (cells.includes(cell) ? solution[cell] : value));
  const result = (cells, limit) => solve(textOf({ ...puzzle, values: filled(cells) }), { limit, step_limit: GUESSES }, signal).then((each) => (each.isGood ? each.result : null));
  let added = [];
  let isUnique = false;
  while (!isUnique && hasTime()) {
    const found = await result(added, LISTED);
    isUnique = found?.outcome === "solved";
    if (isUnique) break;
    const others = (found?.all_solutions ?? []).map((text) => split(text).map((symbol) => symbols.get(symbol) ?? 0)).filter((other) => other.some((value, cell) => value !== solution[cell]));
    if (!others.length) break; // undecided
    added = [...added, ...tellApart(solution, others)];
    progress(added.length);
  }
  // Givens that later ones made superfluous are left out again, as far as there is time.
  for (const cell of isUnique ? added : []) {
    if (!hasTime()) break;
    const fewer = added.filter((each) => each !== cell);
    if ((await result(fewer, 2))?.outcome !== "solved") continue;
    added = fewer;
    progress(added.length);
  }
  return { values: filled(added), cells: added, isUnique };
}

// The button that adds the givens, and stops as soon as it is pressed again or the puzzle changes. `state` returns
// the puzzle and the solution that is shown, null if there are no other ones, and `add` takes the result.
export function makeGivens({ solve, textOf, state, add }) {
  const button = document.getElementById("add-givens");
  const note = document.getElementById("givens-note");
  let asked = null;

  function end(text) {
    asked?.abort();
    asked = null;
    button.textContent = "Add givens until unique";
    note.textContent = text;
  }

  async function start() {
    const { puzzle, solution } = state();
    if (!solution) return;
    const mine = new AbortController();
    asked = mine;
    button.textContent = "Stop adding givens";
    note.textContent = "Looking for givens …";
    const progress = (count) => { note.textContent = `${given(count)} so far …`; };
    try {
      const { values, cells, isUnique } = await addGivens({ puzzle, solution, solve, textOf, signal: mine.signal, progress });
      if (mine.signal.aborted) return;
      if (cells.length) add(values, cells);
      const added = cells.length ? `${given(cells.length)} added` : "Nothing was added";
      end(isUnique ? `${added}.` : `${added}, but the puzzle isn’t unique yet: the search reached its limit. Press the button again to continue.`);
    } catch (error) {
      if (error.name !== "AbortError") end("Nothing was added, because the service can’t be reached.");
    }
  }

  button.addEventListener("click", () => (asked ? end("Stopped. Nothing was added.") : start()));

  return {
    // Forget the previous puzzle.
    changed: () => end(""),
    show() { button.hidden = !state().solution && !asked; },
  };
}
