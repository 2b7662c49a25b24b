// The bar above the results: a choice takes effect immediately, and the URL stays short.

const PAUSE = 400; // ms without a key
const TYPED = "#by-search, #by-first";
const OUTDATED = ["results", "actions"]; // dimmed until they are drawn again

// `redraw` fetches the page of the current URL. What is typed takes effect while the field keeps the focus: if the
// page were loaded again when it loses the focus, a click on a menu would come too early, and be lost.
export function resultBar({ redraw }) {
  let timer = null;
  const show = (form) => {
    clearTimeout(timer);
    if (!form.reportValidity()) return;
    history.replaceState(null, "", addressOf(form));
    // The bar isn't drawn again while it has the focus.
    form.querySelector(".clear").classList.toggle("unused", filtersOf(form).every(([name]) => name === "view"));
    dim();
    redraw();
  };
  document.addEventListener("input", ({ target }) => {
    if (!target.matches(TYPED)) return;
    clearTimeout(timer);
    timer = setTimeout(() => show(target.form), PAUSE);
    dim();
  });
  document.addEventListener("change", ({ target }) => {
    const form = target.closest("#bar");
    if (form && target.matches(TYPED)) show(form);
    else if (form) location.assign(addressOf(form));
  });
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "bar") return;
    event.preventDefault();
    show(event.target);
  });
}

function dim() {
  for (const id of OUTDATED) document.getElementById(id)?.setAttribute("aria-busy", "true");
}

const filtersOf = (form) => [...new FormData(form)].filter(([, value]) => value.trim());

function addressOf(form) {
  const query = new URLSearchParams(filtersOf(form)).toString();
  return query ? `${form.action}?${query}` : form.action;
}
