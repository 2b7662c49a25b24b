// The page of a puzzle: a walkthrough of its steps, and keys for the previous and next puzzle.
import { keepLabels, showCell } from "./board_frame.js";
import { copyButtons } from "./copy.js";
import { load as fetchText } from "./freshness.js";
import "./menus.js";
import { makeTyping } from "./typing.js";

const PACE = 1_600; // ms between two steps

const byId = (id) => document.getElementById(id);

copyButtons();
for (const frame of document.querySelectorAll(".whole > .scroll, #board:has(svg)")) keepLabels(frame);
// What was open before retry.js reloaded the page
for (const id of history.state?.open ?? []) byId(id)?.setAttribute("open", "");
byId("print").addEventListener("click", () => window.print());
// The position on the board: the digits that were typed, and the number of steps that were taken.
const position = { typed: "", after: 0 };
if (byId("stage")) makeWalkthrough();
if (byId("pad")) makeHints();
if (byId("available")) makeAvailableSteps();

// Arrow keys lead to the previous and next puzzle, unless the focused element uses them.
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea, #stage, #explained, [tabindex]")) return;
  const relation = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  document.querySelector(`a[rel="${relation}"]`)?.click();
});

// Scroll until a text is in view below a board that stays in view, as far as there is space for both.
// `covered` is the height of what covers the end of the window.
function reveal(text, board, covered = 0) {
  if (getComputedStyle(board).position !== "sticky") return;
  const { top, bottom } = text.getBoundingClientRect();
  const space = top - board.offsetHeight; // negative if the board covers the text
  const down = space < 0 ? space : Math.min(bottom + 12 + covered - innerHeight, space);
  if (space < 0 || down > 0) scrollBy(0, down);
}

// Hints for the step that the solver is at. They are loaded again after the solver typed digits.
function makeHints() {
  const hint = byId("hint");
  const scroller = document.querySelector(".whole > .scroll");
  const first = byId("hints").innerHTML;
  let typedNow = "";
  let after = 0; // the number of steps after the typed digits that the solver has seen
  let wanted = "";
  let shown = "";

  async function show() {
    if (wanted === shown) return;
    const asked = wanted;
    byId("hints").textContent = "Looking for the next step …";
    const { text, reason } = asked ? await ask(asked) : { text: first };
    if (asked !== wanted) return;
    shown = reason ? "" : asked;
    if (reason) byId("hints").textContent = `There is no hint, because ${reason}.`;
    else byId("hints").innerHTML = text;
    markCells();
    reveal(byId("hints"), scroller);
  }

  const ask = (form) => fetchText(hint.dataset.hints, { method: "POST", body: new URLSearchParams(form) });

  // Mark the cells that the open hints name, or the wrong digits.
  function markCells() {
    const parts = document.querySelectorAll(":is(#hints, #verdict) :is([data-look], [data-step], [data-wrong])");
    const open = [...parts].filter((part) => !part.parentElement.closest("details:not([open])"));
    const cells = (name) => open.flatMap((part) => (part.dataset[name] ? part.dataset[name].split(" ").map(Number) : []));
    mark({ looked: cells("look"), reason: cells("reason"), aimed: cells("step"), wrong: cells("wrong") });
    showCell(scroller, scroller.querySelector(".aimed, .looked"));
  }

  // State at once whether a full grid is the solution, or which entries are wrong.
  async function check(isFull) {
    const asked = wanted;
    byId("verdict").replaceChildren();
    if (!isFull) return;
    const { text, reason } = await ask(asked);
    if (asked !== wanted) return;
    if (reason) byId("verdict").textContent = `Your entries weren’t checked, because ${reason}.`;
    else byId("verdict").innerHTML = text;
    markCells();
  }

  hint.addEventListener("toggle", () => {
    if (hint.open) show();
    markCells();
    if (hint.open) reveal(hint, scroller);
  });
  byId("hints").addEventListener("toggle", ({ target }) => {
    markCells();
    if (target.open) reveal(target, scroller);
  }, true);
  byId("hints").addEventListener("click", ({ target }) => {
    if (target.dataset.enter) enter(target.dataset.enter.trim().split(" ").map((pair) => pair.split(":").map(Number)));
    else if ("following" in target.dataset) want(typedNow, after + 1);
    else return;
    hint.open = true; // for the next step
    hint.querySelector("summary").focus({ preventScroll: true });
    show();
  });

  function want(typed, seen) {
    typedNow = typed;
    after = seen;
    wanted = typed || seen ? `typed=${typed}&after=${seen}` : "";
  }

  const data = JSON.parse(byId("pad").dataset.typing);
  const { mark, enter } = makeTyping({
    board: document.querySelector(".whole .board"),
    pad: byId("pad"),
    restart: byId("restart"),
    data,
    changed(typed) {
      want([...typed].map((pair) => pair.join(":")).join(","), 0);
      position.typed = typedNow;
      hint.open = byId("available").open = false;
      check(typed.size === data.open.length);
    },
  });
}

// All steps that are available: in the view of the steps, before the step that is shown, otherwise
// after the digits that were typed. They are loaded when the list is opened.
function makeAvailableSteps() {
  const list = byId("available");
  const stepsView = document.querySelector("input[name=view][value=steps]");
  let shown = null;

  list.addEventListener("toggle", async () => {
    const asked = stepsView?.checked ? `after=${position.after}` : `typed=${position.typed}`;
    if (!list.open || asked === shown) return;
    shown = asked;
    byId("available-steps").textContent = "Looking for all steps …";
    const body = new URLSearchParams(asked);
    const { text, reason } = await fetchText(list.dataset.available, { method: "POST", body });
    if (asked !== shown) return;
    if (reason) {
      shown = null;
      byId("available-steps").textContent = `There is no list, because ${reason}.`;
    } else byId("available-steps").innerHTML = text;
  });
  for (const view of document.querySelectorAll("input[name=view]")) view.addEventListener("change", () => { list.open = false; });
}

function makeWalkthrough() {
  const steps = [...byId("deductions").querySelectorAll("li[data-technique]")];
  const place = byId("place");
  const keys = document.querySelectorAll(".keys span"); // of the colors; each step shows those that it uses
  const start = { board: byId("board").querySelector(".board"), text: byId("explanation").textContent };
  const pictures = new Map(); // by step, for those that were loaded
  let at = 0; // 0 is the puzzle before the first step
  let timer = null;

  function show(number) {
    at = Math.min(Math.max(number, 0), steps.length);
    const after = Math.max(at - 1, 0);
    if (after !== position.after && byId("available")) byId("available").open = false;
    position.after = after;
    byId("at").textContent = `${at} of ${steps.length}`;
    place.value = at;
    byId("deductions").querySelector("[aria-current]")?.removeAttribute("aria-current");
    for (const key of keys) key.hidden = true;
    for (const [id, off] of [["first", at === 0], ["back", at === 0], ["forward", at === steps.length], ["last", at === steps.length]]) byId(id).setAttribute("aria-disabled", off);
    if (at > 0) showStep(steps[at - 1]);
    else {
      showPicture(start.board);
      byId("explanation").replaceChildren(start.text);
      byId("deductions").scrollTop = 0;
    }
  }

  // Without a picture of the puzzle, there are none of its steps either.
  const showPicture = (picture) => byId("board").querySelector(".board")?.replaceWith(picture);

  // The pictures of later steps are loaded when they are shown.
  async function load(step) {
    step.dataset.wanted = "";
    const { text } = await fetchText(step.dataset.picture);
    const picture = text && new DOMParser().parseFromString(text, "text/html").querySelector("svg");
    if (!picture) return;
    pictures.set(step, picture);
    if (steps[at - 1] === step) showStep(step);
  }

  function showStep(step) {
    const drawing = step.querySelector("svg") ?? pictures.get(step);
    if (drawing) {
      showPicture(drawing.cloneNode(true));
      showCell(byId("board"), byId("board").querySelector(".placed, .removed"));
    } else if (step.dataset.picture && !("wanted" in step.dataset)) load(step);
    byId("explanation").replaceChildren(bold(`${step.dataset.technique}: `), ...step.querySelector(".reason").cloneNode(true).childNodes);
    for (const key of keys) {
      const drawn = drawing?.querySelector(`.${key.className}`);
      key.hidden = !drawn;
      key.dataset.symbol = drawn?.textContent ?? "";
      if (key.className in step.dataset) key.textContent = step.dataset[key.className];
    }
    step.setAttribute("aria-current", "step");
    const list = byId("deductions");
    const top = step.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - step.clientHeight) list.scrollTop = top - list.clientHeight / 3;
  }

  function play(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => (at < steps.length ? show(at + 1) : play(false)), PACE) : null;
    byId("play").textContent = on ? "Pause" : "Play";
  }

  // Mark the steps whose values the solver has entered, and offer to skip those at the beginning.
  function compare() {
    const typed = position.typed ? position.typed.split(",") : [];
    const isNew = (step) => step.dataset.places?.split(" ").some((place) => !typed.includes(place));
    for (const step of steps) step.classList.toggle("done", "places" in step.dataset && !isNew(step));
    const known = steps.findIndex(isNew);
    const done = steps.slice(0, known < 0 ? steps.length : known).findLastIndex((step) => step.dataset.places) + 1;
    byId("own").hidden = !typed.length;
    byId("own").elements.typed.value = position.typed;
    byId("own").querySelector("span").textContent = typed.length === 1 ? "Your entry is kept in the view Puzzle." : `Your ${typed.length} entries are kept in the view Puzzle.`;
    byId("skip").hidden = done === 0 || done === steps.length;
    byId("skip").onclick = () => go(done + 1);
  }

  // On phones, the list is closed until it is wanted: the board and the reason are what helps there.
  const narrow = matchMedia("(max-width: 50rem)");
  const arrange = () => { byId("all-steps").open = !narrow.matches; };
  narrow.addEventListener("change", arrange);
  arrange();

  // The height of the buttons, which are at the end of the window on phones.
  const controls = document.querySelector(".controls");
  const covering = () => (getComputedStyle(controls).position === "sticky" ? controls.offsetHeight : 0);
  const go = (number) => {
    play(false);
    show(number);
    reveal(byId("explanation").parentElement, byId("board").parentElement, covering());
  };
  const stepsView = document.querySelector("input[name=view][value=steps]");
  stepsView.addEventListener("change", compare);
  if (location.hash === "#steps") stepsView.click();
  place.max = steps.length;
  place.addEventListener("input", () => go(Number(place.value)));
  byId("first").addEventListener("click", () => go(0));
  byId("back").addEventListener("click", () => go(at - 1));
  byId("forward").addEventListener("click", () => go(at + 1));
  byId("last").addEventListener("click", () => go(steps.length));
  byId("play").addEventListener("click", () => {
    if (!timer && at === steps.length) show(0);
    play(!timer);
  });
  const followKeys = (event) => {
    const there = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length }[event.key];
    if (there === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(there);
  };
  for (const part of ["stage", "explained"]) byId(part).addEventListener("keydown", followKeys);
  // Steps of the list are shown on the large board instead of below their sentences. Later steps have
  // no picture in the page, and are chosen in the same way.
  steps.forEach((step, index) => (step.querySelector("summary") ?? step).addEventListener("click", (event) => {
    event.preventDefault();
    go(index + 1);
  }));
  show(0);
}

function bold(text) {
  const element = document.createElement("b");
  element.textContent = text;
  return element;
}
