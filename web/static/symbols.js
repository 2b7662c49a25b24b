// What stands for the values 1…size in the grid to type into.
const byId = (id) => document.getElementById(id);

const graphemes = (text) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);

function split(text) {
  const words = text.trim().split(/\s+/);
  return words.length > 1 ? words : graphemes(words[0]);
}

// The symbols that are chosen; null where they are digits, or are not as many as are needed.
export function chosenSymbols(size) {
  const { value } = byId("symbol-set");
  const own = value === "own";
  byId("own-symbols").hidden = !own;
  const symbols = own ? split(byId("own-symbols").value) : graphemes(value).slice(0, size);
  const enough = symbols.length === size && new Set(symbols).size === size;
  byId("symbols-said").textContent = own && !enough ? `${size} different ones in order, such as ♠♥♦♣; until then digits` : "";
  return enough ? symbols : null;
}

// The symbol of an empty cell: none of the others.
export const blankBeside = (symbols) => [".", "_", "-", "*"].find((blank) => !symbols.includes(blank));
