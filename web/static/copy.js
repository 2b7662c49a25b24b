// Buttons that copy a text: their own, or that of the element they name.

const labels = new WeakMap(); // of the buttons

export function copyButtons(root = document) {
  for (const button of root.querySelectorAll("[data-copy], [data-copy-from]")) {
    button.addEventListener("click", () => {
      const source = document.getElementById(button.dataset.copyFrom);
      copy(button, button.dataset.copy ?? source.value ?? source.textContent);
    });
  }
}

// Copy a text, which may be a promise, and show on the button for a moment that it was copied.
export async function copy(button, text) {
  if (!labels.has(button)) labels.set(button, [...button.childNodes]);
  try {
    await write(text);
    button.textContent = "Copied";
  } catch {
    window.prompt("Copy this text:", await text); // no secure connection, or not allowed
  }
  setTimeout(() => button.replaceChildren(...labels.get(button)), 2_000);
}

// Safari allows copying a promised text only as an item.
function write(text) {
  if (typeof text === "string") return navigator.clipboard.writeText(text);
  const promised = text.then((words) => new Blob([words], { type: "text/plain" }));
  return navigator.clipboard.write([new ClipboardItem({ "text/plain": promised })]);
}
