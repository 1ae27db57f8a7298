// Photos to look at or to pick: by click, with Shift, by drawing over them, by long press, by keyboard, by whole days and
// albums.

import { Grid } from "./grid.js";
import { post, say } from "./page.js";

const root = document.getElementById("picker");
const setup = JSON.parse(root.dataset.setup);
const words = setup.words;
const form = document.getElementById("choose");
const chooses = setup.mode !== "browse";
// How many albums are counted together: as many as an address names.
const mostCounted = 100;
// Whether an app will see what is selected, rather than be handed it.
const limits = setup.mode === "limited";
// How many photos that are selected already are looked at before anybody wants to see them.
const mostKnown = 1000;
// How many picks are kept for when the app asks again.
const mostKept = 20000;
// How long after the days could not be read they are asked for again, in milliseconds: twice as long each time.
const shortestPause = 1000;
const longestPause = 30000;
const picks = chooses ? new Map(setup.selected.map((id) => [id, null])) : null;
const albumPicks = new Set(setup.selectedAlbums);
let albums = [];
let albumFilter = new URLSearchParams(location.search).get("album");
let view = "all";

const tabs = document.createElement("div");
tabs.className = "tabs";
const status = document.createElement("p");
status.className = "dim column";
status.setAttribute("role", "status");
const holder = document.createElement("div");
const chosenHolder = document.createElement("div");
const albumList = document.createElement("div");
albumList.className = "albumlist";
albumList.hidden = true;
chosenHolder.hidden = true;
const chosenAlbums = document.createElement("div");
chosenAlbums.className = "albumlist";
chosenAlbums.hidden = true;
form.before(tabs, status, holder, chosenAlbums, chosenHolder, albumList);

const options = { source: setup.api, words, lang: setup.lang, picks, label: words.pageAllPhotos };
const grid = new Grid(holder, options);
const chosen = chooses ? new Grid(chosenHolder, { ...options, label: words.selectedTitle }) : null;
chosen?.hide(true);

// MARK: What is shown

function query() {
  const list = setup.kinds.map((kind) => ["kind", kind]);
  const text = root.querySelector("[type=search]").value.trim();
  if (text) list.push(["q", text]);
  if (albumFilter) list.push(["album", albumFilter]);
  return list;
}

// isAgain: whether it is tried again by itself; until it is known what comes of it, what was said stays.
async function load(isAgain = false) {
  const turn = load.turn = (load.turn ?? 0) + 1;
  clearTimeout(load.timer);
  if (!isAgain) {
    status.hidden = false;
    status.textContent = words.reading;
    load.failures = 0;
  }
  try {
    await grid.load(query());
    if (turn !== load.turn) return;
    load.failures = 0;
    status.textContent = grid.total ? "" : words.nothing;
  } catch (error) {
    if (turn !== load.turn) return;
    load.failures += 1;
    if (!isAgain) tellFailed();
    // What has gone does not come back.
    if (error.message !== "410") load.timer = setTimeout(load, Math.min(longestPause, shortestPause * 2 ** (load.failures - 1)), true);
  }
  status.hidden = view !== "all" || !status.textContent;
}

function tellFailed() {
  status.textContent = words.pageFailed + " ";
  const button = status.appendChild(document.createElement("button"));
  button.type = "button";
  button.textContent = words.pageAgain;
  button.addEventListener("click", () => load());
}

// The pictures between two places of a grid; none where they cannot be read, which is told.
const range = (grid, from, to) => grid.range(from, to).catch(() => {
  say(words.pageFailed);
  return [];
});

async function show(name) {
  view = name;
  for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.view === name));
  grid.hide(name !== "all");
  albumList.hidden = name !== "albums";
  chosen?.hide(name !== "selected");
  status.hidden = true;
  scrollTo(0, 0);
  drawChosenAlbums();
  if (name !== "selected") return;
  await know();
  const list = [...picks.values()].filter(Boolean);
  chosen.setAssets(list);
  status.textContent = list.length || albumPicks.size ? "" : words.nothing;
  status.hidden = !status.textContent;
}

// What there is to know of all that is selected.
async function know() {
  const ids = [...picks.keys()];
  for (let from = 0; from < ids.length; from += 100) {
    const unknown = ids.slice(from, from + 100).filter((id) => !picks.get(id));
    if (!unknown.length) continue;
    const answer = await fetch("/api/picked?" + new URLSearchParams(unknown.map((id) => ["id", id])));
    if (answer.ok) for (const asset of await answer.json()) if (picks.has(asset.id)) picks.set(asset.id, asset);
  }
}

// MARK: What is kept in this tab for when the app asks again

let kept = read();

function read() {
  if (!setup.keep) return null;
  try {
    const stored = JSON.parse(sessionStorage.getItem(setup.keep));
    const texts = (list) => list.filter((id) => typeof id === "string" && id.length < 200).slice(0, mostKept);
    return Object.fromEntries(["assets", "albums", "noAssets", "noAlbums"].map((name) => [name, texts(stored[name])]));
  } catch {
    return null;
  }
}

// What was changed of what the app has: ids only, and nothing where nothing was. What it has may be something else when it asks
// again.
function keep() {
  if (document.body.dataset.ended) drop();
  if (!setup.keep || !keep.isWanted) return;
  const without = (list, others) => {
    const left = new Set(others);
    return [...new Set(list)].filter((id) => !left.has(id));
  };
  const changes = {
    assets: without([...(kept?.assets ?? []), ...picks.keys()], setup.selected),
    albums: without([...(kept?.albums ?? []), ...albumPicks], setup.selectedAlbums),
    noAssets: without(setup.selected, picks.keys()),
    noAlbums: without(setup.selectedAlbums, albumPicks),
  };
  try {
    if (Object.values(changes).flat().length > mostKept) sessionStorage.removeItem(setup.keep);
    else sessionStorage.setItem(setup.keep, JSON.stringify(changes));
  } catch { /* There may be no room for it. */ }
}

function drop() {
  kept = null;
  keep.isWanted = false;
  if (setup.keep) sessionStorage.removeItem(setup.keep);
}

// Picks what was picked when the app last asked: of that, what it may still be given.
async function restore() {
  if (!kept) return;
  const { assets, albums: chosen, noAssets, noAlbums } = kept;
  const found = new Map();
  for (let from = 0; from < assets.length; from += 100) {
    const asked = new URLSearchParams(setup.api);
    asked.append("new", "1");
    for (const kind of setup.kinds) asked.append("kind", kind);
    for (const id of assets.slice(from, from + 100)) asked.append("id", id);
    const answer = await fetch("/api/picked?" + asked).catch(() => null);
    // Tried again when the page is back.
    if (!answer?.ok) return;
    const known = new Map((await answer.json()).map((asset) => [asset.id, asset]));
    for (const id of assets.slice(from, from + 100)) if (known.has(id)) found.set(id, known.get(id));
  }
  if (!kept) return;
  kept = null;
  keep.isWanted = true;
  for (const id of noAssets) picks.delete(id);
  for (const [id, asset] of found) {
    if (setup.limit > 0 && picks.size >= setup.limit) break;
    picks.set(id, asset);
  }
  if (setup.takesAlbums) {
    for (const id of noAlbums) albumPicks.delete(id);
    for (const id of chosen) albumPicks.add(id);
    drawAlbums();
    drawChosenAlbums();
  }
  grid.refresh();
  chosenAgain();
  count();
  if (picks.size || albumPicks.size) say(words.pagePickedAgain);
}

function chosenAgain() {
  if (view === "selected") show("selected");
}

function drawTabs() {
  const all = [["all", words.pageAllPhotos], ["albums", words.albumsTitle]];
  if (!setup.takesAlbums || !albums.length) all.pop();
  if (chooses) all.push(["selected", words.selectedTitle]);
  if (albumFilter) all[0][1] = albums.find((album) => album.id === albumFilter)?.title ?? all[0][1];
  tabs.textContent = "";
  tabs.hidden = all.length < 2;
  for (const [name, title] of all) {
    const tab = tabs.appendChild(document.createElement("button"));
    tab.type = "button";
    tab.dataset.view = name;
    tab.textContent = title;
    tab.setAttribute("aria-pressed", String(view === name));
    tab.addEventListener("click", () => show(name));
  }
}

// MARK: Albums

function beneath(id) {
  const list = [id];
  for (const album of albums) if (album.parent === id) list.push(...beneath(album.id));
  return list;
}

function drawAlbums() {
  albumList.textContent = "";
  const hint = albumList.appendChild(document.createElement("p"));
  hint.className = "dim";
  hint.textContent = words.pageAlbumLater;
  const draw = (parent, depth) => {
    for (const album of albums.filter((one) => (one.parent ?? null) === parent)) {
      const line = albumList.appendChild(document.createElement("label"));
      line.className = `albumline in${Math.min(depth, 3)}`;
      const box = line.appendChild(document.createElement("input"));
      box.type = "checkbox";
      box.value = album.id;
      box.checked = albumPicks.has(album.id);
      box.addEventListener("change", () => {
        // With everything that lies in it.
        const inside = beneath(album.id);
        for (const id of inside) box.checked ? albumPicks.add(id) : albumPicks.delete(id);
        keep.isWanted = true;
        drawAlbums();
        albumList.querySelector(`input[value="${CSS.escape(album.id)}"]`)?.focus();
        if (box.checked && inside.length > 1) {
          say(words.pageFolder.replace("{albums}", inside.length - 1).replace("{album}", () => album.title));
        }
        count();
      });
      line.append(album.title + (album.shared ? ` (${words.pageShared})` : ""));
      line.appendChild(document.createElement("small")).textContent = album.count;
      if (depth < 16) draw(album.id, depth + 1);
    }
  };
  draw(null, 0);
}

// The albums among what is selected, each to be taken out.
function drawChosenAlbums() {
  chosenAlbums.textContent = "";
  const list = albums.filter((album) => albumPicks.has(album.id));
  chosenAlbums.hidden = view !== "selected" || !list.length;
  for (const album of list) {
    const line = chosenAlbums.appendChild(document.createElement("label"));
    line.className = "albumline";
    const box = line.appendChild(document.createElement("input"));
    box.type = "checkbox";
    box.checked = true;
    // Where it stands, so that it can be put in again.
    box.addEventListener("change", () => {
      box.checked ? albumPicks.add(album.id) : albumPicks.delete(album.id);
      keep.isWanted = true;
      drawAlbums();
      count();
    });
    line.append(album.title + (album.shared ? ` (${words.pageShared})` : ""));
    line.appendChild(document.createElement("small")).textContent = album.count;
  }
}

async function loadAlbums() {
  const answer = await fetch("/api/albums").catch(() => null);
  loadAlbums.hasFailed = !answer?.ok;
  if (answer?.ok) albums = await answer.json();
  drawTabs();
  if (setup.takesAlbums) drawAlbums();
  drawChosenAlbums();
  if (!limits || !albums.some((album) => album.shared)) return;
  if (picks.size <= mostKnown) await know().catch(() => {});
  tellUnseen();
}

// MARK: Picking

// What of the selection an app never sees (S19).
function tellUnseen() {
  const shared = limits ? albums.filter((album) => album.shared) : [];
  if (!shared.length) return;
  const inside = new Set(albumPicks);
  for (const asset of picks.values()) for (const id of asset?.albums ?? []) inside.add(id);
  const titles = shared.filter((album) => inside.has(album.id)).map((album) => album.title);
  form.querySelector(".unseen").textContent = titles.length
    ? words.sharedNotSeen.replace("{albums}", () => titles.join(words.comma)) : "";
}

function count() {
  const place = form.querySelector(".count");
  if (!place) return;
  place.textContent = countText();
  countAlbums();
  tellUnseen();
  const said = form.querySelector(".said");
  said.textContent = "";
  const main = form.querySelector("button.main");
  main.textContent = words.pageDone;
  delete form.dataset.nothing;
  if (!setup.minimum) return;
  // It can be reached all the same, and says why it does nothing.
  main.setAttribute("aria-disabled", String(isShort()));
  if (isShort()) main.setAttribute("aria-describedby", "need");
  else main.removeAttribute("aria-describedby");
}

// Whether fewer are picked than the app asked for.
function isShort() {
  return picks.size < setup.minimum;
}

function countText() {
  const size = albumPicks.size;
  if (!size) {
    const text = words.pageSelectedCount.replace("{count}", picks.size);
    return isShort() ? `${text} · ${words.atLeast.replace("{minimum}", setup.minimum)}` : text;
  }
  const key = [...albumPicks].sort().join(" ");
  return (size === 1 ? words.pageOneAlbum : words.pageAlbumsAlso).replace("{count}", picks.size).replace("{albums}", size)
    .replace("{inside}", countAlbums.key === key ? countAlbums.inside : "…");
}

// How many photos the chosen albums have together: each counts once.
async function countAlbums() {
  const key = [...albumPicks].sort().join(" ");
  if (!key || countAlbums.key === key || countAlbums.asked === key) return;
  countAlbums.asked = key;
  const asked = [...albumPicks].slice(0, mostCounted);
  const answer = await fetch("/api/days?" + new URLSearchParams(asked.map((id) => ["album", id]))).catch(() => null);
  if (countAlbums.asked !== key) return;
  countAlbums.asked = null;
  if (!answer?.ok) return;
  // Of more it is known that they have at least as many.
  countAlbums.inside = (await answer.json()).reduce((sum, day) => sum + day.count, 0) + (albumPicks.size > asked.length ? "+" : "");
  countAlbums.key = key;
  form.querySelector(".count").textContent = countText();
}

// Picks these or takes them out, as far as the app asked for as many.
function set(list, isPicked) {
  for (const asset of list) {
    if (!isPicked) {
      picks.delete(asset.id);
    } else if (!picks.has(asset.id)) {
      if (setup.limit === 1) picks.clear();
      if (setup.limit > 0 && picks.size >= setup.limit) {
        say(words.limitReached.replace("{limit}", setup.limit));
        break;
      }
      picks.set(asset.id, asset);
    }
  }
  keep.isWanted = true;
  grid.refresh();
  chosen?.refresh();
  count();
}

function bind(grid) {
  let anchor = null;
  let drag = null;
  const cellAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell")?.cell;

  grid.onDay = async (at) => {
    const day = grid.days[at];
    const list = await range(grid, day.first, day.first + day.count - 1);
    set(list, !list.every((asset) => picks.has(asset.id)));
  };

  grid.layer.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest(".cell")?.cell;
    if (!cell?.asset || event.button !== 0) return;
    grid.focus = cell.index;
    if (!chooses || event.target.matches(".look")) return;
    drag = { from: cell.index, picks: !picks.has(cell.asset.id), x: event.clientX, y: event.clientY, done: cell.index, moved: false };
    if (event.pointerType === "mouse") return;
    // A finger scrolls; it draws after it has rested.
    const begun = drag;
    drag.timer = setTimeout(() => {
      if (drag !== begun) return;
      begun.isLong = true;
      navigator.vibrate?.(10);
      set([cell.asset], begun.picks);
    }, 400);
  });

  grid.layer.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const isFar = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 8;
    if (event.pointerType !== "mouse" && !drag.isLong) {
      if (isFar) { clearTimeout(drag.timer); drag = null; }
      return;
    }
    if (!isFar && !drag.moved) return;
    const cell = cellAt(event);
    if (!cell || cell.index === drag.done) return;
    drag.moved = true;
    drag.done = cell.index;
    const { from, picks: isPicked } = drag;
    range(grid, from, cell.index).then((list) => set(list, isPicked));
  });

  const end = () => { if (drag) clearTimeout(drag.timer); };
  addEventListener("pointerup", () => {
    end();
    // Of the click that comes of it, it is known still. Another may have begun by then.
    const ended = drag;
    setTimeout(() => { if (drag === ended) drag = null; });
  });
  addEventListener("pointercancel", () => { end(); drag = null; });
  grid.layer.addEventListener("touchmove", (event) => { if (drag?.isLong) event.preventDefault(); }, { passive: false });
  grid.layer.addEventListener("contextmenu", (event) => { if (drag?.timer) event.preventDefault(); });

  grid.layer.addEventListener("click", async (event) => {
    const cell = event.target.closest(".cell")?.cell;
    if (!cell?.asset || drag?.moved || drag?.isLong) return;
    if (!chooses || event.target.matches(".look")) return open(grid, cell.index);
    if (event.shiftKey && anchor !== null) set(await range(grid, anchor, cell.index), true);
    else set([cell.asset], !picks.has(cell.asset.id));
    anchor = cell.index;
    grid.refresh();
  });

  grid.layer.addEventListener("keydown", async (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -grid.columns, ArrowDown: grid.columns, Home: -Infinity, End: Infinity };
    const page = Math.max(1, Math.floor(innerHeight / grid.step) - 1) * grid.columns;
    const step = steps[event.key] ?? { PageUp: -page, PageDown: page }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const from = grid.focus;
      grid.focusOn(from + step);
      if (event.shiftKey && chooses) set(await range(grid, from, grid.focus), true);
      return;
    }
    const place = grid.focus;
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (!chooses) return open(grid, place);
      // It may be on its way still.
      const [asset] = await range(grid, place, place);
      if (!asset) return;
      if (event.shiftKey && anchor !== null) set(await range(grid, anchor, place), true);
      else set([asset], !picks.has(asset.id));
      anchor = place;
    } else if (event.key === "o") open(grid, place);
  });
}

// MARK: One picture, large

function open(grid, index) {
  const dialog = document.body.appendChild(document.createElement("dialog"));
  dialog.className = "large";
  const image = dialog.appendChild(new Image());
  image.draggable = false;
  const text = dialog.appendChild(document.createElement("p"));
  text.setAttribute("aria-live", "polite");
  const button = (name, word) => {
    const element = dialog.appendChild(document.createElement("button"));
    element.type = "button";
    element.className = name;
    if (name === "close") element.textContent = word;
    else element.setAttribute("aria-label", element.title = word);
    return element;
  };
  const close = button("close", words.pageBack);
  const before = button("before", words.pagePrevious);
  const after = button("after", words.pageNext);
  const go = async (to) => {
    if (to < 0 || to >= grid.total) return;
    index = to;
    before.setAttribute("aria-disabled", String(index === 0));
    after.setAttribute("aria-disabled", String(index === grid.total - 1));
    const [asset] = await range(grid, to, to);
    if (!asset || to !== index) return;
    image.src = `/preview/${encodeURIComponent(asset.id)}?w=2048`;
    image.alt = asset.name;
    text.textContent = `${asset.name} · ${asset.time}`;
    dialog.setAttribute("aria-label", text.textContent);
  };
  close.addEventListener("click", () => dialog.close());
  before.addEventListener("click", () => go(index - 1));
  after.addEventListener("click", () => go(index + 1));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") go(index - 1);
    if (event.key === "ArrowRight") go(index + 1);
  });
  // A finger that goes across, of which there is one, while nothing is enlarged.
  let swipe = null;
  dialog.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
    swipe = event.isPrimary && !(visualViewport?.scale > 1.01) ? { x: event.clientX, y: event.clientY } : null;
  });
  dialog.addEventListener("pointerup", (event) => {
    if (!swipe || !event.isPrimary) return;
    const across = event.clientX - swipe.x;
    if (Math.abs(across) > 50 && Math.abs(across) > 2 * Math.abs(event.clientY - swipe.y)) go(across < 0 ? index + 1 : index - 1);
    swipe = null;
  });
  dialog.addEventListener("pointercancel", () => { swipe = null; });
  dialog.addEventListener("close", () => { dialog.remove(); grid.focusOn(index); });
  dialog.showModal();
  go(index);
}

// MARK: The answer

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (event.submitter?.name === "find") {
    show("all");
    load();
    return;
  }
  const said = form.querySelector(".said");
  if (isShort()) {
    said.textContent = words.minimumNotReached.replace("{minimum}", setup.minimum);
    return;
  }
  const body = new URLSearchParams();
  for (const field of form.querySelectorAll("input[type=hidden], select, input[name=location]:checked")) body.append(field.name, field.value);
  for (const id of picks.keys()) body.append("asset", id);
  for (const id of albumPicks) body.append("album", id);
  if (!picks.size && !albumPicks.size) {
    // Told before it is granted.
    if (!form.dataset.nothing) {
      form.dataset.nothing = "1";
      said.textContent = words.pageNothingSelected;
      if (setup.decision !== "allow") form.querySelector("button.main").textContent = words.pageSelectAnyway;
      return;
    }
    body.append("nothing", "1");
  }
  form.inert = true;
  const outcome = await post(form.action, body).catch(() => ({ done: false, message: words.pageFailed }));
  form.inert = false;
  if (outcome.done) drop();
  // It counts, and there is something to know of it: that is read before it leads away.
  if (outcome.done && outcome.message) end(outcome.message);
  else if (outcome.done) location.assign(setup.cancel ?? "/");
  else said.textContent = outcome.message ?? words.pageFailed;
});

form.querySelector(".done .quiet")?.addEventListener("click", drop);
addEventListener("pagehide", keep);

// What was asked is not any more: it stays to be looked at.
root.addEventListener("gone", (event) => {
  if (root.querySelector(".ended")) return;
  const isKept = setup.keep && keep.isWanted;
  if (isKept) keep();
  end(event.detail ?? words.promptGone, isKept ? words.pagePicksKept.replace("{app}", () => setup.app) : "");
});

function end(...lines) {
  form.inert = true;
  const notice = document.createElement("div");
  notice.className = "notice ended";
  notice.setAttribute("role", "alert");
  const text = notice.appendChild(document.createElement("div"));
  for (const line of lines.filter(Boolean)) text.appendChild(document.createElement("p")).textContent = line;
  const link = notice.appendChild(document.createElement("a"));
  link.className = "button";
  link.href = setup.cancel ?? "/";
  link.textContent = words.pageBack;
  root.prepend(notice);
}

// What failed is asked for again when the page has come back, or albumd.
const askAgain = () => {
  if (document.body.dataset.live !== "1") return;
  if (load.failures) load(true);
  grid.retry();
  chosen?.retry();
  if (loadAlbums.hasFailed) loadAlbums();
  restore();
};
new MutationObserver(askAgain).observe(document.body, { attributeFilter: ["data-live"] });
addEventListener("daemon", askAgain);

let typing;
const search = root.querySelector(".find");
search.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => { show("all"); load(); }, 300); });

bind(grid);
if (chosen) bind(chosen);
if (chooses) count();
drawTabs();
load();
loadAlbums().then(restore);
