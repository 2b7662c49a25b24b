// Buttons that copy a text: their own, or that of the element they name.

export function copyButtons(root = document) {
  for (const button of root.querySelectorAll("[data-copy], [data-copy-from]")) {
    const label = [...button.childNodes];
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copyFrom);
      const text = button.dataset.copy ?? source.value ?? source.textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        window.prompt("Copy this text:", text); // no secure connection, or not allowed
      }
      setTimeout(() => button.replaceChildren(...label), 2_000);
    });
  }
}
