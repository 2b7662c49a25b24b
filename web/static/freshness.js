// For pages that update themselves: requests that always end, and a notice while the page is out
// of date.

const TIMEOUT = 10_000; // ms for a response
const GONE = [401, 403, 404]; // the page itself shows what happened

// Fetch a URL and return { status, headers, text }, or { reason } in words if that fails. Reload the
// page if it can't be shown any more.
export async function load(url, { timeout = TIMEOUT, ...options } = {}) {
  let answer;
  let text;
  try {
    answer = await fetch(url, { ...options, signal: AbortSignal.timeout(timeout) });
    text = await answer.text();
  } catch (error) {
    const isLate = error.name === "TimeoutError";
    return { reason: isLate ? `the server didn’t respond within ${timeout / 1000} s` : "the server can’t be reached" };
  }
  const { status, headers } = answer;
  if (GONE.includes(status)) {
    location.reload();
    return new Promise(() => {});
  }
  return answer.ok || status === 304 ? { status, headers, text } : { reason: `the server responded with status ${status}` };
}

const failures = new Map(); // by outdated part: since when, and why
const notice = document.createElement("p");
notice.className = "stale no-print";
notice.setAttribute("role", "status");
document.getElementById("main").prepend(notice);

// Return functions to report that a part of the page was updated, or why it couldn't be.
export function watchFreshness() {
  const part = {};
  let updatedAt = new Date();
  return {
    updated() {
      updatedAt = new Date();
      if (failures.delete(part)) show();
    },
    failed(reason) {
      failures.set(part, { updatedAt, reason });
      show();
    },
  };
}

function show() {
  const [oldest] = [...failures.values()].sort((one, other) => one.updatedAt - other.updatedAt);
  notice.textContent = oldest ? `Not updated since ${moment(oldest.updatedAt)}: ${oldest.reason}. Trying again.` : "";
}

function moment(date) {
  const time = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString("en", isToday ? time : { month: "short", day: "numeric", ...time });
}
