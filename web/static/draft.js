// Keeps an unfinished form in this browser, so that it survives a reload.

const KEY = "sudokuq-draft";
const MOST = 500_000; // characters of a draft; browsers store a few million in total
const PAUSE = 300; // ms without a change

// `state` returns the contents of the grid, and `show` restores them.
export function makeDraft({ form, state, show }) {
  let timer = null;
  let isTouched = false; // by the user, unlike a puzzle that the URL named
  let isEnded = false; // by a job, so that a late preview doesn't save the text again

  const text = form.elements.namedItem("text");
  const fields = () => [...form.elements].filter((field) => field.name && field.type !== "file" && field.type !== "hidden" && !("unsaved" in field.dataset));
  const isTick = (field) => field.type === "checkbox";

  function isChanged(field) {
    if (isTick(field)) return field.checked !== field.defaultChecked;
    if (field.tagName === "SELECT") return !field.selectedOptions[0]?.defaultSelected && field.selectedIndex > 0;
    return field.tagName === "INPUT" && field.value !== field.defaultValue;
  }

  function open(field) {
    for (let section = field.closest("details"); section; section = section.parentElement.closest("details")) section.open = true;
  }

  function save() {
    clearTimeout(timer);
    timer = null;
    const values = fields().map((field) => [field.name, isTick(field) ? `${field.value} ${field.checked}` : field.value]);
    const draft = JSON.stringify({ values, grid: state() });
    try {
      if (text.value.trim() && draft.length <= MOST) {
        localStorage.setItem(KEY, draft);
        // A reload restores the draft, and not again the puzzle that the URL named.
        if (text.value !== text.defaultValue && location.search) history.replaceState(null, "", location.pathname + location.hash);
      } else {
        localStorage.removeItem(KEY);
      }
    } catch {
      // Storage is full or disabled: the draft isn't kept.
    }
  }

  function read() {
    try {
      return JSON.parse(localStorage.getItem(KEY));
    } catch {
      return null;
    }
  }

  addEventListener("pagehide", () => { if (timer) save(); });
  addEventListener("pageshow", () => { isEnded = false; });

  return {
    changed() {
      isTouched ||= text.value !== text.defaultValue || fields().some(isChanged);
      if (isEnded || !isTouched) return;
      clearTimeout(timer);
      timer = setTimeout(save, PAUSE);
    },
    // Fill the form with the draft and return whether there is one.
    restore() {
      const draft = read();
      if (!draft) return false;
      const waiting = [...draft.values];
      for (const field of fields()) {
        const place = waiting.findIndex(([name, value]) => name === field.name && (!isTick(field) || value.startsWith(`${field.value} `)));
        if (place < 0) continue;
        const [[, value]] = waiting.splice(place, 1);
        if (isTick(field)) field.checked = value.endsWith(" true");
        else field.value = value;
        if (isChanged(field)) open(field);
      }
      show(draft.grid);
      return true;
    },
    clear() {
      isEnded = true;
      clearTimeout(timer);
      timer = null;
      try {
        localStorage.removeItem(KEY);
      } catch {
        // There is no draft.
      }
    },
  };
}
