// Sends what a form holds, and shows the answer. In a sandbox the objects that the examples name are made first.
"use strict";
const LONG = 200;
const SHOWN = 50000;
const page = document.body;
const isSandbox = "sandbox" in page.dataset;
const keyField = document.getElementById("key");
const search = document.getElementById("search");
const KEY = "shipcli-reference-key";

// -- the key -------------------------------------------------------------------------------------

keyField.value = sessionStorage.getItem(KEY) || "";
keyField.addEventListener("input", () => keepKey(keyField.value.trim(), ""));
document.getElementById("access").addEventListener("submit", (event) => event.preventDefault());

function keepKey(text, state) {
  sessionStorage.setItem(KEY, text);
  document.getElementById("key-state").textContent = state;
}

async function ensureKey() {
  if (keyField.value || !isSandbox) return;
  const reply = await fetch("/_window/key", { method: "POST" });
  if (!reply.ok) return;
  keyField.value = (await reply.json()).key;
  keepKey(keyField.value, "made for this page");
}

function authorization() {
  const text = keyField.value.trim();
  return text && `${text.startsWith("ey") ? "Bearer" : "Token"} ${text}`;
}

// -- a call --------------------------------------------------------------------------------------

const valuesOf = (form, place) =>
  [...form.querySelectorAll(`[data-place=${place}]`)].filter((field) => field.value !== "");

function readCall(form) {
  let path = form.dataset.path;
  for (const field of form.querySelectorAll("[data-place=path]")) {
    path = path.replace(`{${field.name}}`, encodeURIComponent(field.value.trim()));
  }
  const query = new URLSearchParams(valuesOf(form, "query").map((field) => [field.name, field.value]));
  const body = form.querySelector("[data-place=body]");
  const files = valuesOf(form, "file");
  return {
    method: form.dataset.method,
    url: location.origin + path + (query.size ? `?${query}` : ""),
    body: body ? body.value : null,
    fields: [...valuesOf(form, "form"), ...files].map((field) => [field.name, field.value, files.includes(field)]),
  };
}

let isPrepared = false;

// What a form that is marked names is not the same in each sandbox.
async function prepareExample(form) {
  await ensureKey();
  if (!isSandbox || !authorization() || (isPrepared && !("fresh" in form.dataset))) return;
  const reply = await fetch("/_sandbox/examples", {
    method: "POST",
    headers: { authorization: authorization(), "content-type": "application/json" },
    body: JSON.stringify({ body: form.dataset.model }),
  });
  isPrepared = reply.ok;
  const body = form.querySelector("[data-place=body]");
  if (!reply.ok || !body || form.dataset.changed) return;
  body.value = JSON.stringify((await reply.json()).body, null, 2);
}

function makeRequest(call) {
  const headers = { accept: "application/json, */*;q=0.5" };
  if (authorization()) headers.authorization = authorization();
  if (call.body !== null) return { headers: { ...headers, "content-type": "application/json" }, body: call.body };
  if (!call.fields.length) return { headers };
  const form = new FormData();
  for (const [name, text, isFile] of call.fields) {
    form.append(name, isFile ? new File([text], "rows.csv", { type: "text/csv" }) : text);
  }
  return { headers, body: form };
}

async function send(form) {
  const answer = form.querySelector(".answer");
  answer.replaceChildren("Sent ...");
  try {
    await prepareExample(form);
    const call = readCall(form);
    const reply = await fetch(call.url, { method: call.method, ...makeRequest(call) });
    answer.replaceChildren(...(await describeAnswer(reply)));
  } catch (error) {
    answer.replaceChildren(`There was no answer: ${error.message}`);
  }
}

// -- the answer ----------------------------------------------------------------------------------

async function describeAnswer(reply) {
  const line = document.createElement("p");
  const status = document.createElement("strong");
  status.className = `status ${reply.ok ? "good" : reply.status < 500 ? "refused" : "failed"}`;
  status.textContent = `${reply.status} ${reply.statusText}`;
  const id = reply.headers.get("x-request-id");
  line.append(status, id ? ` · ${id}` : "");
  if (reply.status === 401 && !keyField.value) line.append(" · give an API key at the top of the page");
  return [line, await showBody(reply)];
}

async function showBody(reply) {
  const media = (reply.headers.get("content-type") || "").split(";")[0];
  const content = await reply.blob();
  if (!content.size) return "";
  if (media.endsWith("json")) return makeText(JSON.stringify(JSON.parse(await content.text()), shorten, 2));
  if (media.startsWith("text/")) return makeText(await content.text());
  const address = URL.createObjectURL(content);
  const shown = document.createElement(media.startsWith("image/") ? "img" : "a");
  if (shown.tagName === "IMG") return Object.assign(shown, { src: address, alt: "The answer" });
  return Object.assign(shown, { href: address, download: "", textContent: `Keep the file: ${media}, ${content.size} bytes` });
}

function shorten(name, value) {
  const isLong = typeof value === "string" && value.length > LONG && !value.includes(" ");
  return isLong ? `${value.slice(0, 60)}... (${value.length} characters)` : value;
}

function makeText(text) {
  const shown = document.createElement("pre");
  shown.tabIndex = 0;
  shown.textContent = text.length > SHOWN ? `${text.slice(0, SHOWN)}\n... (${text.length} characters)` : text;
  return shown;
}

// -- curl ----------------------------------------------------------------------------------------

const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function writeCurl(call) {
  const scheme = authorization().startsWith("Bearer") ? "Bearer" : "Token";
  const parts = [`curl -X ${call.method} ${quote(call.url)}`, `-H "Authorization: ${scheme} $SHIPCLI_API_KEY"`];
  if (call.body !== null) parts.push("-H 'Content-Type: application/json'", `-d ${quote(call.body)}`);
  for (const [name, text, isFile] of call.fields) {
    parts.push(isFile ? `-F '${name}=@-;filename=rows.csv' <<< ${quote(text)}` : `-F ${quote(`${name}=${text}`)}`);
  }
  return parts.join(" \\\n  ");
}

async function copyCurl(form) {
  const text = writeCurl(readCall(form));
  const note = document.createElement("p");
  note.textContent = "The key is taken from $SHIPCLI_API_KEY.";
  form.querySelector(".answer").replaceChildren(note, makeText(text));
  try {
    await navigator.clipboard.writeText(text);
    note.prepend("Copied. ");
  } catch { /* the browser does not allow it: the text is there to be selected */ }
}

for (const form of document.querySelectorAll("form.try")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
  form.addEventListener("input", () => (form.dataset.changed = "yes"));
  form.addEventListener("reset", () => {
    delete form.dataset.changed;
    form.querySelector(".answer").replaceChildren();
  });
  form.querySelector("button.curl").addEventListener("click", () => copyCurl(form));
}

// -- finding -------------------------------------------------------------------------------------

const operations = [...document.querySelectorAll(".operation")].map((shown) => ({
  shown,
  entry: document.querySelector(`[data-for="${shown.id}"]`),
  text: `${shown.querySelector("summary").innerText} ${shown.textContent}`.toLowerCase(),
  title: shown.querySelector("summary").textContent.toLowerCase(),
}));

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const inTitles = operations.filter((each) => words.every((word) => each.title.includes(word)));
  const matches = new Set(inTitles.length ? inTitles : operations.filter((each) => words.every((word) => each.text.includes(word))));
  for (const each of operations) each.shown.hidden = each.entry.hidden = !matches.has(each);
  for (const group of document.querySelectorAll(".group")) group.hidden = !group.querySelector(".operation:not([hidden])");
  for (const group of document.querySelectorAll("[data-group]")) group.hidden = !group.querySelector("[data-for]:not([hidden])");
  const count = `${matches.size} ${matches.size === 1 ? "operation" : "operations"}`;
  document.getElementById("matches").textContent = words.length ? count : "";
}

search.addEventListener("input", filter);
search.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  search.value = "";
  filter();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  search.focus();
});

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let each = target; each; each = each.parentElement) {
    each.hidden = false;
    if (each.tagName === "DETAILS") each.open = true;
  }
  target.scrollIntoView();
}

window.addEventListener("hashchange", openTarget);
openTarget();
