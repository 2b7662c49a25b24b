// Requests for the solutions of the puzzle in the grid.
import { symbolOf } from "./model.js";

const WAIT = 4; // seconds, after which the puzzle counts as undecided
const EXPLANATION_WAIT = 10; // seconds

export const split = (text) => (text.includes(" ") ? text.split(" ") : [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment));

// The values of symbols: 1, 2, …
export const valuesOf = (puzzle) => new Map(Array.from({ length: puzzle.size }, (_, place) => [symbolOf(place + 1, puzzle), place + 1]));

// Return a function that requests the service's result for a text. The result is null if it takes too
// long, and `isQueued` tells whether no worker has begun then. `place` is the URL of the result. `query`
// returns the options of the form.
export const makeSolver = ({ url, query }) => async (text, parameters, signal) => {
  const options = query();
  for (const [key, value] of Object.entries({ wait: WAIT, expires_in: 60, ...parameters })) options.set(key, value);
  const answer = await fetch(`${url}?${options}`, { method: "POST", headers: { "Content-Type": "text/plain" }, body: text, signal });
  const result = await answer.json();
  if (answer.status === 202) fetch(result.links.self, { method: "DELETE" }).catch(() => null);
  return { status: answer.status, isQueued: answer.status === 202 && result.state === "queued", result: answer.status === 202 ? null : result, isGood: answer.status === 200, place: answer.headers.get("Content-Location") };
};

// Return why a puzzle has no solution, or null if that takes too long. `place` is the URL of its result.
export async function explainUnsolvable(place, signal) {
  const answer = await fetch(`${place}?wait=${EXPLANATION_WAIT}`, { signal }).catch(() => null);
  return answer?.ok ? (await answer.json()).explanation : null;
}
