// Refreshes the marked parts of a page: in place, or by reloading the page once it has more to
// show. What is open stays open then. While that fails, the page shows that it is out of date.
import { load, watchFreshness } from "./freshness.js";
import { localTimes } from "./times.js";

const LEAVING = 10_000; // ms after the start of a navigation in which the page isn't reloaded
let leftAt = -LEAVING;
// A reload would cancel a navigation that has just begun, such as after a click on a link.
addEventListener("beforeunload", () => { leftAt = performance.now(); });

for (const part of document.querySelectorAll("[data-again], [data-reload]")) {
  const name = "reload" in part.dataset ? "reload" : "again";
  const { updated, failed } = watchFreshness();
  let timer = null;

  async function refresh() {
    const { text, reason } = await load(location.href);
    if (performance.now() - leftAt < LEAVING) return wait();
    if (reason) {
      failed(reason);
    } else {
      const later = new DOMParser().parseFromString(text, "text/html").querySelector(`[data-${name}]`);
      if (!later) {
        history.replaceState({ open: [...document.querySelectorAll("details[id][open]")].map(({ id }) => id) }, "");
        return location.reload();
      }
      localTimes(later);
      if (name === "again") {
        for (const { id } of part.querySelectorAll("details[id][open]")) later.querySelector(`#${id}`)?.setAttribute("open", "");
        part.replaceChildren(...later.childNodes);
      }
      updated();
    }
    return wait();
  }

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(() => { if (!document.hidden) refresh(); }, Number(part.dataset[name]));
  }

  // A hidden page pauses, and refreshes as soon as it is visible again.
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  wait();
}
