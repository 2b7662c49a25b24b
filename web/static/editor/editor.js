// The grid editor. Its puzzle and the text field always describe the same puzzle.
import { svg } from "../preview.js";
import { makeBoard } from "./board.js";
import { describeCell } from "./cell_line.js";
import { conflictsIn } from "./conflicts.js";
import { listenToGrid } from "./grid_input.js";
import { makeHistory } from "./history.js";
import { makeKeys } from "./keys.js";
import { blankPuzzle, cellName, cellNamed, fromPreview, hasContent, isSameRule, isUsual, regionLabels, textOf, writtenWords } from "./model.js";
import { makeRuleForm } from "./rule_form.js";
import { ruleItem } from "./rule_list.js";
import { makeSelection } from "./selection.js";
import { makeSolver, valuesOf } from "./solving.js";
import { chosenSymbols, longestOf } from "./symbols.js";
import { makeVerdict } from "./verdict.js";
import { isDrawing, watchView } from "./view.js";

const byId = (id) => document.getElementById(id);
const REPLACE = "The text field contains text that the grid doesn’t show. Replace it with the puzzle in the grid?";
const TYPE_ROWS = "To type whole rows, use Puzzle as text below.";
const WORDS = ["title", "author", "rules"];
const [LONGEST_NAME, LONGEST_TEXT] = [200, 512]; // characters that a job keeps

const shortened = (text, most) => ([...text].length > most ? `${[...text].slice(0, most - 1).join("")}…` : text);

// `ask` returns the service's preview of a text, and `query` the options of the form.
export function makeEditor({ form, text, changed, ask, query }) {
  const grid = byId("grid");
  const boxes = new Map([...byId("size").options].map((option) => [Number(option.value), option.dataset.box]));
  const boxOf = (size) => boxes.get(size);
  let puzzle = blankPuzzle(9, boxOf(9));
  let written = ""; // the text that describes the puzzle in the grid
  let isBrought = true; // whether the text field was filled outside the editor
  let isFromText = false; // whether the last change came from the text field
  let [symbolSet, ownSymbols] = ["", ""]; // as in the fields, so that they can be undone
  let houses = null; // as reported by the service
  let faults = new Map(); // errors by rule
  let found = { wrong: [], solution: null, candidates: null }; // what the verdict found
  let [added] = (new URLSearchParams(location.search).get("given") ?? "").split(":"); // the cell of a given that the link to the editor added
  let isHinted = false; // whether the line below the grid says how whole rows are typed
  let fresh = []; // cells with givens that weren't typed, until the next change

  const mode = () => form.ownerDocument.querySelector("[name=editor-mode]:checked").value;
  const state = () => ({ puzzle, written, text: text.value, isFromText, symbolSet, ownSymbols });
  const board = makeBoard(grid);
  const selection = makeSelection({
    puzzle: () => puzzle,
    outside: () => (mode() === "rules" ? rules.outside() : null),
    changed() {
      isHinted = false;
      draw();
    },
  });
  const service = { solve: makeSolver({ url: form.dataset.solve, query }), textOf: (each) => textOf(each, boxOf) };
  const verdict = makeVerdict({
    ...service,
    show(result) {
      found = result;
      if (found.isOpen) loadGivens();
      draw();
    },
    choose(cell) {
      selection.choose(cell);
      grid.focus();
    },
  });

  let givens = null; // the button that adds givens, whose script is loaded for the first puzzle with several solutions
  let loading = null;
  const loadGivens = () => loading ??= import("./givens.js").then(({ makeGivens }) => {
    givens = makeGivens({
      ...service,
      state: () => ({ puzzle, solution: found.isOpen ? found.solution : null }),
      add(values, cells) {
        change({ values });
        fresh = cells;
        draw();
      },
    });
    draw();
  });

  // What is wrong with a rule: its error, or that the verdict names it.
  const faultOf = (rule) => faults.get(rule) ?? (found.contradicting?.some((each) => isSameRule(rule, each)) ? "Part of the contradiction" : undefined);

  const isLinked = () => text.value === written;
  // Ask before a text that isn't in the grid is lost.
  const mayReplace = () => isLinked() || !text.value.trim() || window.confirm(REPLACE);

  function forgetVerdict() {
    [found, fresh] = [{ wrong: [], solution: null, candidates: null }, []];
    givens?.changed();
  }

  function judge() {
    forgetVerdict();
    if (isDrawing()) verdict.changed(isLinked() && written ? written : null, puzzle);
  }

  // Apply a change to the puzzle, and write its text. With `joined`, it is undone with the change
  // before. With `kept`, the state before it is in the history already.
  function change(part, { joined = false, kept = false } = {}) {
    const before = puzzle;
    if (!kept) history.amend(state());
    puzzle = { ...puzzle, ...part };
    isHinted = false;
    if (hasContent(puzzle) || isLinked()) {
      written = hasContent(puzzle) ? textOf(puzzle, boxOf) : "";
      text.value = written;
    }
    isFromText = false;
    if (joined) history.amend(state());
    else history.add(state());
    if (["rows", "columns", "box", "regions", "others"].some((key) => puzzle[key] !== before[key])) showBoard();
    draw();
    judge();
    changed();
  }

  function showBoard() {
    houses = null;
    board.lines(puzzle);
    showSize();
  }

  function showSize() {
    const own = byId("own-size");
    own.hidden = isUsual(puzzle, boxOf);
    own.textContent = `${puzzle.rows}×${puzzle.columns}, ${puzzle.regions ? "own regions" : "own board"}`;
    byId("size").value = own.hidden ? String(puzzle.size) : own.value;
  }

  function showWords() {
    for (const key of WORDS) byId(`puzzle-${key}`).value = puzzle.words[key] ?? "";
  }

  // Replace the puzzle, for undo, drafts, and pasted texts.
  function put(next) {
    if (next.rows !== puzzle.rows || next.columns !== puzzle.columns) selection.reset();
    puzzle = next;
    isHinted = false;
    faults = new Map();
    showWords();
    showBoard();
    showKeys();
    draw();
    judge();
  }

  function show(saved) {
    ({ written, isFromText, symbolSet, ownSymbols } = saved);
    showSymbolFields();
    text.value = saved.text;
    put(saved.puzzle);
    changed();
  }

  function showSymbolFields() {
    byId("symbol-set").value = symbolSet;
    byId("own-symbols").value = ownSymbols;
    byId("own-symbols").hidden = symbolSet !== "own";
  }

  // Show a puzzle that was pasted or typed into the text field.
  function load(next) {
    // A puzzle that is brought into the editor is its first state, unless something was drawn before.
    const isFirst = isBrought && !history.canUndo();
    const isAgain = isFromText || isFirst;
    isFromText = !isFirst;
    written = text.value;
    [symbolSet, ownSymbols] = next.symbols ? ["own", next.symbols.join(" ")] : ["", ""];
    showSymbolFields();
    put(next);
    if (isAgain) history.amend(state());
    else history.add(state());
    draw();
    changed();
  }

  const keys = makeKeys({
    fill,
    leaveEmpty,
    paint: (label, how) => paint(selection.cells(), label, how),
    type: (digit) => rules.type(digit),
    isClue: () => selection.state().clue !== null || (mode() === "rules" && rules.isTyped()),
  });

  function showKeys() {
    const letters = Math.min(puzzle.symbols ? longestOf(puzzle.symbols) : String(puzzle.size).length, 16);
    grid.classList.remove(...[...grid.classList].filter((each) => /^(word|letters-\d+|w\d+)$/.test(each)));
    grid.classList.add(...(letters > 3 ? ["word", `letters-${letters}`] : [`w${letters}`]));
    keys.show(puzzle, mode());
  }

  function draw() {
    const { cursor, chosen, clue } = selection.state();
    const conflicts = new Set([...conflictsIn(puzzle, houses), ...found.wrong]);
    const hasMargin = mode() === "rules" && rules.outside() !== null;
    board.draw({
      shown: puzzle,
      chosen,
      fresh,
      cursor,
      clue,
      hasMargin,
      conflicts,
      open: openValues() ?? new Map(),
      faulty: puzzle.rules.filter(faultOf).flatMap((rule) => rule.cells ?? []).map((name) => cellNamed(name, puzzle)).filter((cell) => cell >= 0),
      regions: mode() === "regions" ? regionLabels(puzzle) : null,
      hasLine: mode() === "rules" && rules.isLine(),
      solution: byId("show-solution").checked ? found.solution : null,
      candidates: (byId("show-candidates").checked && found.candidates) || (byId("show-solution").checked ? null : openValues()),
    });
    byId("cell").replaceChildren(...describeCell({
      puzzle,
      cursor,
      chosen,
      clue,
      hasConflict: conflicts.has(cursor),
      solution: byId("show-solution").checked ? found.solution : null,
      candidates: byId("show-candidates").checked ? found.candidates : null,
      hasKeys: mode() === "digits",
      open: found.open,
      regions: mode() === "regions" ? regionLabels(puzzle) : null,
      hint: isHinted && mode() === "digits" ? TYPE_ROWS : "",
      give(value) {
        selection.choose(cursor);
        fill(value);
        grid.focus();
      },
    }));
    byId("added").replaceChildren(...puzzle.rules.map((rule) => ruleItem(rule, {
      words: rules.inWords(rule),
      fault: faultOf(rule),
      select: () => { selection.chooseAll((rule.cells ?? []).map((each) => cellNamed(each, puzzle)).filter((cell) => cell >= 0)); grid.focus(); },
      remove: () => { if (mayReplace()) change({ rules: puzzle.rules.filter((each) => each !== rule) }); },
    })));
    byId("added-title").hidden = !puzzle.rules.length;
    rules.selected();
    givens?.show();
    byId("to-hints").hidden = !found.isUnique;
    byId("undo").setAttribute("aria-disabled", !history.canUndo());
    byId("redo").setAttribute("aria-disabled", !history.canRedo());
    if (mode() === "regions") keys.show(puzzle, "regions");
    keys.mark(cellName(cursor, puzzle), found.candidates?.get(cursor), byId("show-candidates").checked);
  }

  // The values of the cells that the verdict names, without numbers of solutions, in the form of true candidates.
  function openValues() {
    const values = valuesOf(puzzle);
    return found.open && new Map([...found.open].map(([cell, symbols]) => [cell, new Map(symbols.map((symbol) => [values.get(symbol), null]))]));
  }

  function fill(value, { joined = false } = {}) {
    if ((!value && !hasContent(puzzle)) || !mayReplace()) return;
    const filled = selection.cells();
    change({ values: puzzle.values.map((each, cell) => (filled.includes(cell) && !puzzle.holes.includes(cell) ? value : each)) }, { joined });
  }

  // Leave a single empty cell empty, and say how whole rows are typed. Return whether there is one.
  function leaveEmpty() {
    const [cell, ...others] = selection.cells();
    if (others.length || puzzle.values[cell]) return false;
    isHinted = true;
    draw();
    return true;
  }

  function paint(cells, label, { joined = false } = {}) {
    if (!mayReplace()) return;
    const regions = regionLabels(puzzle).map((each, cell) => (cells.includes(cell) ? label : each));
    change({ regions, box: null }, { joined });
  }

  function step(way) {
    if (!(way === "undo" ? history.canUndo() : history.canRedo())) return;
    history.amend(state());
    show(history[way]());
  }

  function takeSymbols() {
    history.amend(state());
    [symbolSet, ownSymbols] = [byId("symbol-set").value, byId("own-symbols").value];
    change({ symbols: chosenSymbols(puzzle.size) }, { kept: true });
    showKeys();
  }

  // Until the grid shows the typed or pasted text, there is no verdict on it.
  text.addEventListener("input", () => {
    isBrought = !isDrawing();
    if (isLinked()) {
      judge();
      return;
    }
    forgetVerdict();
    if (!isDrawing()) return;
    draw();
    verdict.awaitPuzzle();
  });
  for (const id of ["symbol-set", "own-symbols"]) {
    byId(id).addEventListener("input", () => {
      if (hasContent(puzzle) && !mayReplace()) showSymbolFields();
      else takeSymbols();
    });
  }
  for (const key of WORDS) {
    byId(`puzzle-${key}`).addEventListener("input", ({ target }) => {
      if (mayReplace()) change({ words: { ...puzzle.words, [key]: target.value } }, { joined: target.dataset.typed === "yes" });
      else showWords();
      target.dataset.typed = "yes";
    });
    byId(`puzzle-${key}`).addEventListener("focus", ({ target }) => { target.dataset.typed = ""; });
  }
  byId("size").addEventListener("change", () => {
    const size = Number(byId("size").value);
    selection.reset();
    change({ ...blankPuzzle(size, boxOf(size)), words: puzzle.words });
    takeSymbolsOf(size);
  });
  // A set of symbols that fits the new size is kept.
  function takeSymbolsOf(size) {
    puzzle = { ...puzzle, symbols: chosenSymbols(size) };
    history.amend(state());
    showKeys();
    draw();
  }
  byId("empty").addEventListener("click", () => {
    selection.reset();
    change({ ...blankPuzzle(puzzle.size, boxOf(puzzle.size) ?? "none"), symbols: puzzle.symbols });
    showWords();
  });
  byId("boxes").addEventListener("click", () => change({ regions: null, box: boxOf(puzzle.size) ?? "none" }));
  byId("undo").addEventListener("click", () => step("undo"));
  byId("redo").addEventListener("click", () => step("redo"));
  // The solution and the candidates would cover each other, so only one of them is shown.
  byId("show-solution").addEventListener("change", () => {
    if (byId("show-solution").checked) byId("show-candidates").checked = false;
    draw();
  });
  byId("show-candidates").addEventListener("change", () => {
    if (byId("show-candidates").checked) byId("show-solution").checked = false;
    draw(); // the note above the keys takes its place at once
    judge();
  });
  for (const radio of form.ownerDocument.querySelectorAll("[name=editor-mode]")) {
    radio.addEventListener("change", () => {
      byId("editor").dataset.mode = mode();
      // Taps add cells to a rule, so it doesn't begin with the cell that was tapped before.
      if (mode() === "rules" && matchMedia("(pointer: coarse)").matches && selection.state().chosen.length === 1) selection.clear();
      showKeys();
      draw();
      rules.reveal();
    });
  }
  const rules = makeRuleForm({
    url: form.dataset.rules,
    cells: selection.names,
    rules: () => puzzle.rules,
    add(rule, replaced) {
      if (!mayReplace()) return false;
      if (!replaced) change({ rules: [...puzzle.rules, rule] });
      else if (JSON.stringify(rule) !== JSON.stringify(replaced)) change({ rules: puzzle.rules.map((each) => (each === replaced ? rule : each)) });
      selection.clear(); // the next rule applies to other cells
      grid.focus();
      return true;
    },
    changed: () => draw(),
  });
  // Pasting can be undone, unless the text field has puzzles that the grid doesn't show.
  function replace(pasted) {
    if (!mayReplace()) return;
    text.value = pasted;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }
  listenToGrid({ grid, board, selection, keys, rules, mode, paint, step, replace, puzzle: () => puzzle });
  const history = makeHistory(state());
  showBoard();
  showKeys();
  draw();
  // The rules and the verdict aren't needed before the editor is opened.
  let isLoaded = false;
  watchView(() => {
    if (!isDrawing()) return;
    if (!isLoaded) rules.load();
    isLoaded = true;
    judge();
  });

  const drawingOf = (preview) => preview?.first?.[0]?.drawing;

  // Mark the rules that are invalid, and draw the others.
  async function drawValidRules() {
    const puzzleBefore = written;
    const blank = { ...puzzle, values: puzzle.values.map(() => 0) };
    const { findFaults } = await import("./rule_faults.js"); // hardly ever needed
    const result = await findFaults(blank, { ask, boxOf });
    if (!result || text.value !== puzzleBefore) return;
    ({ faults } = result);
    if (drawingOf(result.preview)) board.service(svg(drawingOf(result.preview)));
    else board.lines(puzzle);
    draw();
  }

  // Choose and mark the given that the link to the editor added.
  function showAdded() {
    const cell = cellNamed(added, puzzle);
    added = "";
    if (!puzzle.values[cell]) return;
    selection.choose(cell);
    fresh = [cell];
    draw();
  }

  function takeText(preview) {
    if (!text.value.trim()) {
      if (written) load(blankPuzzle(puzzle.size, boxOf(puzzle.size) ?? "none"));
      return;
    }
    const ticked = [...form.querySelectorAll("[name=variant]:checked")].map((box) => box.value);
    const next = preview?.records === 1 && preview.first.length ? fromPreview(preview.first[0], { source: text.value, boxOf, ticked }) : null;
    if (!next) {
      judge();
      return;
    }
    load(next);
    showAdded();
  }

  return {
    state,
    // Show a saved state, which becomes the first state for undo.
    restore(saved) {
      if (!saved?.puzzle) return;
      show(saved);
      history.amend(state());
    },
    hasPuzzle: () => isLinked() && hasContent(puzzle),
    // The fields of a job that describe the puzzle in the grid: its title, its author, and its rules in words.
    details() {
      if (!isLinked()) return [];
      const words = writtenWords(puzzle);
      const fields = { name: words.title, "metadata[author]": words.author, "metadata[rules]": words.rules };
      return Object.entries(fields).filter(([, value]) => value).map(([name, value]) => [name, shortened(value, name === "name" ? LONGEST_NAME : LONGEST_TEXT)]);
    },
    previewFailed: () => { if (!isLinked()) verdict.unreachable(); },
    // Draw the rules of the puzzle in the grid, or load the puzzle in the text.
    showPreview(preview) {
      if (!isLinked()) takeText(preview);
      if (!isLinked() || !written) return;
      if (drawingOf(preview)) {
        faults = new Map();
        houses = preview.first[0].editable?.houses ?? null;
        board.service(svg(drawingOf(preview)));
        draw();
      } else if (puzzle.rules.length) {
        drawValidRules();
      } else {
        board.lines(puzzle);
      }
    },
  };
}
