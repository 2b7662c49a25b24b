// The page that makes a book: keeps its preview up to date, and shows that the server is making it, or why it can't be made.
const form = document.getElementById("options");
const button = document.getElementById("download");
const making = document.getElementById("making");
const refused = document.getElementById("refused");

function say(text, busy) {
  making.hidden = false;
  making.querySelector("progress").hidden = !busy;
  making.querySelector("span").textContent = text;
}

function refuse(reason) {
  making.hidden = true;
  refused.hidden = false;
  refused.querySelector("p").textContent = reason;
}

function save(blob, name) {
  const file = document.createElement("a");
  file.href = URL.createObjectURL(blob);
  file.download = name;
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
}

async function make() {
  const response = await fetch(`${button.formAction}?${new URLSearchParams(new FormData(form))}`);
  // The options don't fit together. The page explains why.
  if (response.headers.get("Content-Type").startsWith("text/html")) return location.assign(response.url);
  if (!response.ok) return refuse((await response.json()).detail);
  const book = await response.blob();
  const [, name] = response.headers.get("Content-Disposition").match(/filename="(.+)"/);
  save(book, name);
  return say(`${name} has ${(book.size / 1e6).toFixed(1)} MB.`, false);
}

// Without a preview, the server has a reason that it shows next to the form.
const preview = document.getElementById("preview");
if (preview) previewChanges(preview.querySelector("img"));

function previewChanges(picture) {
  document.getElementById("update").hidden = true;
  form.addEventListener("change", () => {
    const query = new URLSearchParams(new FormData(form));
    history.replaceState(null, "", `?${query}`); // so that the options survive a reload
    preview.ariaBusy = "true";
    picture.src = `${preview.dataset.preview}?${query}`;
  });
  picture.addEventListener("load", () => {
    preview.ariaBusy = null;
    refused.hidden = true;
  });
  picture.addEventListener("error", async () => {
    preview.ariaBusy = null;
    const response = await fetch(picture.src).catch(() => null);
    if (response?.status === 422) location.reload(); // the page explains why the options don't fit together
    else refuse("The preview wasn’t loaded. Check that the service is running.");
  });
}

form.addEventListener("submit", async (event) => {
  if (event.submitter !== button) return;
  event.preventDefault();
  if (button.ariaDisabled) return;
  button.ariaDisabled = "true";
  refused.hidden = true;
  const started = Date.now();
  const show = () => say(`Making the book: ${Math.round((Date.now() - started) / 1000)} s`, true);
  show();
  const timer = setInterval(show, 1000);
  try {
    await make();
  } catch {
    refuse("The download was interrupted. Check that the service is running, and try again.");
  } finally {
    clearInterval(timer);
    button.ariaDisabled = null;
  }
});
