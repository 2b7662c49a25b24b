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
}

function apply(form) {
  const given = [...new FormData(form)].filter(([, value]) => value.trim());
  const query = new URLSearchParams(given).toString();
  location.assign(query ? `${form.action}?${query}` : form.action);
}
