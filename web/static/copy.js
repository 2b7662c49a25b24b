// Buttons that copy a text: their own, or that of the field they name.

export function copyButtons() {
  for (const button of document.querySelectorAll("[data-copy], [data-copy-from]")) {
    const label = button.textContent;
    button.addEventListener("click", async () => {
      const text = button.dataset.copy ?? document.getElementById(button.dataset.copyFrom).value;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        window.prompt("Copy this text:", text); // no secure connection, or not allowed
      }
      setTimeout(() => { button.textContent = label; }, 2_000);
    });
  }
}
