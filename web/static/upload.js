// The page for a new job: drag and drop, a preview, and upload progress.
import { makeDraft } from "./draft.js";
import { makeEditor } from "./editor/editor.js";
import { isDrawing, showStart } from "./editor/view.js";
import { makePastedVerdict } from "./pasted_verdict.js";
import { inPageWords, makePreview } from "./preview.js";

const form = document.getElementById("upload");
const file = document.getElementById("file");
const text = document.getElementById("text");
const drop = document.getElementById("drop");
const sending = document.getElementById("sending");
const sent = document.getElementById("sent");
const sentLabel = document.getElementById("sent-label");
const problem = document.getElementById("problem");
const problemDetail = document.getElementById("problem-detail");
const submit = form.querySelector("button.primary");
const door = document.querySelector(".door");

function megabytes(bytes) {
  return bytes < 100_000 ? `${bytes.toLocaleString("en")} bytes` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function place({ line, column }) {
  if (!line) return "";
  return column ? `Line ${line}, column ${column}: ` : `Line ${line}: `;
}

// The labels of the form instead of the names that its fields have in the API.
function withLabels(detail) {
  return detail.replace(/(?<!not )'(\w+)'/g, (whole, name) => {
    const label = form.elements.namedItem(name)?.closest?.(".field")?.querySelector("label");
    return label ? `“${label.textContent}”` : whole;
  });
}

function refuse(rejection) {
  const fault = { ...rejection, detail: inPageWords(withLabels(rejection.detail)) };
  show(false);
  const isOption = Boolean(fault.field) && !["text", "file"].includes(fault.field);
  document.getElementById("problem-title").textContent = isOption ? "An option isn’t valid" : "Your upload was not accepted";
  document.getElementById("problem-formats").hidden = isOption;
  problemDetail.textContent = place(fault) + fault.detail;
  problem.hidden = false;
  document.getElementById("look").hidden = true; // the preview would repeat the message
  problem.scrollIntoView({ block: "nearest" });
  const named = fault.field && form.elements.namedItem(fault.field);
  const field = named instanceof RadioNodeList ? named[0] : named;
  if (field) {
    point(field, fault.detail);
  } else if (fault.line && !file.files.length) {
    mark();
  } else {
    submit.focus();
  }
}

// Mark the text as invalid until it changes. Its message is above the form.
function mark() {
  text.setAttribute("aria-invalid", "true");
  text.setAttribute("aria-describedby", "problem-detail");
  text.focus();
  text.addEventListener("input", () => {
    text.removeAttribute("aria-invalid");
    text.removeAttribute("aria-describedby");
  }, { once: true });
}

// Show an error next to a field until the field changes or the form is sent again.
function point(field, detail) {
  const described = field.getAttribute("aria-describedby");
  const fault = document.createElement("small");
  fault.id = `${field.name}-fault`;
  fault.className = "fault";
  fault.textContent = detail;
  field.closest(".field")?.append(fault);
  field.setAttribute("aria-describedby", `${described ?? ""} ${fault.id}`.trim());
  field.setAttribute("aria-invalid", "true");
  if (field !== text) showStart();
  reveal(field);
  field.focus();
  const clear = () => {
    fault.remove();
    field.removeAttribute("aria-invalid");
    if (described) field.setAttribute("aria-describedby", described);
    else field.removeAttribute("aria-describedby");
  };
  field.addEventListener("input", clear, { once: true });
  form.addEventListener("submit", clear, { once: true });
}

// Open the sections around a field. A browser shows no errors of fields in closed ones.
function reveal(field) {
  for (let section = field.closest("details"); section; section = section.parentElement.closest("details")) section.open = true;
}

form.addEventListener("invalid", (event) => reveal(event.target), true);

function show(busy) {
  sending.hidden = !busy;
  for (const button of form.querySelectorAll("[type=submit]")) button.disabled = busy;
}

function answer(request) {
  let body = {};
  try {
    body = JSON.parse(request.responseText);
  } catch {
    // Not JSON: a proxy responded instead of the service.
  }
  if (request.status === 202) {
    if (!file.files.length) draft.clear(); // the puzzle’s page has a button to edit it again
    // Use only the path, because a proxy may have changed the host.
    location.assign(new URL(body.links.page).pathname);
  } else {
    refuse({ ...body, detail: body.detail || `The server responded with status ${request.status} and no explanation. Try again in a moment.` });
  }
}

// The fields of the job. The title of a puzzle in the grid is the job's name unless the user typed one.
function jobData() {
  const data = new FormData(form);
  data.delete(file.files.length ? "text" : "file");
  if (file.files.length) return data;
  for (const [name, value] of editor.details()) {
    if (!data.get(name)) data.set(name, value);
  }
  return data;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  problem.hidden = true;
  if (!file.files.length && !text.value.trim()) {
    refuse({ detail: "Choose a file or paste puzzles first." });
    return;
  }
  const [chosen] = file.files;
  if (chosen && chosen.size > Number(form.dataset.most)) {
    refuse({ detail: `${chosen.name} has ${chosen.size.toLocaleString("en")} bytes. The limit is ${Number(form.dataset.most).toLocaleString("en")} bytes. Split the file into several jobs.` });
    return;
  }
  const data = jobData();
  const request = new XMLHttpRequest();
  request.open("POST", form.dataset.api);
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    sent.max = total;
    sent.value = loaded;
    const all = loaded >= total;
    sentLabel.textContent = all ? "Upload complete. Creating the job …" : `Uploading: ${megabytes(loaded)} of ${megabytes(total)}`;
  });
  request.addEventListener("load", () => answer(request));
  request.addEventListener("error", () => refuse({ detail: "The upload was interrupted: the server closed the connection or can’t be reached. Try again." }));
  request.addEventListener("abort", () => refuse({ detail: "You stopped the upload. No job was created." }));
  document.getElementById("stop").onclick = () => request.abort();
  show(true);
  request.send(data);
});

// After the back button, the page is as before, but nothing is being sent.
addEventListener("pageshow", () => show(false));

const { look, ask, query } = makePreview({
  form, file, text,
  showPreview: (preview) => {
    editor.showPreview(preview);
    showVerdict(text.value, preview);
  },
  failed: () => editor.previewFailed(),
});
const showVerdict = makePastedVerdict({ url: form.dataset.solve, query });
const editor = makeEditor({ form, text, ask, query, changed });
let share = null; // the link to the puzzle, whose script is loaded as soon as there is a puzzle
const draft = makeDraft({ form, state: editor.state, show: editor.restore });

function changed() {
  keepDoorHeight();
  showIgnored();
  showTasks();
  showVerdict(file.files.length ? "" : text.value, null);
  offerLink();
  look();
  draft?.changed();
}

function offerLink() {
  const isReady = editor.hasPuzzle();
  document.getElementById("copy-link").hidden = !isReady;
  if (isReady) share ??= import("./editor/share.js").then(({ makeShare }) => makeShare({ url: form.dataset.api, jobData }));
  share?.then((made) => made.changed());
}

form.addEventListener("input", (event) => {
  if (event.target.name) changed();
});

// The text, or the grid that writes it, is used only if there is no file.
function choose() {
  const [chosen] = file.files;
  keepDoorHeight();
  look();
  text.disabled = Boolean(chosen);
  drop.classList.toggle("chosen", Boolean(chosen));
  document.getElementById("remove-file").hidden = !chosen;
  document.getElementById("drop-hint").hidden = Boolean(chosen);
  if (chosen) showStart();
  document.getElementById("file-name").textContent = chosen?.name ?? "";
  showIgnored();
}

function showIgnored() {
  document.getElementById("ignored").hidden = !file.files.length || !text.value.trim();
}

// A preview makes the form higher, but not the link to the editor next to it, see home.css.
function keepDoorHeight() {
  if (getComputedStyle(door).alignSelf !== "start") door.style.setProperty("--height", `${door.getBoundingClientRect().height}px`);
}

// Next to Solve: what the job will do with each puzzle.
function showTasks() {
  const tasks = ["counts the solutions of each puzzle"];
  if (document.getElementById("rate").checked) tasks.push("rates the difficulty");
  if (document.getElementById("minlex").checked) tasks.push("finds duplicates");
  document.getElementById("tasks").textContent = `This ${new Intl.ListFormat("en").format(tasks)}.`;
}

function removeFile() {
  file.value = "";
  choose();
}

file.addEventListener("change", choose);
document.getElementById("other-file").addEventListener("click", () => file.click());
for (const id of ["remove-file", "use-text"]) {
  document.getElementById(id).addEventListener("click", () => {
    removeFile();
    (id === "use-text" ? submit : file).focus();
  });
}
choose();

document.getElementById("make-secret")?.addEventListener("click", () => {
  const field = form.elements.namedItem("webhook_secret");
  const key = crypto.getRandomValues(new Uint8Array(32));
  field.value = `whsec_${btoa(String.fromCharCode(...key))}`;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.select();
});

const restored = document.getElementById("restored");
if (!text.value && draft.restore()) {
  restored.hidden = false;
  // What is pasted next replaces the draft instead of ending up inside it.
  text.addEventListener("click", () => text.select(), { once: true });
  text.addEventListener("input", () => { restored.hidden = true; }, { once: true });
}
showTasks();
offerLink();
// The start page shows the puzzle of the grid, with its verdict.
addEventListener("hashchange", () => { if (!isDrawing()) look(); });
document.getElementById("discard").addEventListener("click", () => {
  draft.clear();
  form.reset();
  location.reload();
});

// The whole page accepts files: otherwise the browser opens a file that misses the field.
let depth = 0;

addEventListener("dragenter", () => drop.classList.toggle("over", ++depth > 0));
addEventListener("dragleave", () => drop.classList.toggle("over", --depth > 0));
addEventListener("dragover", (event) => {
  if (event.target !== text) event.preventDefault();
});
addEventListener("drop", (event) => {
  depth = 0;
  drop.classList.remove("over");
  const { files } = event.dataTransfer;
  if (!files.length && event.target === text) return;
  event.preventDefault();
  if (files.length > 1) {
    refuse({ detail: `You dropped ${files.length} files. Drop one file at a time, or pack them into a .zip file.` });
  } else if (files.length) {
    problem.hidden = true;
    file.files = files;
    choose();
    submit.focus();
  } else {
    text.value = event.dataTransfer.getData("text");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }
});
