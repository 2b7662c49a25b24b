// Follows a job until it is final: with Server-Sent Events, or by polling where these are blocked.
import { load } from "./freshness.js";

const SILENCE = 5_000; // ms until the first event; without one, something blocks them
const CHECK = 10_000; // ms without an event, until a request shows that the server still responds
const PAUSE = 700; // ms between two polls
const AWAY = 3_000; // ms until a server that didn't respond is asked again
const WAIT = 20; // s that a poll waits for a change
const FINAL = ["finished", "cancelled", "failed"];

export const isFinal = (job) => FINAL.includes(job.state);

const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

// `changed` gets the job each time, `alive` is called when nothing has changed, and `lost` gets the
// reason why the server's answer is missing.
export function follow({ api, events, changed, alive, lost }) {
  const source = new EventSource(events);
  let heard = 0; // events
  let isChecking = false;
  let timer = setTimeout(giveUp, SILENCE);

  function giveUp() {
    stop();
    poll({ api, changed, alive, lost });
  }

  function stop() {
    clearTimeout(timer);
    source.close();
  }

  // Events are sent only when the job changes: ask whether silence means that nothing happens.
  async function check() {
    if (isChecking) return;
    isChecking = true;
    clearTimeout(timer);
    const before = heard;
    const { text, reason } = await load(api);
    isChecking = false;
    if (heard !== before || source.readyState === EventSource.CLOSED) return;
    timer = setTimeout(check, CHECK);
    if (reason) lost(reason);
    else take(JSON.parse(text));
  }

  function take(job) {
    if (isFinal(job)) stop();
    changed(job);
  }

  source.onmessage = ({ data }) => {
    heard += 1;
    clearTimeout(timer);
    timer = setTimeout(check, CHECK);
    take(JSON.parse(data));
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
    await sleep(reason ? AWAY : PAUSE);
  }
}
