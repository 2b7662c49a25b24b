// The editor as a view of its own. CSS shows it instead of the start page while the URL ends with #editor,
// so links, bookmarks, and the browser's Back button lead to it and from it.

const grid = document.getElementById("grid");
const startTitle = document.title;

export const isDrawing = () => location.hash === "#editor";

export function showStart() {
  if (isDrawing()) location.hash = "start";
}

// Call `shown` whenever the view changes, and now if it is the editor.
export function watchView(shown) {
  const begin = () => {
    scrollTo(0, 0);
    grid.focus({ preventScroll: true });
  };
  const show = () => {
    document.title = isDrawing() ? startTitle.replace(/^[^–]*/, "Grid editor ") : startTitle;
    if (isDrawing()) begin();
    shown();
  };
  addEventListener("hashchange", show);
  if (!isDrawing()) return;
  show();
  // The browser takes the focus away when it has loaded the page and looks for the target of the URL.
  addEventListener("load", () => setTimeout(() => { if (document.activeElement === document.body) begin(); }));
}

// The skip link of the page leads to the grid, because another hash would leave the editor.
document.querySelector(".skip").addEventListener("click", (event) => {
  if (!isDrawing()) return;
  event.preventDefault();
  grid.focus();
});
