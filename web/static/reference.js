import { copyButtons } from "./copy.js";

// The groups and entries of a reference page. On narrow screens they start closed, so that the page
// stays short, and a search opens the groups. On wide ones, all entries are open and stay open, and
// only the first group of a folded page starts open.
const narrow = matchMedia("(max-width: 40rem)");
const groups = [...document.querySelectorAll("details.chapter")];
const entries = [...document.querySelectorAll(".entry")];
const folded = document.querySelector("[data-folded]") !== null;
const search = document.getElementById("q");

function arrange() {
  openGroups();
  for (const entry of entries) {
    entry.open = !narrow.matches;
    entry.querySelector("summary").tabIndex = narrow.matches ? 0 : -1;
  }
  document.documentElement.classList.add("arranged");
}

function openGroups() {
  const searches = search.value.trim() !== "";
  groups.forEach((group, n) => {
    group.open = searches || (!narrow.matches && (!folded || n === 0));
  });
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const closed = target?.closest("details");
  if (!closed) return;
  closed.open = true;
  const group = closed.closest("details.chapter");
  if (group) group.open = true;
  target.scrollIntoView();
}

copyButtons();
arrange();
openTarget();
search.addEventListener("input", openGroups);
narrow.addEventListener("change", arrange);
addEventListener("hashchange", openTarget);
