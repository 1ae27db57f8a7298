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
  if (answer.status === 401) {
    document.body.dataset.ended = "1";
    location.reload();
  }
  // Who answers in other words has not taken it: a server before this one, or one that is overloaded.
  return answer.json().catch(() => (
    answer.ok || answer.type === "opaqueredirect" ? { done: true } : { done: false, message: note.dataset.failed }));
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

// What lies beneath a question is for nobody until that is answered, but for who is typing there: until that is left.
const beneath = [...document.querySelectorAll(".skip, .bar, main")];
let before = null;

function cover() {
  const open = sheet.querySelector(".sheet");
  if (!open || isTyping()) return;
  // A photo that is shown large lies over everything.
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  if (!open.contains(document.activeElement)) {
    if (!beneath.some((one) => one.inert)) before = document.activeElement;
    open.focus({ preventScroll: true });
  }
  open.setAttribute("aria-modal", "true");
  for (const one of beneath) one.inert = true;
}

function uncover() {
  for (const one of beneath) one.inert = false;
  if (before?.isConnected && document.activeElement === document.body) before.focus({ preventScroll: true });
  before = null;
}

addEventListener("focusout", () => setTimeout(cover));

function show(news) {
  const open = sheet.querySelector(".sheet");
  // The picker is answering this one.
  const picker = document.getElementById("picker");
  const own = picker && JSON.parse(picker.dataset.setup).prompt;
  if (own && news.id !== own) picker.dispatchEvent(new CustomEvent("gone", { detail: news.reason }));
  if (own && news.id === own) {
    // What was asked over it meanwhile has gone.
    sheet.innerHTML = "";
    return uncover();
  }
  if (open && news.id === open.dataset.prompt) return;
  if (news.reason && (open || own)) say(news.reason);
  sheet.innerHTML = news.html ?? "";
  document.title = document.title.replace(/^● /, "");
  if (!news.id) return uncover();
  document.title = "● " + document.title;
  settle();
  cover();
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
  if (outcome.done && form.isConnected) {
    sheet.innerHTML = "";
    uncover();
  }
  if (outcome.message) {
    const said = form.querySelector(".said");
    if (outcome.done || !said.isConnected) say(outcome.message);
    else said.textContent = outcome.message;
  }
});

// Nor do they where the whole page was not there, or beneath another window, until now: whatever program opens it may choose
// the moment.
function arrive() {
  settle();
  document.body.classList.add("early");
  clearTimeout(arrive.timer);
  arrive.timer = setTimeout(() => document.body.classList.remove("early"), settling);
}

document.addEventListener("submit", (event) => {
  if (!document.body.matches(".early") || !event.target.matches("main form[method=post]")) return;
  // What is looked for changes nothing.
  if (event.submitter?.name === "find") return;
  event.preventDefault();
  event.stopPropagation();
  arrive();
}, true);

document.addEventListener("visibilitychange", () => { if (!document.hidden) arrive(); });
addEventListener("pageshow", arrive);
addEventListener("focus", arrive);
addEventListener("resize", arrive);
// Something has moved the answers.
new ResizeObserver(settle).observe(document.documentElement);
arrive();
cover();

const news = new News("/events", ["prompt", "daemon", "ended"]);
// The page says so where no news come.
news.addEventListener("live", ({ data }) => { document.body.dataset.live = data; });
news.addEventListener("prompt", ({ data }) => show(JSON.parse(data)));
// Where albumd cannot be asked, why; whoever waits for it hears when it can again.
news.addEventListener("daemon", ({ data }) => {
  const { problem } = JSON.parse(data);
  const away = document.getElementById("away");
  const wasAway = !away.hidden;
  away.textContent = problem ?? "";
  away.hidden = !problem;
  if (wasAway && !problem) dispatchEvent(new Event("daemon"));
});
// Nothing of what was done is kept for who comes next.
news.addEventListener("ended", () => {
  document.body.dataset.ended = "1";
  location.reload();
});
