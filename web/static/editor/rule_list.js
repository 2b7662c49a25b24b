// An entry in the editor's list of rules. `select` and `remove` are called by its buttons.
export function ruleItem(rule, { words, fault, select, remove }) {
  const button = (text, action, label) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "quiet";
    made.textContent = text;
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", action);
    return made;
  };
  const item = document.createElement("li");
  item.classList.toggle("faulty", Boolean(fault));
  const where = rule.cells ? ` at ${rule.cells.length > 4 ? `${rule.cells[0]} to ${rule.cells.at(-1)}` : rule.cells.join(", ")}` : "";
  item.append(rule.cells ? button(`${words}${where}`, select, `Select the cells of ${words}${where}`) : `${words} `, button("Remove", remove));
  if (fault) {
    const detail = document.createElement("small");
    detail.className = "fault";
    detail.textContent = fault;
    item.append(detail);
  }
  return item;
}
