// The list of jobs: the search takes effect while the user types, and days are those of the user's time zone. The
// server's are in UTC.
import { localTimes } from "./times.js";

const PAUSE = 300; // ms without a key
const form = document.getElementById("search");
let timer = null;
let requests = 0;

form?.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(search, PAUSE);
});
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
groupByDay();

// Show the jobs that the form selects, unless another search has begun since.
async function search() {
  clearTimeout(timer);
  const filters = new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim())).toString();
  const address = filters ? `${form.action}?${filters}` : form.action;
  requests += 1;
  const request = requests;
  const answer = await fetch(address).catch(() => null);
  const text = answer?.ok ? await answer.text() : null;
  if (request !== requests) return;
  if (text === null) {
    location.assign(address); // the browser shows what is wrong
    return;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  localTimes(page);
  document.getElementById("list").replaceWith(page.getElementById("list"));
  history.replaceState(null, "", address);
  groupByDay();
}

// Replace the parts of the table by one per local day of the rows, which are in order.
function groupByDay() {
  const table = document.querySelector(".jobs");
  if (!table) return;
  const rows = [...table.querySelectorAll("tbody tr:not(.day)")];
  const heading = table.querySelector(".day");
  for (const part of table.tBodies) part.dataset.old = "";
  let shown = null;
  let part = null;
  for (const row of rows) {
    const day = new Date(row.querySelector("time").dateTime);
    if (day.toDateString() !== shown) {
      shown = day.toDateString();
      part = table.createTBody();
      part.append(heading.cloneNode(true));
      part.querySelector("th").textContent = nameOf(day);
    }
    part.append(row);
  }
  for (const old of table.querySelectorAll("[data-old]")) old.remove();
}

// Return the name of a day, such as "Today" or "Friday, Nov 27", with the year only if it isn't the current one.
function nameOf(day) {
  const now = new Date();
  if (day.toDateString() === now.toDateString()) return "Today";
  now.setDate(now.getDate() - 1);
  if (day.toDateString() === now.toDateString()) return "Yesterday";
  const year = day.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return day.toLocaleDateString("en", { weekday: "long", month: "short", day: "numeric", year });
}
