// Times in the user's time zone, with the year only if it isn't the current one. Without scripts, pages show UTC.

const TIME = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const DATE = { month: "short", day: "numeric" };

// Show the times in an element as local ones, with UTC as the tooltip.
export function localTimes(root) {
  for (const element of root.querySelectorAll("time[datetime]")) {
    const date = new Date(element.getAttribute("datetime"));
    element.title ||= element.textContent;
    const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
    element.textContent = date.toLocaleString("en", "withoutDate" in element.dataset ? TIME : { year, ...DATE, ...TIME });
  }
}

localTimes(document);
