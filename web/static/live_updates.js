// Follows a job until it is final: with Server-Sent Events, or by polling if these are blocked.
import { load } from "./freshness.js";

const FIRST_EVENT = 5_000; // ms until the first event, after which events count as blocked
const CHECK = 10_000; // ms without an event, until a request shows that the server still responds
const PAUSE = 700; // ms between two polls
const RETRY = 3_000; // ms before a retry if the server didn't respond
const WAIT = 20; // seconds that the server holds a poll until the job changes
const FINAL = ["finished", "cancelled", "failed"];

export const isFinal = (job) => FINAL.includes(job.state);

const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

// `changed` gets the job after each change, `alive` is called if nothing has changed, and `lost`
// gets the reason if the server doesn't respond.
export function follow({ api, events, changed, alive, lost }) {
  const source = new EventSource(events);
  let received = 0; // events
  let isChecking = false;
  let timer = setTimeout(giveUp, FIRST_EVENT);

  function giveUp() {
    stop();
    poll({ api, changed, alive, lost });
  }

  function stop() {
    clearTimeout(timer);
    source.close();
  }

  // Events are sent only when the job changes. Check whether the server still responds.
  async function check() {
    if (isChecking) return;
    isChecking = true;
    clearTimeout(timer);
    const before = received;
    const { text, reason } = await load(api);
    isChecking = false;
    if (received !== before || source.readyState === EventSource.CLOSED) return;
    timer = setTimeout(check, CHECK);
    if (reason) lost(reason);
    else receive(JSON.parse(text));
  }

  function receive(job) {
    if (isFinal(job)) stop();
    changed(job);
  }

  source.onmessage = ({ data }) => {
    received += 1;
    clearTimeout(timer);
    timer = setTimeout(check, CHECK);
    receive(JSON.parse(data));
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) giveUp();
    else check();
  };
}

async function poll({ api, changed, alive, lost }) {
  let etag = null;
  for (;;) {
    const { status, headers, text, reason } = await load(`${api}?wait=${etag ? WAIT : 0}`, {
      headers: etag ? { "If-None-Match": etag } : {},
      timeout: (WAIT + 10) * 1_000,
    });
    if (reason) {
      lost(reason);
    } else if (status === 304) {
      alive();
    } else {
      etag = headers.get("ETag");
      const job = JSON.parse(text);
      changed(job);
      if (isFinal(job)) return;
    }
    await sleep(reason ? RETRY : PAUSE);
  }
}
