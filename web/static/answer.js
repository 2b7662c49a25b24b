// The number of solutions of a pasted puzzle, next to the button Solve.
import { makeSolver } from "./editor/solving.js";
import { GUESSES, LISTED, verdictOf } from "./editor/verdict.js";

// Return a function that shows the verdict on a text, given its preview. It shows nothing for other
// previews than those of one puzzle, while the grid editor is open, and while the puzzle is undecided.
export function makeAnswer({ url, query }) {
  const element = document.getElementById("answer");
  const solve = makeSolver({ url, query });
  let asked = null;

  return async (text, preview) => {
    asked?.abort();
    element.hidden = true;
    const puzzle = preview?.records === 1 && preview.problems === 0 && preview.first[0]?.editable;
    if (!puzzle || document.getElementById("editor").open) return;
    asked = new AbortController();
    const { signal } = asked;
    try {
      const { result, isGood } = await solve(text, { limit: LISTED, step_limit: GUESSES }, signal);
      if (!isGood || !result || signal.aborted) return;
      const { kind, text: words } = verdictOf(result, puzzle);
      element.className = `verdict ${kind}`;
      element.textContent = words;
      element.hidden = kind === "soft";
    } catch (error) {
      if (error.name !== "AbortError") element.hidden = true; // Solve still works.
    }
  };
}
