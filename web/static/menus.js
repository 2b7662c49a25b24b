// Menus close when the user clicks elsewhere, starts a download, or presses Escape.

document.addEventListener("click", ({ target }) => closeMenus(target.closest("a[download]") ? null : target));
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") closeMenus(null);
});

// Close the menus that don't contain the clicked element.
function closeMenus(clicked) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (clicked && menu.contains(clicked)) continue;
    if (!clicked && menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.open = false;
  }
}
