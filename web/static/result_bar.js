// The bar above the results: a choice takes effect immediately, and the URL stays short.

const PAUSE = 400; // ms without a key
const TYPED = "#by-search, #by-first";
const OUTDATED = ["results", "actions"]; // dimmed until they are drawn again

// `redraw` fetches the page of the current URL. What is typed takes effect while the field keeps the focus: if the
// page were loaded again when it loses the focus, a click on a menu would come too early, and be lost. Back leads to
// the results before the field was typed in, not through each of its values.
export function resultBar({ redraw }) {
  let timer = null;
  let field = null; // that has an entry of its own in the history
  let shown = currentPage();
  const draw = (form) => {
    shown = currentPage();
    // The bar isn't drawn again while it has the focus.
    form.querySelector(".clear").classList.toggle("unused", filtersOf(form).every(([name]) => name === "view"));
    dim();
    redraw();
  };
  const show = (form, typed) => {
    clearTimeout(timer);
    if (!form.reportValidity()) return;
    const address = addressOf(form);
    if (address === shown) return draw(form);
    history[typed === field ? "replaceState" : "pushState"](null, "", address);
    field = typed;
    draw(form);
  };
  document.addEventListener("input", ({ target }) => {
    if (!target.matches(TYPED)) return;
    clearTimeout(timer);
    timer = setTimeout(() => show(target.form, target.name), PAUSE);
    dim();
  });
  document.addEventListener("change", ({ target }) => {
    const form = target.closest("#bar");
    if (form && target.matches(TYPED)) show(form, target.name);
    else if (form) location.assign(addressOf(form));
    if (form) field = null;
  });
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "bar") return;
    event.preventDefault();
    show(event.target, document.activeElement.name);
    field = null;
  });
  addEventListener("popstate", () => {
    if (currentPage() === shown) return; // only the fragment differs
    clearTimeout(timer);
    field = null;
    const query = new URLSearchParams(location.search);
    for (const input of document.querySelectorAll(TYPED)) input.value = query.get(input.name) ?? "";
    draw(document.getElementById("bar"));
  });
}

const currentPage = () => location.href.split("#")[0];

function dim() {
  for (const id of OUTDATED) document.getElementById(id)?.setAttribute("aria-busy", "true");
}

const filtersOf = (form) => [...new FormData(form)].filter(([, value]) => value.trim());

function addressOf(form) {
  const query = new URLSearchParams(filtersOf(form)).toString();
  return query ? `${form.action}?${query}` : form.action;
}
