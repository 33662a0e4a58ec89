// Shows what is new without a reload, while nobody reads a detail or types: the page is the same without it.
"use strict";
const EVERY_MS = 4000;
const isBusy = () =>
  document.hidden ||
  document.querySelector(".detail, details[open]") ||
  document.querySelector("main").contains(document.activeElement) && document.activeElement.id !== "main" ||
  ["INPUT", "SELECT"].includes(document.activeElement.tagName);
async function refresh() {
  if (isBusy()) return;
  try {
    const reply = await fetch(location.href, { headers: { accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
    for (const part of ["main", "header time"]) {
      const [old, now] = [document.querySelector(part), fresh.querySelector(part)];
      if (old && now && !isBusy() && old.innerHTML !== now.innerHTML) old.innerHTML = now.innerHTML;
    }
  } catch { /* the server is away: the page stays as it is */ }
}
setInterval(refresh, EVERY_MS);
