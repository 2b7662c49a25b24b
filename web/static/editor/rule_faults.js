// Find the rules of a puzzle that are invalid, so that the others can be drawn.
import { textOf } from "./model.js";

const isDrawn = (preview) => Boolean(preview?.first?.[0]?.drawing);
const reason = (preview) => preview.troubles?.[0]?.detail ?? preview.detail;

// Return the errors by rule, and the preview of the board with all other rules. The result is null
// if the service can't be reached. `blank` is the puzzle without its values.
export async function findFaults(blank, { ask, boxOf }) {
  const preview = (rules) => ask(textOf({ ...blank, rules, words: {} }, boxOf));
  const faults = new Map();
  const alone = await Promise.all(blank.rules.map((rule) => preview([rule])));
  if (alone.includes(null)) return null;
  alone.forEach((each, place) => { if (!isDrawn(each)) faults.set(blank.rules[place], reason(each)); });
  const good = blank.rules.filter((rule) => !faults.has(rule));
  const together = await preview(good);
  if (!together || isDrawn(together)) return together && { faults, preview: together };
  // The rules are valid alone, but not together.
  let last = await preview([]);
  const kept = [];
  for (const rule of good) {
    const next = await preview([...kept, rule]);
    if (!next) return null;
    if (isDrawn(next)) {
      last = next;
      kept.push(rule);
    } else {
      faults.set(rule, reason(next));
    }
  }
  return { faults, preview: last };
}
