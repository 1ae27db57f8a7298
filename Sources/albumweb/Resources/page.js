// What every page does: shows what apps ask, the moment they ask it, and takes it away when it is answered elsewhere.

import { News } from "./news.js";

const sheet = document.getElementById("sheet");
const note = document.getElementById("note");
// As long as the server waits itself before an answer counts.
const settling = 500;

export const token = document.body.dataset.token;

export async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST", body, headers: { accept: "application/json", "x-albumd-token": token }, redirect: "manual",
  });
  if (answer.status === 401) location.reload();
  return answer.json().catch(() => ({ done: answer.ok || answer.type === "opaqueredirect" }));
}

export function say(text) {
  note.textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { note.textContent = ""; }, 6000);
}

// Clicks that were meant for what was there before do not count.
function settle() {
  const open = sheet.querySelector(".sheet");
  if (!open) return;
  open.classList.add("wait");
  clearTimeout(settle.timer);
  settle.timer = setTimeout(() => open.classList.remove("wait"), settling);
}

function isTyping() {
  const element = document.activeElement;
  return element && element.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
}

function show(news) {
  const open = sheet.querySelector(".sheet");
  // The picker is answering this one.
  const picker = document.getElementById("picker");
  const own = picker && JSON.parse(picker.dataset.setup).prompt;
  if (own && news.id !== own) picker.dispatchEvent(new CustomEvent("gone", { detail: news.reason }));
  if (own && news.id === own) return;
  if (open && news.id === open.dataset.prompt) return;
  if (news.reason && (open || own)) say(news.reason);
  sheet.innerHTML = news.html ?? "";
  document.title = document.title.replace(/^● /, "");
  if (!news.id) return;
  document.title = "● " + document.title;
  settle();
  // Never takes away what is typed.
  if (!isTyping()) sheet.querySelector(".sheet").focus({ preventScroll: true });
}

sheet.addEventListener("click", (event) => {
  if (!sheet.querySelector(".sheet.wait") || !event.target.closest("button, a")) return;
  event.preventDefault();
  event.stopPropagation();
  settle();
}, true);

// Tab stays with the question while it has the focus.
sheet.addEventListener("keydown", (event) => {
  if (event.key !== "Tab") return;
  const all = [...sheet.querySelectorAll("a, button:enabled, select, input:not([type=hidden])")].filter((one) => one.checkVisibility());
  const last = event.shiftKey ? all[0] : all.at(-1);
  if (document.activeElement !== last && !(event.shiftKey && document.activeElement.matches(".sheet"))) return;
  event.preventDefault();
  (event.shiftKey ? all.at(-1) : all[0]).focus();
});

sheet.addEventListener("submit", async (event) => {
  event.preventDefault();
  // Enter in a checkbox is no answer: it presses the form's first button.
  if (event.submitter?.hidden) return;
  const form = event.target;
  const body = new URLSearchParams(new FormData(form, event.submitter));
  form.inert = true;
  const outcome = await post(form.action, body)
    .catch(() => ({ done: false, message: note.dataset.failed }));
  form.inert = false;
  // What is asked next may be shown before it is known what became of this answer.
  if (outcome.done && form.isConnected) sheet.innerHTML = "";
  if (outcome.message) {
    const said = form.querySelector(".said");
    if (outcome.done || !said.isConnected) say(outcome.message);
    else said.textContent = outcome.message;
  }
});

document.addEventListener("visibilitychange", () => { if (!document.hidden) settle(); });
addEventListener("pageshow", settle);
// Another window was over this one until now, or something has moved the answers.
addEventListener("focus", settle);
new ResizeObserver(settle).observe(document.documentElement);
settle();
if (sheet.querySelector(".sheet") && !isTyping()) sheet.querySelector(".sheet").focus({ preventScroll: true });

const news = new News("/events", ["prompt", "ended"]);
// The page says so where no news come.
news.addEventListener("live", ({ data }) => { document.body.dataset.live = data; });
news.addEventListener("prompt", ({ data }) => show(JSON.parse(data)));
news.addEventListener("ended", () => location.reload());
