// The number of solutions of a pasted puzzle, above its preview.
import { makeSolver } from "./editor/solving.js";
import { GUESSES, LISTED, verdictOf } from "./editor/verdict.js";
import { isDrawing } from "./editor/view.js";

// The difficulty of a rated puzzle in words, or "" if it has none.
function difficultyOf({ rating, difficulty, sudokuq_difficulty: own }) {
  return rating ? ` · ${difficulty} (SE ${rating.toFixed(1)})` : own ? ` · ${own}` : "";
}

// Return a function that shows the verdict on a text, given its preview, or null while that isn't
// known. The difficulty of a puzzle with one solution follows if it is known soon. There is no verdict
// on other texts than one puzzle, nor while the grid editor is open.
export function makePastedVerdict({ url, query }) {
  const element = document.getElementById("pasted-verdict");
  const solve = makeSolver({ url, query });
  let asked = null;
  let known = null; // the options and text of the verdict that is shown or awaited

  function say(kind, words) {
    element.className = `verdict ${kind}`;
    element.textContent = words;
  }

  return async (text, preview) => {
    const key = `${query()} ${text}`;
    if (key === known) return;
    asked?.abort();
    known = null;
    const puzzle = preview?.records === 1 && preview.problems === 0 && preview.first[0]?.editable;
    // Until the preview is known, the verdict keeps its place.
    element.hidden = Boolean(preview) && !puzzle;
    say("soft", "Checking …");
    if (!puzzle || isDrawing()) return;
    known = key;
    asked = new AbortController();
    const { signal } = asked;
    try {
      const { result, isGood } = await solve(text, { limit: LISTED, step_limit: GUESSES }, signal);
      if (signal.aborted) return;
      const { kind, text: words } = verdictOf(result ?? {}, puzzle);
      element.hidden = !isGood && result !== null; // the request was rejected
      say(kind, words);
      if (kind !== "good") return;
      const rated = await solve(text, { limit: LISTED, step_limit: GUESSES, rate: true }, signal);
      if (!signal.aborted && rated.result) say(kind, words + difficultyOf(rated.result));
    } catch {
      // The request was aborted, or the service can't be reached, which the button reports.
      if (!signal.aborted) element.hidden = true;
    }
  };
}
