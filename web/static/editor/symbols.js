// The symbols for the values 1…size in the editor.
const byId = (id) => document.getElementById(id);

const graphemes = (text) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);

function split(text) {
  const words = text.trim().split(/\s+/);
  return words.length > 1 ? words : graphemes(words[0]);
}

// The chosen symbols, or null if they are digits or their number is wrong.
export function chosenSymbols(size) {
  const { value } = byId("symbol-set");
  const own = value === "own";
  byId("own-symbols").hidden = !own;
  const symbols = own ? split(byId("own-symbols").value) : graphemes(value).slice(0, size);
  const enough = symbols.length === size && new Set(symbols).size === size;
  byId("symbols-note").textContent = own && !enough ? `Enter ${size} different symbols in order, such as ♠♥♦♣. Until then, the grid shows digits.` : "";
  return enough ? symbols : null;
}

// A symbol for empty cells that isn't one of the others.
export const blankFor = (symbols) => [".", "_", "-", "*"].find((blank) => !symbols.includes(blank));

export const isWord = (symbol) => graphemes(symbol).length > 1;

// The width of the widest symbol. Emoji count as one character: only longer symbols need a smaller font.
export const longestOf = (symbols) => Math.max(...symbols.map((symbol) => symbol.replace(/[^\x20-\x7e]+/g, "x").length));
