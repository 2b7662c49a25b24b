// Keeps the state, the bar and the counts of a running job up to date.
"use strict";

const job = document.getElementById("job");
const text = (id, value) => { document.getElementById(id).textContent = value; };
const number = (value) => value.toLocaleString("en-US");

function show(facts) {
  const state = document.getElementById("state");
  state.textContent = facts.state;
  state.className = `tag ${facts.state}`;
  text("done", number(facts.done));
  text("total", number(facts.total));
  text("speed", facts.puzzles_per_second ? `· ${number(Math.round(facts.puzzles_per_second))} a second` : "");
  text("eta", facts.eta_seconds ? `· about ${number(Math.ceil(facts.eta_seconds))} s left` : "");
  const bar = document.getElementById("bar");
  bar.max = Math.max(facts.total, 1);
  bar.value = facts.done;
  for (const [outcome, count] of Object.entries(facts.outcomes)) text(`count-${outcome}`, number(count));
}

async function follow() {
  let tag = "";
  for (;;) {
    let pause = 300;
    try {
      const headers = tag ? { "If-None-Match": tag } : {};
      const answer = await fetch(`${job.dataset.url}?wait=20`, { headers });
      if (answer.status === 404) { window.location.reload(); return; }
      if (answer.ok) {
        tag = answer.headers.get("ETag") || "";
        const facts = await answer.json();
        show(facts);
        if (["finished", "cancelled", "failed"].includes(facts.state)) { window.location.reload(); return; }
      } else if (answer.status !== 304) {
        pause = 3000;
      }
    } catch {
      pause = 3000;
    }
    await new Promise((resolve) => { setTimeout(resolve, pause); });
  }
}

follow();
