// The search of a page that lists entries: shows those that contain all words while the user types.
const search = document.getElementById("q");
const number = document.getElementById("number");
const entries = [...document.querySelectorAll("[data-found]")];
const texts = entries.map((entry) => `${entry.textContent} ${entry.dataset.found}`.toLowerCase());

search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  entries.forEach((entry, index) => {
    entry.hidden = !words.every((word) => texts[index].includes(word));
    shown += !entry.hidden;
  });
  for (const group of document.querySelectorAll("[data-group]")) {
    const left = group.querySelectorAll("[data-found]:not([hidden])").length;
    group.hidden = left === 0;
    group.querySelector("summary small").textContent = left;
  }
  document.getElementById("nothing").hidden = shown > 0;
  number.textContent = `${shown} ${shown === 1 ? number.dataset.one : number.dataset.many}`;
});
