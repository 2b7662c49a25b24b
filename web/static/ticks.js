// Ticked puzzles on a job's page. They replace the filter for downloads and new jobs, and are kept
// in this tab while the user turns pages or opens puzzles.

const MOST = 1_000;
const FILTERS = ["search", "outcome", "rating", "sudokuq_rating", "technique", "duplicates", "finding", "numbers", "count", "first"];
const key = `ticks ${location.pathname}`;
const ticked = new Set(JSON.parse(sessionStorage.getItem(key) || "[]"));

export function startTicks() {
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-tick]")) tick([target], target.checked);
    if (target.matches("#tick-all")) tick(boxes(), target.checked);
  });
  document.addEventListener("click", ({ target }) => {
    if (!target.matches("#untick")) return;
    ticked.clear();
    store();
  });
  tick(boxes().filter((box) => box.checked), true); // those that were ticked before this script ran
}

function boxes() {
  return [...document.querySelectorAll("[data-tick]")];
}

function tick(changed, on) {
  for (const { dataset } of changed) {
    const number = Number(dataset.tick);
    if (!on) ticked.delete(number);
    else if (ticked.size < MOST) ticked.add(number);
  }
  store();
}

function store() {
  sessionStorage.setItem(key, JSON.stringify([...ticked]));
  showTicks();
}

// Show the ticks after the page or a part of it was loaded, and let links and forms use them.
export function showTicks() {
  const every = boxes();
  for (const box of every) box.checked = ticked.has(Number(box.dataset.tick));
  const all = document.getElementById("tick-all");
  if (all) {
    const count = every.filter((box) => box.checked).length;
    all.checked = every.length > 0 && count === every.length;
    all.indeterminate = count > 0 && count < every.length;
  }
  const actions = document.getElementById("actions");
  actions.classList.toggle("ticked", ticked.size > 0);
  for (const label of actions.querySelectorAll("[data-words]")) {
    label.dataset.whole ??= label.textContent;
    label.textContent = ticked.size ? label.dataset.words.replace("#", counted(ticked.size)) : label.dataset.whole;
  }
  for (const link of actions.querySelectorAll("a[download], a[data-selects]")) {
    link.dataset.whole ??= link.getAttribute("href");
    link.setAttribute("href", ticked.size ? selected(link.dataset.whole) : link.dataset.whole);
  }
  for (const form of actions.querySelectorAll("form")) choose(form);
}

function counted(number) {
  return number === 1 ? "1 puzzle" : `${number.toLocaleString("en")} puzzles`;
}

function selected(href) {
  const url = new URL(href, location.href);
  for (const name of FILTERS) url.searchParams.delete(name);
  url.searchParams.set("numbers", written());
  return url.pathname + url.search;
}

// Disabled fields aren't sent. The form's own outcome stays, because it suits the new options.
function choose(form) {
  for (const field of form.querySelectorAll("[data-filter]")) field.disabled = ticked.size > 0;
  form.querySelector("[data-ticks]")?.remove();
  if (!ticked.size) return;
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "numbers";
  field.value = written();
  field.dataset.ticks = "";
  form.append(field);
}

// Return the ticked numbers as a list with ranges, such as 3,7,10-20.
function written() {
  const parts = [];
  for (const number of [...ticked].sort((one, other) => one - other)) {
    const last = parts.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(",");
}
