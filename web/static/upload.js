// Drag and drop, and a bar while a large upload is under way. Without this the form works too.
"use strict";

const form = document.getElementById("upload");
const drop = document.getElementById("drop");
const file = document.getElementById("file");
const bar = document.getElementById("progress");
const problem = document.getElementById("problem");

for (const kind of ["dragenter", "dragover"]) {
  drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
}
for (const kind of ["dragleave", "drop"]) {
  drop.addEventListener(kind, () => drop.classList.remove("over"));
}
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) file.files = event.dataTransfer.files;
});

function refuse(text) {
  bar.hidden = true;
  problem.textContent = text;
  problem.hidden = false;
  problem.scrollIntoView({ block: "nearest" });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  problem.hidden = true;
  const request = new XMLHttpRequest();
  request.open("POST", "/api/v1/jobs");
  request.responseType = "json";
  request.upload.addEventListener("progress", (step) => {
    bar.hidden = false;
    if (step.lengthComputable) { bar.max = step.total; bar.value = step.loaded; }
  });
  request.addEventListener("error", () => refuse("The server did not answer. Try again."));
  request.addEventListener("load", () => {
    const answer = request.response || {};
    if (request.status === 202) {
      window.location.assign(new URL(answer.links.page).pathname);
      return;
    }
    const place = answer.line ? `Line ${answer.line}${answer.column ? `, column ${answer.column}` : ""}: ` : "";
    refuse(`Not taken. ${place}${answer.detail || request.statusText}`);
  });
  request.send(new FormData(form));
});
