// The log, live: looked at again while somebody looks at it.

const list = document.getElementById("lines");
let last = list.innerHTML;

async function refresh() {
  if (document.hidden) return;
  const query = new URLSearchParams(location.search);
  query.set("part", "lines");
  const answer = await fetch("/log?" + query).catch(() => null);
  if (!answer?.ok) return;
  const text = await answer.text();
  if (text === last) return;
  last = text;
  list.innerHTML = text;
}

setInterval(refresh, 5000);
document.addEventListener("visibilitychange", refresh);
for (const field of document.querySelectorAll(".filter select")) {
  field.addEventListener("change", () => field.form.requestSubmit());
}
