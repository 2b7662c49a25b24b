// A preview of the upload: its format, its first puzzles, and its first problems.
import { number } from "./format.js";

const BEGINNING = 256 * 1024; // bytes of a file that are previewed
const PAUSE = 250; // ms without typing
const EXPECTED = [200, 400, 413, 422]; // statuses that depend on the text alone
const OPTIONS = ["format", "box", "symbols", "blank"];

const byId = (id) => document.getElementById(id);

// A message in the words of the page instead of those for users of the API, as in web/pages/upload.py.
export const inPageWords = (detail) => detail
  .replace("No puzzle format matches.", "This can’t be read as a puzzle.")
  .replace(/Compare it with the examples of the formats, at .*/, "Paste a classic Sudoku as a line of 81 digits, with dots for empty cells, or paste a link.");

// `showPreview` gets the preview of the text, and `failed` is called if the service can't be reached.
// `look` schedules a preview of the file or text, and `ask` returns the preview of another text with the options of the form, or null on failure.
export function makePreview({ form, file, text, showPreview, failed }) {
  let timer = null;
  let asked = null;
  const known = new Map();

  // The options of the form that affect how a text is read.
  function options() {
    const query = new URLSearchParams();
    for (const name of OPTIONS) {
      const { value } = form.elements.namedItem(name);
      if (value) query.set(name, value);
    }
    const variants = [...form.querySelectorAll("[name=variant]:checked")].map((box) => box.value);
    if (variants.length) query.set("variant", variants.join(","));
    return query;
  }

  function address(size) {
    const query = options();
    if (size > BEGINNING) query.set("cut", "1");
    return `${form.dataset.look}?${query}`;
  }

  const post = (url, body, signal) => fetch(url, {
    method: "POST", headers: { "Content-Type": "application/octet-stream" }, body, signal,
  });

  async function look() {
    asked?.abort();
    const [chosen] = file.files;
    const whole = chosen ?? new Blob([text.value]);
    byId("look").hidden = !whole.size || (!chosen && !text.value.trim());
    if (byId("look").hidden) {
      if (!chosen) showPreview?.(null);
      return;
    }
    asked = new AbortController();
    try {
      const answer = await post(address(whole.size), whole.slice(0, BEGINNING), asked.signal);
      const preview = await answer.json();
      if (answer.ok) show(preview, whole.size, chosen);
      else refuse(preview);
      if (!chosen) showPreview?.(answer.ok ? preview : null);
    } catch (error) {
      if (error.name === "AbortError") return;
      byId("look").hidden = true;
      if (!chosen) failed();
    }
  }

  return {
    query: options,
    look() {
      clearTimeout(timer);
      timer = setTimeout(look, PAUSE);
    },
    async ask(puzzle) {
      const url = address(puzzle.length);
      const key = `${url} ${puzzle}`;
      if (known.has(key)) return known.get(key);
      const answer = await post(url, puzzle).catch(() => null);
      if (!EXPECTED.includes(answer?.status)) return null;
      known.set(key, await answer.json());
      return known.get(key);
    },
  };
}

function show(preview, size, isFile) {
  const isSingle = !isFile && preview.records === 1 && Boolean(preview.first[0]?.drawing);
  byId("look").classList.toggle("single", isSingle);
  const cut = size > BEGINNING;
  // An estimate has two digits, so that it doesn't look exact.
  const records = cut ? Number(((preview.records * size) / BEGINNING).toPrecision(2)) : preview.records;
  const title = byId("format").querySelector(`[value="${preview.format}"]`)?.textContent ?? preview.format;
  const puzzles = `${cut ? "About " : ""}${number(records)} ${records === 1 ? "puzzle" : "puzzles"} in the format “${title}”.`;
  const faulty = `${number(preview.problems)} ${preview.problems === 1 ? "has an error" : "have errors"}`;
  // How many of the first puzzles were checked depends on the time that it took, so it isn't shown.
  const troubles = !preview.problems ? "" : records === 1 ? " It has an error." : preview.checked < records ? ` At least ${faulty}.` : ` ${faulty}.`;
  byId("first").replaceChildren(...preview.first.filter(({ drawing }) => drawing).map(figure));
  byId("preview").textContent = isSingle ? facts(preview.first[0]) + troubles.replace(" ", ". ") : puzzles + troubles;
  byId("preview").title = preview.description;
  const listed = preview.troubles.map(({ line, detail }) => `Line ${line}: ${detail}`);
  if (preview.problems > listed.length) listed.push("and more");
  byId("troubles").replaceChildren(...listed.map(item));
}

// The rules, the board, and the number of givens of a single puzzle, as in the title of its job.
function facts({ editable: { rows, columns, values } }) {
  const rules = byId("first").querySelector("svg > title")?.textContent;
  const shape = `${rows}×${columns}`;
  const givens = values.filter(Boolean).length;
  const kind = rules || (shape === "9×9" ? "Classic" : "Sudoku");
  return `${kind} ${shape}${givens ? `, ${number(givens)} ${givens === 1 ? "given" : "givens"}` : ""}`;
}

function refuse({ line, column, detail }) {
  // After an upload was rejected, its message is on the page already.
  byId("look").hidden = !byId("problem").hidden;
  byId("look").classList.remove("single");
  const place = line ? `Line ${line}${column ? `, column ${column}` : ""}: ` : "";
  byId("preview").textContent = `Not a puzzle yet. ${place}${inPageWords(detail)}`;
  byId("first").replaceChildren();
  byId("troubles").replaceChildren();
}

function figure({ name, line, drawing }) {
  const element = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = name ?? `line ${line}`;
  element.append(svg(drawing), caption);
  return element;
}

// The service has drawn it from cells and rules, and scripts don't run in an image document.
export function svg(text) {
  const parsed = new DOMParser().parseFromString(text, "text/html").querySelector("svg");
  return document.importNode(parsed, true);
}

function item(text) {
  const element = document.createElement("li");
  element.textContent = text;
  return element;
}
