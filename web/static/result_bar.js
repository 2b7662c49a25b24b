// The bar above the results: a choice takes effect immediately, and the URL stays short.

export function resultBar() {
  document.addEventListener("change", ({ target }) => {
    const form = target.closest("#bar");
    if (form) apply(form);
  });
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "bar") return;
    event.preventDefault();
    apply(event.target);
  });
  document.addEventListener("click", ({ target }) => closeMenus(target));
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeMenus(null);
  });
}

function apply(form) {
  const given = [...new FormData(form)].filter(([, value]) => value.trim());
  const query = new URLSearchParams(given).toString();
  location.assign(query ? `${form.action}?${query}` : form.action);
}

// Close the menus that don't contain the clicked element.
function closeMenus(clicked) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (clicked && menu.contains(clicked)) continue;
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.open = false;
  }
}
