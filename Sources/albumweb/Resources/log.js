// The log, live: looked at again when something was noted, as long as somebody looks at it.

import { News } from "./news.js";

const list = document.getElementById("lines");
// How long what is noted meanwhile waits for the next look, in milliseconds: an app may do much at once.
const pause = 500;
let last = list.innerHTML;
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
  if (!answer.ok) return;
  const text = await answer.text();
  if (text === last) return;
  last = text;
  list.innerHTML = text;
}

new News("/events?of=log", ["log", "ended"]).addEventListener("log", refresh);
document.addEventListener("visibilitychange", () => { if (isStale) refresh(); });
for (const field of document.querySelectorAll(".filter select")) {
  field.addEventListener("change", () => field.form.requestSubmit());
}
