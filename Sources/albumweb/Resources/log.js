// The log, live: looked at again when something was noted, as long as somebody looks at it.

import { News } from "./news.js";

const list = document.getElementById("lines");
const older = document.getElementById("older");
// How long what is noted meanwhile waits for the next look, in milliseconds: an app may do much at once.
const pause = 500;
let isStale = false;
let isBusy = false;

async function refresh() {
  isStale = true;
  if (isBusy) return;
  isBusy = true;
  while (isStale && !document.hidden) {
    isStale = false;
    await look().catch(() => {});
    await new Promise((resolve) => { setTimeout(resolve, pause); });
  }
  isBusy = false;
}

async function look() {
  const query = new URLSearchParams(location.search);
  query.set("part", "lines");
  const answer = await fetch("/log?" + query);
  if (answer.ok) show(await answer.text());
}

// What stays is not replaced: a link in it may have the focus.
function show(text) {
  const made = document.createElement("template");
  made.innerHTML = text;
  const lines = [...made.content.children];
  const names = new Set(lines.map((line) => line.dataset.entry));
  const held = new Map();
  for (const line of [...list.children]) {
    if (names.has(line.dataset.entry)) held.set(line.dataset.entry, line);
    else line.remove();
  }
  let place = list.firstElementChild;
  for (const line of lines) {
    const old = held.get(line.dataset.entry);
    if (old && !old.isEqualNode(line)) update(old, line);
    if (old === place && old) place = old.nextElementSibling;
    else list.insertBefore(old ?? line, place);
  }
  if (!older || !list.lastElementChild) return;
  const address = new URL(older.href);
  address.searchParams.set("before", list.lastElementChild.dataset.entry);
  older.href = address;
}

// A line of which there is more to count.
function update(line, now) {
  line.className = now.className;
  [...line.children].forEach((part, index) => {
    if (!part.isEqualNode(now.children[index])) part.textContent = now.children[index].textContent;
  });
}

new News("/events?of=log", ["log", "ended"]).addEventListener("log", refresh);
document.addEventListener("visibilitychange", () => { if (isStale) refresh(); });
for (const field of document.querySelectorAll(".filter select")) {
  // With the keyboard each arrow is another choice: there the button sends what was chosen.
  let isTyped = false;
  field.addEventListener("keydown", () => { isTyped = true; });
  field.addEventListener("pointerdown", () => { isTyped = false; });
  field.addEventListener("change", () => { if (!isTyped) field.form.requestSubmit(); });
}
