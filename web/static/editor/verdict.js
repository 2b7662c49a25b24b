// The live verdict on the puzzle in the grid: how many solutions it has.
import { cellName, cellNamed } from "./model.js";
import { reasonForSeveral } from "./several.js";
import { explainUnsolvable, split, valuesOf } from "./solving.js";

const PAUSE = 500; // ms without a change
const SOON = 500; // ms, after which the verdict is undecided so far
const RETRY = 2000; // ms, after which a puzzle that no worker has begun is requested again
export const GUESSES = 100_000;
const GUESSES_PER_SEARCH = 2000; // for true candidates, which need many searches
export const LISTED = 3; // solutions; with fewer, the service doesn't list them
const SMALL = 10; // givens and constraints of a conflict that is easy to check
const COUNTED = 10; // solutions per candidate; more take seconds
const CANDIDATES_WAIT = 20; // seconds

const UNREACHABLE = "No verdict, because the service can’t be reached";

const byId = (id) => document.getElementById(id);

// The filled cells that a text names.
const cellsIn = (text, puzzle) => [...text.matchAll(/\br\d+c\d+\b/g)].map(([name]) => cellNamed(name, puzzle)).filter((cell) => puzzle.values[cell]);

function withoutCandidate({ candidates }, puzzle) {
  const cell = puzzle.values.findIndex((value, place) => !value && !puzzle.holes.includes(place) && candidates?.[Math.floor(place / puzzle.columns)][place % puzzle.columns].length === 0);
  return cell < 0 ? null : cell;
}

// Return the verdict in words, its kind, and the cells that it names: those that are `wrong`, and those that are
// `open`, each with its symbols. The result must have a limit of `LISTED` solutions.
export function verdictOf(result, puzzle) {
  const { outcome } = result;
  if (outcome === "solved") return { kind: "good", text: "One solution", wrong: [] };
  if (outcome === "multiple") {
    const { reason, open } = reasonForSeveral((result.all_solutions ?? []).map(split), puzzle);
    const several = "Several solutions"; // a job's page uses the same words, as its limit may be another one
    return { kind: "warn", text: reason ? `${several}: ${reason}` : several, open, wrong: [] };
  }
  if (outcome === "unsolvable") {
    const cell = withoutCandidate(result, puzzle);
    return { kind: "bad", text: cell === null ? "No solution" : `No solution: ${cellName(cell, puzzle)} has no candidate left`, wrong: cell === null ? [] : [cell] };
  }
  if (outcome === "invalid") {
    return { kind: "bad invalid", text: `Not a valid puzzle yet: ${result.detail}`, wrong: cellsIn(result.detail, puzzle) };
  }
  return { kind: "soft", text: "Undecided within the time limit", wrong: [] };
}

// Return why a puzzle has no solution in words, null if that is unknown, with the cells of wrong givens
// and the constraints that contradict each other. A wrong given says more than a large conflict.
export function reasonOf({ conflict, detail }, puzzle) {
  const [, ...advice] = (detail ?? "").split(/(?<=\.) /);
  const size = conflict ? conflict.givens.length + conflict.constraints.length : Infinity;
  if (advice.length && size > SMALL) return { text: `No solution. ${advice.join(" ")}.`, wrong: cellsIn(advice.join(" "), puzzle), contradicting: [] };
  if (!conflict) return { text: null };
  return { text: `No solution: ${conflict.detail}`, wrong: conflict.givens.map((name) => cellNamed(name, puzzle)), contradicting: conflict.constraints };
}

// `solve` requests a result, `textOf` describes a puzzle, `show` gets what the grid shows of the
// result, and `choose` moves the cursor to a cell that the verdict names.
export function makeVerdict({ solve, textOf, show, choose }) {
  let timer = null;
  let asked = null;
  let kept = null; // the solution shown last

  // A cell's name in the text, as a button that leads to the cell. The next character stays in its line.
  function linked(part, puzzle) {
    const [, name, next] = /^(r\d+c\d+)(\S?)$/.exec(part) ?? [];
    const cell = name ? cellNamed(name, puzzle) : -1;
    if (!(cell in puzzle.values)) return part;
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    button.addEventListener("click", () => choose(cell));
    const both = Object.assign(document.createElement("span"), { className: "together" });
    both.append(button, next);
    return both;
  }

  // The outcome is bold, unlike its reason, which follows a colon or a period.
  function say(kind, text, puzzle = null) {
    byId("verdict").className = `verdict ${kind}`;
    const [, outcome, reason] = /^(.*?[:.]) (.*)$/.exec(text) ?? [text, text, ""];
    const [bold, line] = ["b", "span"].map((name) => document.createElement(name));
    bold.textContent = outcome;
    line.append(...(puzzle ? reason.split(/\b(r\d+c\d+\S?)/).map((part) => linked(part, puzzle)) : [reason]));
    byId("verdict").replaceChildren(bold, ...(reason ? [" ", line] : []));
    byId("solution-label").textContent = kind === "warn" ? "A solution" : "Solution";
  }

  function grids(result, puzzle) {
    const values = valuesOf(puzzle);
    const solution = result.solution_grid?.flat().map((symbol) => values.get(symbol) ?? 0) ?? null;
    const counted = result.true_candidates;
    const candidates = counted ? new Map(Object.entries(counted).map(([name, counts]) => [cellNamed(name, puzzle), new Map(Object.entries(counts).map(([symbol, count]) => [values.get(symbol), count]))]).filter(([cell]) => puzzle.values[cell] === 0)) : null;
    return { solution, candidates };
  }

  // The solution to show: of several, the one shown before, as long as it fits the puzzle.
  async function keep({ outcome }, solution, puzzle, signal) {
    const mayFit = outcome === "multiple" && kept?.length === puzzle.values.length && puzzle.values.every((value, cell) => !value || value === kept[cell]);
    if (mayFit && kept.some((value, cell) => value !== solution?.[cell])) {
      const filled = await solve(textOf({ ...puzzle, values: kept }), { limit: 2, step_limit: GUESSES }, signal);
      if (filled.isGood && filled.result?.outcome === "solved") return kept;
    }
    kept = solution ?? kept;
    return solution;
  }

  async function check(text, puzzle) {
    asked = new AbortController();
    const { signal } = asked;
    const soon = setTimeout(() => signal.aborted || say("soft", "Undecided so far …"), SOON);
    try {
      const { status, result, isGood, isQueued, place } = await solve(text, { limit: LISTED, step_limit: GUESSES }, signal);
      if (signal.aborted) return;
      clearTimeout(soon);
      if (isQueued) {
        say("soft", "Waiting for a worker: the service is busy or still starting …");
        timer = setTimeout(() => check(text, puzzle), RETRY);
      } else if (result === null) {
        say("soft", "Undecided within the time limit");
      } else if (isGood) {
        const { kind, text: words, ...named } = verdictOf(result, puzzle);
        say(kind, words, puzzle);
        const { solution, candidates } = grids(result, puzzle);
        const shown = { ...named, candidates, solution: await keep(result, solution, puzzle, signal), isOpen: result.outcome === "multiple", isUnique: result.outcome === "solved" };
        if (signal.aborted) return;
        show(shown);
        if (result.outcome === "unsolvable" && !named.wrong.length) await addReason(place, puzzle, shown, signal);
        if (byId("show-candidates").checked && ["solved", "multiple"].includes(result.outcome)) await addCandidates(text, puzzle, shown, signal);
      } else {
        const isBusy = [429, 503].includes(status);
        say(isBusy ? "soft" : "bad invalid", isBusy ? "The service is busy. The puzzle is checked again after your next change." : `Not a valid puzzle yet: ${result.detail}`);
      }
    } catch (error) {
      if (error.name !== "AbortError") say("soft", UNREACHABLE);
    } finally {
      clearTimeout(soon);
    }
  }

  // The reason takes longer than the verdict, so it follows it.
  async function addReason(place, puzzle, shown, signal) {
    const explanation = place && (await explainUnsolvable(place, signal));
    if (!explanation || signal.aborted) return;
    const { text, wrong, contradicting } = reasonOf(explanation, puzzle);
    if (text === null) return;
    say("bad", text, puzzle);
    show({ ...shown, wrong, contradicting });
  }

  // Candidates take longer than the verdict, so they follow it. Undecided ones have the count 0.
  async function addCandidates(text, puzzle, shown, signal) {
    const note = byId("candidates-status");
    note.textContent = "Looking for the true candidates …";
    const { result, isGood } = await solve(text, { limit: COUNTED, step_limit: GUESSES_PER_SEARCH, true_candidates: true, wait: CANDIDATES_WAIT }, signal);
    if (signal.aborted) return;
    const isFound = isGood && result;
    note.textContent = isFound ? "" : `The true candidates weren’t found within ${CANDIDATES_WAIT} seconds.`;
    if (isFound) show({ ...shown, candidates: grids(result, puzzle).candidates });
  }

  function stop() {
    clearTimeout(timer);
    asked?.abort();
    byId("candidates-status").textContent = "";
  }

  return {
    // Forget the verdict on the previous puzzle, and request one for this text, null if there is none.
    changed(text, puzzle) {
      stop();
      if (text === null) {
        const isOther = document.getElementById("text").value.trim();
        say("soft", isOther ? "The grid doesn’t show the text, because it isn’t a single puzzle of up to 25×25 cells" : "Draw or paste a puzzle to see how many solutions it has, and to copy a link to it");
        return;
      }
      say("soft", "Checking …");
      timer = setTimeout(() => check(text, puzzle), PAUSE);
    },
    // Forget the verdict on the previous puzzle while the service reads a new text.
    awaitPuzzle() {
      stop();
      say("soft", "Checking …");
    },
    unreachable() {
      say("soft", UNREACHABLE);
    },
  };
}
