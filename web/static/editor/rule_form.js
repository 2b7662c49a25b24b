// The form of the editor that describes a rule for the selected cells or for the whole grid.
import { hasSameCells } from "./model.js";

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
      const value = JSON.parse(typed);
      return Array.isArray(value) ? value : null;
    } catch {
      return null;
    }
  }
  const words = typed.split(/[\s,;]+/).filter(Boolean);
  if (!words.length || !words.every((word) => /^-?\d+$/.test(word))) return null;
  if (kind === "numbers") return words.map(Number);
  return words.length === 1 ? Number(words[0]) : null;
}

const isLong = (kind) => kind === "text" || kind === "json";

// `rules` returns the rules of the puzzle. `add` gets each complete rule and the rule that it replaces, if any, and
// `changed` is called when another rule is chosen.
export function makeRuleForm({ url, cells, rules, add, changed }) {
  const field = byId("number");
  let chosen = null; // the radio button of the rule
  let shown = null; // the rule of the puzzle that the form shows
  let isShown = false; // whether the parameter is still that rule's
  const titles = new Map();

  function refuse(fault) {
    byId("rule-fault").textContent = fault;
    if (fault) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }

  function show() {
    const { key, kind, label, description, example, usual } = chosen.dataset;
    byId("chosen-rule").hidden = false;
    byId("rule-name").textContent = titles.get(chosen.value);
    byId("number-field").hidden = !key;
    field.rows = kind === "json" ? 4 : 1;
    field.inputMode = kind === "number" ? "numeric" : "text";
    field.classList.toggle("long", isLong(kind));
    field.classList.toggle("several-lines", kind === "json");
    byId("number-label").textContent = label;
    field.placeholder = example ? `e.g. ${example}` : "";
    field.value = usual;
    [shown, isShown] = [null, false];
    byId("rule-hint").textContent = description;
    refuse("");
    showCells();
  }

  // The rule of the chosen kind with the selected cells, or null. The ends of a line can be swapped, unlike those of a
  // line with a clue outside the grid. Cells can have several rules with a text, such as two regular expressions.
  function existing() {
    const { group, kind, ordered } = chosen.dataset;
    if (isLong(kind)) return null;
    const order = group === "outside" ? "fixed" : ordered ? "reversible" : "any";
    return rules().find((rule) => rule.type === chosen.value && rule.cells?.length && hasSameCells(rule.cells, cells(), order)) ?? null;
  }

  // Show the parameter of the rule that the selected cells have.
  function showExisting() {
    const found = existing();
    if (found === shown) return;
    shown = found;
    isShown = shown !== null;
    field.value = [shown?.[chosen.dataset.key] ?? chosen.dataset.usual].flat().join(" ");
    refuse("");
  }

  // Lines whose parameter isn't needed are added as soon as they are drawn.
  const isDrawn = () => "line" in chosen.dataset && !("required" in chosen.dataset);
  const isTyped = () => chosen?.dataset.kind === "number";

  function howToAdd() {
    const { group, label } = chosen.dataset;
    const count = cells().length;
    const button = shown ? "Change" : "Add";
    if (group === "whole") return "This rule needs no cells.";
    if (group === "outside") return "Choose a place outside the grid, or select the cells in order.";
    if (isDrawn()) return "Draw it in the grid, or select its cells in order and add it.";
    if (isTyped() && count > 1) return `${count} cells are selected. Type the ${label.toLowerCase()}, and press Enter or ${button}.`;
    const where = "ordered" in chosen.dataset ? "Select the cells in order" : "Select the cells";
    const parts = [where, isTyped() ? `type the ${label.toLowerCase()}` : "", `and press Enter or ${button}.`];
    return parts.filter(Boolean).join(", ").replace(`${where}, and`, `${where} and`);
  }

  // What the button adds or changes, such as a cage of 2 cells.
  function whatIsAdded() {
    const { group, kind: typed } = chosen.dataset;
    const verb = shown ? "Change" : "Add";
    if (group === "outside") return `${verb} clue`;
    if (group === "whole" || typed === "json") return "Add rule";
    const count = cells().length;
    if (!count) return "Add";
    const kind = "line" in chosen.dataset ? "line of" : titles.get(chosen.value).endsWith("cage") ? "cage of" : "rule for";
    return `${verb} ${kind} ${count} ${count === 1 ? "cell" : "cells"}`;
  }

  function showCells() {
    showExisting();
    const fault = faultInCells();
    byId("rule-cells").textContent = fault && cells().length ? `${howToAdd()} ${fault}` : howToAdd();
    byId("add").textContent = whatIsAdded();
    byId("add").setAttribute("aria-disabled", Boolean(fault));
  }

  // Why the rule doesn't fit the number of selected cells, or "".
  function faultInCells() {
    const { kind, group, least, most } = chosen.dataset;
    if (group === "whole" || kind === "json") return "";
    const count = cells().length;
    if (count >= Number(least) && count <= Number(most)) return "";
    const needed = least === most ? least : count > Number(most) ? `at most ${most}` : `${least} or more`;
    return count ? `Select ${needed} cells: ${count} ${count === 1 ? "is" : "are"} selected.` : "Select the cells first.";
  }

  // The error in the typed parameter, or "" if it fits the rule.
  function faultInField() {
    const { key, kind, label, required } = chosen.dataset;
    const typed = field.value.trim();
    if (!key || (!typed && !required)) return "";
    return read(kind, typed) === null ? `${label} must be ${FAULTS[kind]}.` : "";
  }

  function describe() {
    const { key, kind, group } = chosen.dataset;
    if (group === "whole") return { variant: chosen.value };
    const rule = { type: chosen.value };
    if (kind !== "json") rule.cells = cells();
    const fault = faultInCells() || faultInField();
    if (fault) return refuse(fault);
    const typed = field.value.trim();
    if (key && typed) rule[key] = read(kind, typed);
    refuse("");
    return rule;
  }

  function submit() {
    const rule = chosen && describe();
    if (rule && add(rule, existing())) field.value = chosen.dataset.usual;
    else if (chosen?.dataset.key && faultInField()) field.focus();
  }

  // Show only the rules whose names contain all words of the search.
  function search() {
    const words = byId("rule-search").value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const group of byId("rule-list").querySelectorAll("fieldset")) {
      let any = false;
      for (const label of group.querySelectorAll("label")) {
        label.hidden = !words.every((word) => label.dataset.words.includes(word));
        any ||= !label.hidden;
        found += !label.hidden;
      }
      group.hidden = !any;
    }
    if (chosen?.closest("label").hidden) bestMatch(words)?.click();
    byId("rule-count").textContent = words.length && chosen ? `${found} ${found === 1 ? "rule" : "rules"} found` : "";
  }

  // A rule with a name that begins with the first word, else the most common rule, else the first.
  function bestMatch([word]) {
    const found = [...byId("rule-list").querySelectorAll("fieldset:not([hidden]) label:not([hidden])")];
    const best = found.find((label) => label.textContent.trim().toLowerCase().startsWith(word));
    const inputs = found.map((label) => label.querySelector("input"));
    return best?.querySelector("input") ?? inputs.find((input) => input.defaultChecked) ?? inputs[0];
  }

  function take(html) {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    byId("rule-list").replaceChildren(...[...parsed.body.children].map((each) => document.importNode(each, true)));
    for (const radio of byId("rule-list").querySelectorAll("input")) {
      titles.set(radio.value, radio.dataset.title);
      if (radio.checked) chosen = radio;
    }
    show();
    search();
    reveal();
  }

  // Scroll the list, but not the page, to the chosen rule.
  function reveal() {
    const list = byId("rule-list");
    const entry = chosen?.closest("label");
    if (!entry?.offsetParent) return;
    const [inner, outer] = [entry.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollBy(inner.left - outer.left - list.clientWidth / 3, inner.top - outer.top - list.clientHeight / 3);
  }

  const load = () => fetch(url).then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.statusText)))).then(take).then(changed).catch(() => {
    byId("rule-list").replaceChildren();
    byId("rule-count").textContent = "The rules can’t be loaded. Reload the page.";
  });

  byId("rule-list").addEventListener("change", ({ target }) => {
    chosen = target;
    show();
    changed();
  });
  byId("rule-search").addEventListener("input", search);
  byId("rule-search").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const shown = chosen?.closest("label").hidden ? null : chosen;
    shown?.click();
    shown?.focus();
  });
  byId("add").addEventListener("click", submit);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    submit();
  });
  field.addEventListener("input", () => {
    isShown = false;
    refuse(faultInField());
  });

  return {
    load,
    reveal,
    submit,
    isLine: () => "line" in (chosen?.dataset ?? {}),
    // Add the line that was drawn with the mouse, if it needs nothing else.
    drew() {
      if (chosen && isDrawn() && cells().length >= Math.max(Number(chosen.dataset.least), 2)) submit();
    },
    isTyped,
    // Say what to do next after other cells were selected, or after the puzzle changed.
    selected() { if (chosen) showCells(); },
    // Add a digit that was typed in the grid to the parameter, or remove the last one for "". The first digit replaces
    // the parameter of an existing rule.
    type(digit) {
      field.value = digit ? (isShown ? "" : field.value) + digit : field.value.slice(0, -1);
      isShown = false;
      refuse(field.value ? faultInField() : "");
    },
    // null, or the directions of the clues outside the grid that the rule has.
    outside: () => (chosen?.dataset.group !== "outside" ? null : chosen.value === "littlekiller" ? "diagonal" : "straight"),
    // Describe a rule for the list of added rules: its name and its parameters.
    inWords({ type, variant, cells: _cells, ...others }) {
      const isPlain = (value) => [value].flat().every((part) => typeof part !== "object");
      const values = Object.values(others).map((value) => (isPlain(value) ? [value].flat().join(" ") : JSON.stringify(value)));
      return [titles.get(type ?? variant) ?? type ?? variant, ...values].join(" ");
    },
  };
}
