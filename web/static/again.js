// Parts of a page that are looked at again: replaced in place, or by loading the page anew once
// it has more to show.
for (const part of document.querySelectorAll("[data-again], [data-reload]")) {
  const reloads = "reload" in part.dataset;
  setInterval(async () => {
    if (document.hidden) return;
    const answer = await fetch(location.href).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const later = page.querySelector(reloads ? "[data-reload]" : "[data-again]");
    if (reloads && !later) location.reload();
    if (!reloads && later) part.replaceChildren(...later.childNodes);
  }, Number(part.dataset.again ?? part.dataset.reload));
}
