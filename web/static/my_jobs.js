// The list of jobs: its days are those of the user's time zone. The server's are in UTC.

const table = document.querySelector(".jobs");

if (table) groupByDay([...table.querySelectorAll("tbody tr:not(.day)")]);

// Replace the parts of the table by one per local day of the rows, which are in order.
function groupByDay(rows) {
  const heading = table.querySelector(".day");
  for (const part of table.tBodies) part.dataset.old = "";
  let shown = null;
  let part = null;
  for (const row of rows) {
    const day = new Date(row.querySelector("time").dateTime);
    if (day.toDateString() !== shown) {
      shown = day.toDateString();
      part = table.createTBody();
      part.append(heading.cloneNode(true));
      part.querySelector("th").textContent = nameOf(day);
    }
    part.append(row);
  }
  for (const old of table.querySelectorAll("[data-old]")) old.remove();
}

// Return the name of a day, such as "Today" or "Friday, Nov 27", with the year only if it isn't the current one.
function nameOf(day) {
  const now = new Date();
  if (day.toDateString() === now.toDateString()) return "Today";
  now.setDate(now.getDate() - 1);
  if (day.toDateString() === now.toDateString()) return "Yesterday";
  const year = day.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return day.toLocaleDateString("en", { weekday: "long", month: "short", day: "numeric", year });
}
