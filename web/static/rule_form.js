// The form of the editor that describes a rule for the selected cells.

const byId = (id) => document.getElementById(id);

const FAULTS = {
  number: "a whole number",
  numbers: "whole numbers, separated by spaces",
  text: "text",
  json: "a JSON list of options, each a list of rules",
};

function read(kind, typed) {
  if (kind === "text") return typed || null;
  if (kind === "json") {
    try {
      const read = JSON.parse(typed);
      return Array.isArray(read) ? read : null;
    } catch {
      return null;
    }
  }
  const words = typed.split(/[\s,;]+/).filter(Boolean);
  if (!words.length || !words.every((word) => /^-?\d+$/.test(word))) return null;
  if (kind === "numbers") return words.map(Number);
  return words.length === 1 ? Number(words[0]) : null;
}

// `add` gets each complete rule. Return a function that shows the field of the selected rule.
export function makeRuleForm({ cells, add }) {
  const select = byId("rule");
  const field = byId("number");

  function refuse(fault) {
    byId("rule-fault").textContent = fault;
    if (fault) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }

  function show() {
    const { key, kind, description, example } = select.selectedOptions[0].dataset;
    field.hidden = !key;
    field.rows = kind === "json" ? 5 : 1;
    field.classList.toggle("long", kind === "text" || kind === "json");
    field.setAttribute("aria-label", key || "Number");
    field.placeholder = kind === "text" || kind === "json" ? `${key}, e.g. ${example}` : key;
    byId("rule-hint").textContent = description;
  }

  function describe() {
    const { key, kind, required } = select.selectedOptions[0].dataset;
    const typed = field.value.trim();
    const rule = { type: select.value };
    if (kind !== "json") rule.cells = cells();
    if (rule.cells?.length === 0) return refuse("Select the cells first.");
    if (key && (typed || required)) {
      rule[key] = read(kind, typed);
      if (rule[key] === null) return refuse(`${key} must be ${FAULTS[kind]}.`);
    }
    refuse("");
    return rule;
  }

  byId("add").addEventListener("click", () => {
    const rule = describe();
    if (!rule) return field.hidden || field.focus();
    if (add(rule)) field.value = "";
    return undefined;
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    byId("add").click();
  });
  field.addEventListener("input", () => refuse(""));
  select.addEventListener("change", () => {
    field.value = "";
    refuse("");
    show();
  });
  show();
}

// Describe a rule for the list of added rules.
export function inWords({ type, cells = [], ...others }) {
  const isPlain = (value) => [value].flat().every((part) => typeof part !== "object");
  const values = Object.values(others).map((value) => (isPlain(value) ? [value].flat().join(" ") : JSON.stringify(value)));
  const option = byId("rule").querySelector(`[value="${type}"]`);
  return [option.textContent, ...values, ...cells].join(" ");
}
