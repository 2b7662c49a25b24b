// Times in the user's time zone, with the year only if it isn't the current one. Without scripts, pages show UTC.

const FORMAT = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

// Show the times in an element as local ones, with UTC as the tooltip.
export function localTimes(root) {
  for (const element of root.querySelectorAll("time[datetime]")) {
    const date = new Date(element.getAttribute("datetime"));
    element.title ||= element.textContent;
    const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
    element.textContent = date.toLocaleString("en", { year, ...FORMAT });
  }
}

localTimes(document);
