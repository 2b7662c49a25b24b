// Follows a job until it is final: by Server-Sent Events, by polling where these do not pass.

const SILENCE = 5_000; // ms until the first event, then something between holds them back
const PAUSE = 700; // ms between two polls
const AWAY = 3_000; // ms until a service that did not answer is asked again
const FINAL = ["finished", "cancelled", "failed"];

export const isFinal = (job) => FINAL.includes(job.state);

const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

// `changed` gets the job each time, `lost` is called when the service does not answer.
export function follow({ api, events, changed, lost }) {
  const source = new EventSource(events);
  const giveUp = () => {
    source.close();
    poll({ api, changed, lost });
  };
  let silence = setTimeout(giveUp, SILENCE);
  source.onmessage = ({ data }) => {
    clearTimeout(silence);
    const job = JSON.parse(data);
    if (isFinal(job)) source.close();
    changed(job);
  };
  source.onerror = () => {
    clearTimeout(silence);
    if (source.readyState === EventSource.CLOSED) {
      giveUp();
    } else {
      lost();
      silence = setTimeout(giveUp, SILENCE);
    }
  };
}

async function poll({ api, changed, lost }) {
  let etag = null;
  for (;;) {
    try {
      const answer = await fetch(`${api}?wait=${etag ? 20 : 0}`, { headers: etag ? { "If-None-Match": etag } : {} });
      if ([401, 403, 404].includes(answer.status)) return location.reload();
      if (!answer.ok && answer.status !== 304) throw new Error(answer.status);
      etag = answer.headers.get("ETag");
      if (answer.status !== 304) {
        const job = await answer.json();
        changed(job);
        if (isFinal(job)) return undefined;
      }
    } catch {
      lost();
      await sleep(AWAY);
    }
    await sleep(PAUSE);
  }
}
