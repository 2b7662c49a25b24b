// The API documentation: sends requests, and shows their responses.
import { copyButtons } from "./copy.js";

const MAX = 20_000; // shown characters of a response
const TIMEOUT = 8_000; // ms for a response without an end, such as events
const TOLD = ["content-type", "location", "etag", "link", "ratelimit-policy", "ratelimit", "retry-after"];

copyButtons();
if (location.hash) document.getElementById(location.hash.slice(1))?.setAttribute("open", "");

for (const operation of document.querySelectorAll(".operation")) {
  operation.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    send(operation);
  });
}

function request(operation) {
  const { method, path } = operation.dataset;
  const query = new URLSearchParams();
  const headers = {};
  let address = path;
  for (const { name, value, dataset } of operation.querySelectorAll("input")) {
    if (dataset.in === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (value && dataset.in === "header") headers[name] = value;
    else if (value) query.set(name, value);
  }
  const body = operation.querySelector("[data-body]")?.value;
  if (body !== undefined) headers["Content-Type"] = "text/plain";
  return { address: query.size ? `${address}?${query}` : address, method, headers, body };
}

async function send(operation) {
  const { address, ...asked } = request(operation);
  const place = operation.querySelector("[role=status]");
  place.replaceChildren(block(`${asked.method} ${address} …`));
  const patience = new AbortController();
  setTimeout(() => patience.abort(), TIMEOUT);
  let text = "";
  try {
    const answer = await fetch(address, { ...asked, signal: patience.signal });
    const head = TOLD.filter((name) => answer.headers.has(name)).map((name) => `${name}: ${answer.headers.get(name)}`);
    text = `${answer.status} ${answer.statusText}\n${head.join("\n")}\n\n`;
    keepJob(answer);
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader?.read(); piece && !piece.done && text.length < MAX; piece = await reader.read()) text += piece.value;
    patience.abort();
  } catch (error) {
    if (!text) text = String(error.message);
  }
  const shown = text.length > MAX ? `${text.slice(0, MAX)}\n…` : text;
  place.replaceChildren(copyButton(curl(address, asked)), block(curl(address, asked)), block(shown));
  copyButtons(place);
}

// Fill in the id of the new job, so that the next requests use it.
function keepJob(answer) {
  const made = answer.status === 202 && answer.headers.get("location")?.split("/").pop();
  if (!made) return;
  for (const input of document.querySelectorAll('input[name="job_id"]')) {
    if (!input.closest('[data-method="PUT"]')) input.value = made;
  }
}

function curl(address, { method, headers, body }) {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`--data-binary ${quote(body)}`);
  return ["curl", method === "GET" ? "" : `-X ${method}`, ...parts, quote(location.origin + address)].filter(Boolean).join(" ");
}

function copyButton(text) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.dataset.copy = text;
  button.textContent = "Copy the command";
  return button;
}

function block(text) {
  const element = document.createElement("pre");
  element.tabIndex = 0;
  element.textContent = text;
  return element;
}
