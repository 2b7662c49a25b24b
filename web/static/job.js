// The job page while the job runs: waits for changes, then takes over what the server renders.
"use strict";

const LIVE = ["state", "progress", "actions", "outcomes", "results", "paging"];
const PAUSE = 700; // ms between two renderings
const QUIET = 10_000; // ms between two announcements to a screen reader

const api = document.getElementById("progress").dataset.api;
const said = document.getElementById("said");
let spokenAt = 0;

const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

// Replaces what differs and leaves the focus where it was, as far as that still exists.
function take(page) {
  for (const id of LIVE) {
    const before = document.getElementById(id);
    const after = page.getElementById(id);
    if (!before || !after || before.isEqualNode(after)) continue;
    if (id === "paging" && before.contains(document.activeElement)) continue;
    const focused = before.contains(document.activeElement) && document.activeElement;
    const href = focused && focused.getAttribute("href");
    before.replaceWith(after);
    if (href) after.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
  }
  document.title = page.title;
}

function speak(final) {
  if (!final && Date.now() - spokenAt < QUIET) return;
  spokenAt = Date.now();
  const state = document.getElementById("state").textContent;
  said.textContent = `${state}: ${document.querySelector("#progress label").textContent}`;
}

async function follow() {
  let etag = null;
  for (;;) {
    try {
      const answer = await fetch(`${api}?wait=${etag ? 20 : 0}`, { headers: etag ? { "If-None-Match": etag } : {} });
      if ([401, 403, 404].includes(answer.status)) return location.reload();
      etag = answer.headers.get("ETag");
      if (answer.status !== 304) {
        const page = await fetch(location.href);
        if (page.ok) take(new DOMParser().parseFromString(await page.text(), "text/html"));
        const final = document.getElementById("progress").dataset.final === "yes";
        speak(final);
        if (final) return undefined;
      }
    } catch {
      said.textContent = "The service does not answer; trying again.";
      await sleep(3_000);
    }
    await sleep(PAUSE);
  }
}

follow();
