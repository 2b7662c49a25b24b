// The reader's choice between light and dark pages, kept in this browser. This script is loaded
// before the page is drawn, so that the page doesn't flash in the wrong colors. It also shows what
// needs scripts, so that nothing moves when the other scripts arrive.
{
  const KEY = "sudokuq-theme";
  const root = document.documentElement;

  root.classList.add("scripts");

  function choose(theme) {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  function chosen() {
    try {
      return localStorage.getItem(KEY) ?? "";
    } catch {
      return ""; // Storage is disabled: the system decides.
    }
  }

  function keep(theme) {
    try {
      if (theme) localStorage.setItem(KEY, theme);
      else localStorage.removeItem(KEY);
    } catch {
      // Storage is disabled: the choice lasts until the next page.
    }
  }

  choose(chosen());
  addEventListener("storage", ({ key }) => { if (key === KEY) choose(chosen()); });
  document.addEventListener("DOMContentLoaded", () => {
    const field = document.getElementById("theme");
    field.value = chosen();
    field.parentElement.hidden = false;
    field.addEventListener("change", () => {
      choose(field.value);
      keep(field.value);
    });
  });
}
