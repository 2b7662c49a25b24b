// The job page: updates numbers immediately, and fetches everything else from the server.
import { copyButtons } from "./copy.js";
import { follow, isFinal } from "./live_updates.js";
import "./menus.js";
import { load, watchFreshness } from "./freshness.js";
import { resultBar } from "./result_bar.js";
import { showTicks, startTicks } from "./ticks.js";
import { localTimes } from "./times.js";
import { duration, number, speed } from "./format.js";

const DRAWN = ["state", "progress", "numbers", "bar", "actions", "view", "layout", "results", "paging", "plots", "more", "by-state"];
const PAUSE = 2_000; // ms between two requests for the page
const RETRY = 3_000; // ms before a failed request for the page is repeated
const QUIET = 10_000; // ms between two announcements to a screen reader

const byId = (id) => document.getElementById(id);
const announcement = byId("announcement");
const numbers = watchFreshness();
const results = watchFreshness();
let spokenAt = 0;
let drawnAt = 0;
let state = byId("state").textContent;
let drawing = false;
let drawsAgain = false;
let timer = null; // for fetching the page after changes

copyButtons();
resultBar({ redraw });
startTicks();
if (byId("progress").dataset.final === "no") {
  follow({ ...byId("progress").dataset, changed, alive: numbers.updated, lost: numbers.failed });
} else {
  awaitNotification();
}

function changed(job) {
  if (isFinal({ state })) return; // the page was fetched after the end, before this event arrived
  numbers.updated();
  // The server shows the only puzzle of a job instead of its list of results.
  if (job.state === "finished" && job.total === 1 && !location.search) {
    location.reload();
    return;
  }
  document.getElementById("unattended")?.remove();
  updateNumbers(job);
  announce(job);
  const waits = byId("results").dataset.full === "no" || byId("progress").dataset.rated === "yes";
  if (job.state !== state) draw(job);
  else if (waits) timer ??= setTimeout(redraw, Math.max(drawnAt + PAUSE - Date.now(), 0));
}

function updateNumbers(job) {
  byId("done").textContent = number(job.done);
  if (job.done > 0) document.getElementById("compiling")?.remove();
  byId("total").textContent = number(job.total);
  byId("doing").textContent = job.state === "uploading" ? "Uploading: " : "";
  byId("progress-bar").max = Math.max(job.total, 1);
  byId("progress-bar").value = job.done;
  byId("speed").textContent = job.puzzles_per_second ? speed(job.puzzles_per_second) : "";
  byId("left").textContent = job.eta_seconds === null ? "estimating the time left …" : `${duration(job.eta_seconds)} left`;
  for (const label of document.querySelectorAll("[data-count]")) {
    const records = job.outcomes[label.dataset.count];
    label.textContent = number(records);
    label.parentElement.classList.toggle("none", !records);
  }
}

function announce(job) {
  if (!isFinal(job) && Date.now() - spokenAt < QUIET) return;
  spokenAt = Date.now();
  announcement.textContent = `${job.state}: ${number(job.done)} of ${number(job.total)} done`;
}

// Fetches the page of a new URL, or after changes.
function redraw() {
  clearTimeout(timer);
  timer = null;
  if (drawing) drawsAgain = true;
  else draw({ state });
}

// Fetches the current page. A failed request is repeated, because no event follows the last one.
async function draw(job) {
  if (drawing) {
    drawsAgain ||= isFinal(job);
    return;
  }
  drawing = true;
  drawsAgain = false;
  const { text, reason } = await load(location.href);
  drawing = false;
  drawnAt = Date.now();
  if (reason) {
    results.failed(reason);
    setTimeout(() => draw(job), RETRY);
    return;
  }
  update(new DOMParser().parseFromString(text, "text/html"));
  state = byId("state").textContent;
  results.updated();
  if (drawsAgain) draw(job);
  else if (isFinal({ state })) awaitNotification();
}

// Fetches the page until the notification about the job's end was attempted, which sends no event.
function awaitNotification() {
  if (byId("webhook").dataset.awaited === "yes") setTimeout(() => draw({ state }), PAUSE);
}

// Replaces the parts that differ, and keeps the focus if its element still exists.
function update(page) {
  localTimes(page);
  for (const id of DRAWN) {
    const before = byId(id);
    const after = page.getElementById(id);
    if (!before || !after) continue;
    keepOpen(before, after);
    if (before.isEqualNode(after)) continue;
    if (["bar", "paging"].includes(id) && before.contains(document.activeElement)) continue;
    const focused = before.contains(document.activeElement) && document.activeElement;
    const href = focused && focused.getAttribute("href");
    before.replaceWith(after);
    if (href) after.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
  }
  showTicks();
  document.title = page.title;
}

// Parts that the user opened stay open.
function keepOpen(before, after) {
  const opened = [...before.querySelectorAll("details")];
  [...after.querySelectorAll("details")].forEach((details, n) => {
    if (opened[n]) details.open = opened[n].open;
  });
}
