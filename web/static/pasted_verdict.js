// The number of solutions of a pasted puzzle, next to the button Solve.
import { makeSolver } from "./editor/solving.js";
import { GUESSES, LISTED, verdictOf } from "./editor/verdict.js";
import { isDrawing } from "./editor/view.js";

// The difficulty of a rated puzzle in words, or "" if it has none.
function difficultyOf({ rating, difficulty, sudokuq_difficulty: own }) {
  return rating ? ` · ${difficulty} (SE ${rating.toFixed(1)})` : own ? ` · ${own}` : "";
}

// Return a function that shows the verdict on a text, given its preview, or null while that isn't
// known. A puzzle with one solution also gets the button Play with hints, and its difficulty
// follows if it is known soon. The function shows nothing for other texts than one puzzle, while
// the grid editor is open, and while the puzzle is undecided.
export function makePastedVerdict({ url, query }) {
  const element = document.getElementById("pasted-verdict");
  const play = document.getElementById("play-hints");
  const solve = makeSolver({ url, query });
  let asked = null;
  let known = null; // the options and text of the verdict that is shown or awaited

  return async (text, preview) => {
    const key = `${query()} ${text}`;
    if (key === known) return;
    asked?.abort();
    element.hidden = play.hidden = true;
    known = null;
    const puzzle = preview?.records === 1 && preview.problems === 0 && preview.first[0]?.editable;
    if (!puzzle || isDrawing()) return;
    known = key;
    asked = new AbortController();
    const { signal } = asked;
    try {
      const { result, isGood } = await solve(text, { limit: LISTED, step_limit: GUESSES }, signal);
      if (signal.aborted || !isGood || !result) return;
      const { kind, text: words } = verdictOf(result, puzzle);
      element.className = `verdict ${kind}`;
      element.textContent = words;
      element.hidden = kind === "soft";
      play.hidden = kind !== "good";
      if (kind !== "good") return;
      const rated = await solve(text, { limit: LISTED, step_limit: GUESSES, rate: true }, signal);
      if (!signal.aborted && rated.result) element.textContent = words + difficultyOf(rated.result);
    } catch {
      // The request was aborted, or the service can't be reached, which Solve reports.
    }
  };
}
