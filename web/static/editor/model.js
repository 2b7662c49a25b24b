// The puzzle in the editor, and the text that describes it.
import { blankFor, isWord } from "./symbols.js";

const WORDS = ["title", "author", "rules"];
const DRAWN = ["puzzle", "box", "regions", "symbols", "blank", "variant", "constraints", ...WORDS];

// An empty board. `regions` has a label for each cell if the regions aren't rectangular boxes, and
// `others` has the members of a puzzle object that the editor keeps without showing them.
export const blankPuzzle = (size, box) => ({
  size, rows: size, columns: size, box, holes: [], regions: null, values: Array.from({ length: size * size }, () => 0), symbols: null, rules: [], words: {}, others: {},
});

export const cellName = (cell, { columns }) => `r${Math.floor(cell / columns) + 1}c${(cell % columns) + 1}`;

export function cellNamed(name, { columns }) {
  const found = /^r(\d+)c(\d+)$/i.exec(name);
  return found ? (found[1] - 1) * columns + Number(found[2]) - 1 : -1;
}

// Whether a constraint in a response is this rule of the puzzle. Numbers that are the default can differ.
export function isSameRule(rule, constraint) {
  const key = ({ type, variant, cells = [], options = [] }) => JSON.stringify([type ?? variant, cells.map((name) => name.toLowerCase()), options]);
  return key(rule) === key(constraint);
}

// Whether two lists of names have the same cells, in "any" order, in the same or the opposite one ("reversible"), or in
// the same one ("fixed").
export function hasSameCells(some, others, order) {
  const key = (names) => names.map((name) => name.toLowerCase()).join(" ");
  if (order === "any") return key([...some].sort()) === key([...others].sort());
  return key(some) === key(others) || (order === "reversible" && key(some) === key([...others].reverse()));
}

export const symbolOf = (value, { symbols }) => (symbols ? symbols[value - 1] : String(value));

// The title, the author, and the rules in words, as far as there are any.
export const writtenWords = ({ words }) => Object.fromEntries(WORDS.filter((key) => words[key]?.trim()).map((key) => [key, words[key].trim()]));

export const hasContent = (puzzle) => puzzle.values.some(Boolean) || puzzle.rules.length > 0 || puzzle.regions !== null || Object.keys(writtenWords(puzzle)).length > 0;

// Whether the board is the usual one of its size, so that a line of symbols describes it.
export const isUsual = (puzzle, boxOf) => puzzle.rows === puzzle.size && puzzle.columns === puzzle.size && !puzzle.regions && puzzle.box === boxOf(puzzle.size) && !Object.keys(puzzle.others).length;

// One line if the cells suffice, otherwise a JSON object.
export function textOf(puzzle, boxOf) {
  const { size, values, symbols, rules, regions, columns, others } = puzzle;
  const blank = symbols ? blankFor(symbols) : ".";
  const apart = size > 9 || symbols?.some(isWord) ? " " : "";
  const line = values.map((value) => (value ? symbolOf(value, puzzle) : blank)).join(apart);
  const words = writtenWords(puzzle);
  const isKnownSize = [4, 6, 8, 9, 12, 16, 25].includes(size);
  if (values.some(Boolean) && isKnownSize && isUsual(puzzle, boxOf) && !rules.length && !symbols && !Object.keys(words).length) return line;
  const variant = rules.filter((rule) => rule.variant).map((rule) => rule.variant);
  return JSON.stringify({
    puzzle: line,
    ...others,
    ...(regions ? { regions: inRows(regions, columns) } : { box: puzzle.box ?? "none" }),
    ...(symbols ? { symbols, blank } : {}),
    ...(variant.length ? { variant } : {}),
    constraints: rules.filter((rule) => !rule.variant),
    ...words,
  });
}

const inRows = (labels, columns) => Array.from({ length: labels.length / columns }, (_, row) => labels.slice(row * columns, (row + 1) * columns));

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

// The puzzle in the service's preview of a `source` text, or null if the editor can't keep its rules.
// `ticked` are the variants that the form applies to every puzzle.
export function fromPreview({ name, editable }, { source, boxOf, ticked }) {
  if (!editable?.text) return null;
  const { rows, columns, values, holes, symbols } = editable;
  const object = editable.text.startsWith("{") ? parsed(editable.text) : {};
  const typed = parsed(source);
  const variants = [object.variant ?? []].flat().filter((each) => !ticked.includes(each));
  return {
    size: symbols.length,
    rows,
    columns,
    holes,
    values,
    box: object.regions ? null : object.box ?? boxOf(symbols.length) ?? "none",
    regions: object.regions ? object.regions.flat() : null,
    symbols: symbols.every((symbol, place) => symbol === String(place + 1)) ? null : symbols,
    rules: [...variants.map((variant) => ({ variant })), ...(object.constraints ?? [])],
    words: Object.fromEntries(WORDS.map((key) => [key, typeof typed[key] === "string" ? typed[key] : key === "title" ? name ?? "" : ""])),
    others: Object.fromEntries(Object.entries(object).filter(([key]) => !DRAWN.includes(key))),
  };
}

// A label for each cell: that of its region or box, or null if there is none.
export function regionLabels({ rows, columns, box, regions, others }) {
  if (regions) return regions;
  const [down, across] = (box ?? "none").split("x").map(Number);
  const cells = Array.from({ length: rows * columns }, (_, cell) => cell);
  if (!across || others.grids) return cells.map(() => null);
  const perRow = Math.ceil(columns / across);
  return cells.map((cell) => String(Math.floor(Math.floor(cell / columns) / down) * perRow + Math.floor((cell % columns) / across) + 1));
}
