// A grid of pictures by day, of which only what is near the window is there: a library of any size scrolls alike.
//
// How many pictures each day has is known first, so that everything has its place; what they are is asked for when they
// come near.

const head = 52;
const gap = 3;
const chunkSize = 120;
// How many of a day are asked for at a time: as many as the server tells.
const mostAssets = 1000;
// The sizes of previews that are kept: any other is made anew each time.
const keptSizes = [256, 512, 1024];
// How long after it was scrolled pictures are asked for, in milliseconds: not of what only passes by.
const resting = 60;
// How many pictures outside the window are asked for at a time: who goes elsewhere meanwhile finds a connection, of which a
// browser has six, and the page's way to the daemon free.
const together = 3;
// How long after a question failed the same is asked again, in milliseconds: twice as long each time.
const shortestPause = 1000;
const longestPause = 30000;
// How often a picture is asked for while its cell stays.
const mostTries = 4;
// What of the window is covered from above.
const bar = 64;

export class Grid {
  // root: where it goes. source: the query of every question. words: what is said. isListbox: whether pictures are picked.
  constructor(root, { source, words, lang, picks, label }) {
    this.source = source;
    this.words = words;
    this.picks = picks;
    this.dayName = new Intl.DateTimeFormat(lang, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
    this.shortName = new Intl.DateTimeFormat(lang, { day: "numeric", month: "short", year: "numeric" });
    this.monthName = new Intl.DateTimeFormat(lang, { month: "long", year: "numeric" });
    this.days = [];
    this.total = 0;
    this.assets = new Map();
    this.chunks = [];
    this.loading = new Map();
    this.cells = new Map();
    // Those whose pictures were asked for and are not there yet.
    this.coming = new Set();
    this.spare = [];
    this.heads = new Map();
    this.focus = 0;
    this.generation = 0;
    this.root = root;
    root.className = "grid";
    root.innerHTML = "";
    this.headLayer = root.appendChild(document.createElement("div"));
    this.layer = root.appendChild(document.createElement("div"));
    if (picks) {
      this.layer.setAttribute("role", "listbox");
      this.layer.setAttribute("aria-multiselectable", "true");
      this.layer.setAttribute("aria-label", label);
      root.classList.add("choosing");
    }
    this.years = document.createElement("div");
    this.years.className = "years";
    this.years.tabIndex = 0;
    this.years.setAttribute("role", "slider");
    this.years.setAttribute("aria-orientation", "vertical");
    this.years.setAttribute("aria-label", words.pageMonths);
    this.years.setAttribute("aria-valuemin", 0);
    root.appendChild(this.years);
    this.months = [];
    // Until when no pictures are asked for.
    this.passing = 0;
    this.scrolled = 0;
    this.wasAt = scrollY;
    this.onScroll = () => {
      const now = performance.now();
      // Who goes far away out of stillness has arrived.
      const isJump = Math.abs(scrollY - this.wasAt) > innerHeight && now - this.scrolled > resting;
      this.scrolled = now;
      this.wasAt = scrollY;
      if (!isJump) this.passing = now + resting;
      this.schedule();
    };
    addEventListener("scroll", this.onScroll, { passive: true });
    this.watcher = new ResizeObserver(() => this.layout());
    this.watcher.observe(root);
    this.years.addEventListener("pointerdown", (event) => this.dragYears(event));
    this.years.addEventListener("keydown", (event) => this.stepYears(event));
  }

  close() {
    removeEventListener("scroll", this.onScroll);
    clearTimeout(this.later);
    this.watcher.disconnect();
    this.generation += 1;
  }

  hide(isHidden) {
    this.root.hidden = isHidden;
    if (!isHidden) this.layout();
  }

  // What it shows: everything that matches the query.
  async load(query) {
    const generation = ++this.generation;
    this.query = new URLSearchParams(this.source);
    for (const [name, value] of query) this.query.append(name, value);
    const answer = await fetch("/api/days?" + this.query);
    if (!answer.ok) throw new Error(answer.status);
    const days = await answer.json();
    if (generation !== this.generation) return;
    this.setDays(days);
  }

  // What it shows: these pictures.
  setAssets(list) {
    this.generation += 1;
    this.setDays(list.length ? [{ day: "", count: list.length }] : [], list);
  }

  // known: the pictures, where they are here already.
  setDays(days, known) {
    this.days = days;
    this.assets.clear();
    this.loading.clear();
    this.chunks = [];
    let first = 0;
    for (const [index, day] of days.entries()) {
      day.first = first;
      first += day.count;
      const last = this.chunks.at(-1);
      if (last && !last.skip && last.count + day.count <= chunkSize) {
        last.count += day.count;
        last.to = index;
        continue;
      }
      // A day may have any number: then it is asked for in parts, which are no part of a chunk with others.
      for (let skip = 0; skip < day.count; skip += mostAssets) {
        this.chunks.push({ first: day.first + skip, count: Math.min(mostAssets, day.count - skip), from: index, to: index, skip });
      }
    }
    this.total = first;
    this.focus = 0;
    if (known) {
      known.forEach((asset, index) => this.assets.set(index, asset));
      for (const chunk of this.chunks) chunk.done = true;
    }
    for (const cell of this.cells.values()) this.recycle(cell);
    this.cells.clear();
    this.layout();
  }

  layout() {
    if (this.root.hidden) return;
    const style = getComputedStyle(this.root);
    const side = parseFloat(getComputedStyle(this.root.parentElement).paddingLeft) || 0;
    const width = this.root.clientWidth - side - Math.max(side, 44);
    if (width <= 0) return;
    // Of the wide ones a preview of 256 is enough, whose shorter side is 192 where it is three quarters of the longer.
    const most = width < 520 ? 128 : 204;
    this.side = side;
    this.columns = Math.max(3, Math.ceil(width / most));
    this.size = (width - gap * (this.columns - 1)) / this.columns;
    this.step = this.size + gap;
    // Days of few pictures stand beside each other.
    let top = 0;
    let bottom = 0;
    let column = this.columns;
    const least = this.columns > 4 ? 2 : this.columns;
    for (const day of this.days) {
      const wide = Math.max(day.count, least);
      if (column + wide > this.columns) {
        top = bottom;
        column = 0;
      }
      day.top = top;
      day.column = column;
      day.width = Math.min(wide, this.columns);
      day.rows = Math.ceil(day.count / this.columns);
      column += wide + (wide < this.columns ? 0 : 1);
      bottom = Math.max(bottom, top + (day.day ? head : 8) + day.rows * this.step + 10);
    }
    top = bottom;
    this.height = top;
    this.root.style.height = top + "px";
    // Its longer side, of a picture whose shorter one fills the cell.
    const longer = this.size * Math.min(devicePixelRatio, 2) * 1.25;
    this.pixels = keptSizes.find((size) => size >= longer) ?? keptSizes.at(-1);
    this.drawYears();
    this.render();
  }

  schedule() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.render();
    });
  }

  // The day at a height.
  dayAt(top) {
    let low = 0;
    let high = this.days.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.days[middle].top <= top) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  dayOf(index) {
    let low = 0;
    let high = this.days.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.days[middle].first <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  place(index) {
    const day = this.days[this.dayOf(index)];
    const number = index - day.first;
    return {
      top: day.top + (day.day ? head : 8) + Math.floor(number / this.columns) * this.step,
      left: this.side + (day.column + (number % this.columns)) * this.step,
    };
  }

  render() {
    if (this.root.hidden || !this.size || !this.days.length) {
      if (!this.days.length) this.headLayer.textContent = "";
      if (!this.days.length) this.heads.clear();
      return;
    }
    const offset = this.root.getBoundingClientRect().top;
    const above = -offset - innerHeight * 0.6;
    const below = -offset + innerHeight * 1.6;
    const wanted = new Set();
    const days = new Set();
    let begin = this.dayAt(Math.max(0, above));
    while (begin > 0 && this.days[begin - 1].top === this.days[begin].top) begin -= 1;
    for (let at = begin; at < this.days.length; at += 1) {
      const day = this.days[at];
      if (day.top > below) break;
      days.add(at);
      const start = day.top + (day.day ? head : 8);
      const from = Math.max(0, Math.floor((above - start) / this.step)) * this.columns;
      const to = Math.min(day.count, Math.max(0, Math.ceil((below - start) / this.step)) * this.columns);
      for (let number = from; number < to; number += 1) wanted.add(day.first + number);
    }
    // Where the keyboard is it stays; when it is elsewhere, it comes in at what is seen.
    const active = document.activeElement;
    const kept = active?.cell && this.layer.contains(active) ? active.cell : null;
    if (!kept) this.moveFocus(wanted, -offset);
    for (const [index, cell] of this.cells) {
      if (wanted.has(index) || cell === kept) continue;
      this.cells.delete(index);
      this.recycle(cell);
    }
    // In their order, also for who is read them.
    let last = null;
    if (kept && !wanted.has(kept.index)) {
      this.draw(kept.index);
      if (kept.top < above) last = kept.element;
    }
    for (const index of wanted) last = this.draw(index, last);
    for (const [at, element] of this.heads) {
      const isSame = element.dataset.day === this.days[at]?.day && element.dataset.wide === String(this.days[at].width);
      if (isSame && element.contains(active)) days.add(at);
      if (isSame && days.has(at)) continue;
      element.remove();
      this.heads.delete(at);
    }
    for (const at of days) this.drawHead(at);
    this.ask(wanted);
    this.showPictures();
    this.drawMark(-offset);
  }

  // The place of the keyboard, which it has not got, goes to the first that is seen, unless it is seen itself.
  moveFocus(wanted, above) {
    const isSeen = (index) => {
      const { top } = this.place(index);
      return top + this.size > above + bar && top < above + innerHeight;
    };
    if (wanted.has(this.focus) && isSeen(this.focus)) return;
    for (const index of wanted) {
      this.focus = index;
      if (this.place(index).top >= above + bar) return;
    }
  }

  // last: the element of the cell before it, if it is not the first.
  draw(index, last) {
    let cell = this.cells.get(index);
    if (!cell) {
      cell = this.spare.pop() ?? this.makeCell();
      cell.index = index;
      this.cells.set(index, cell);
      this.layer.insertBefore(cell.element, last ? last.nextSibling : this.layer.firstChild);
    }
    const { top, left } = this.place(index);
    cell.top = top;
    const style = cell.element.style;
    style.transform = `translate(${left}px, ${top}px)`;
    style.width = style.height = this.size + "px";
    this.fill(cell);
    return cell.element;
  }

  fill(cell) {
    const asset = this.assets.get(cell.index);
    const { element } = cell;
    if (cell.asset !== asset) {
      cell.asset = asset;
      this.forget(cell);
      cell.image.hidden = true;
      cell.name.textContent = asset?.name ?? "";
      const kind = asset?.kind;
      const length = asset?.seconds ? `${Math.floor(asset.seconds / 60)}:${String(Math.floor(asset.seconds % 60)).padStart(2, "0")}` : "";
      const raw = asset?.raw ? this.words.pageRaw : "";
      const mark = kind === "video" ? `▶ ${length}` : kind === "livePhoto" ? "◉" : raw;
      cell.mark.textContent = asset?.offline ? `⚠ ${mark}`.trim() : mark;
      element.title = asset?.offline ? this.words.offline : "";
      cell.mark.hidden = !cell.mark.textContent;
      cell.heart.hidden = !asset?.favorite;
      if (cell.look) cell.look.title = this.words.pageOpenPicture.replace("{photo}", () => asset?.name ?? "…");
      const spoken = [asset?.name, asset?.time, asset?.favorite ? this.words.pageFavorite : "", kind === "video" ? `${this.words.video} ${length}` : kind === "livePhoto" ? this.words.livePhoto : raw, asset?.offline ? this.words.offline : ""];
      element.setAttribute("aria-label", spoken.filter(Boolean).join(", ") || "…");
    }
    if (this.picks) {
      element.setAttribute("aria-selected", asset && this.picks.has(asset.id) ? "true" : "false");
      element.setAttribute("aria-setsize", this.total);
      element.setAttribute("aria-posinset", cell.index + 1);
    }
    element.tabIndex = cell.index === this.focus ? 0 : -1;
  }

  makeCell() {
    const element = document.createElement("div");
    element.className = "cell";
    element.setAttribute("role", this.picks ? "option" : "button");
    const name = element.appendChild(document.createElement("span"));
    name.className = "name";
    name.setAttribute("aria-hidden", "true");
    const image = element.appendChild(new Image());
    image.alt = "";
    image.decoding = "async";
    image.draggable = false;
    image.hidden = true;
    const mark = element.appendChild(document.createElement("span"));
    mark.className = "mark";
    mark.setAttribute("aria-hidden", "true");
    const heart = element.appendChild(document.createElement("span"));
    heart.className = "heart";
    heart.textContent = "♥";
    heart.hidden = true;
    heart.setAttribute("aria-hidden", "true");
    const cell = { element, name, image, mark, heart, asset: null, tries: 0 };
    if (this.picks) {
      element.appendChild(document.createElement("i")).className = "tick";
      // For the mouse and the finger; the keyboard has a key. Within an option there is no button.
      cell.look = element.appendChild(document.createElement("span"));
      cell.look.className = "look";
      element.setAttribute("aria-keyshortcuts", "o");
    }
    image.addEventListener("load", () => this.came(cell, true));
    image.addEventListener("error", () => this.came(cell, false));
    element.cell = cell;
    return cell;
  }

  recycle(cell) {
    this.forget(cell);
    cell.asset = null;
    cell.element.remove();
    if (this.spare.length < 200) this.spare.push(cell);
  }

  // Asks for what is in the window, and for what is near it a few at a time when all of that is there: each picture takes one
  // of few connections, and its time of the processor.
  showPictures() {
    clearTimeout(this.settled);
    if (this.root.hidden) return;
    const rest = this.passing - performance.now();
    if (rest > 0) {
      this.settled = setTimeout(() => this.showPictures(), rest);
      return;
    }
    const above = -this.root.getBoundingClientRect().top;
    const isSeen = (cell) => cell.top + this.size > above && cell.top < above + innerHeight;
    const missing = [...this.cells.values()].filter((cell) => cell.asset && !cell.image.hasAttribute("src"));
    const seen = missing.filter(isSeen);
    for (const cell of seen.length || this.coming.size ? seen : missing.slice(0, together)) {
      this.coming.add(cell);
      cell.image.src = `/preview/${encodeURIComponent(cell.asset.id)}?w=${this.pixels}`;
    }
  }

  // Its picture, which is not waited for any more either.
  forget(cell) {
    clearTimeout(cell.again);
    cell.tries = 0;
    cell.image.removeAttribute("src");
    this.coming.delete(cell);
  }

  came(cell, isWhole) {
    cell.image.hidden = !isWhole;
    if (!isWhole && cell.asset && !cell.asset.offline && ++cell.tries < mostTries) {
      clearTimeout(cell.again);
      cell.again = setTimeout(() => this.askAgain(cell), shortestPause * 2 ** (cell.tries - 1));
    }
    if (this.coming.delete(cell) && !this.coming.size) this.showPictures();
  }

  // Its picture, which did not come.
  askAgain(cell) {
    cell.image.removeAttribute("src");
    this.showPictures();
  }

  // Asks for everything that failed, as if it had not.
  retry() {
    for (const chunk of this.chunks) chunk.failures = chunk.next = 0;
    for (const cell of this.cells.values()) {
      if (!cell.tries || !cell.image.hidden) continue;
      clearTimeout(cell.again);
      cell.tries = 0;
      cell.image.removeAttribute("src");
    }
    this.schedule();
  }

  drawHead(at) {
    const day = this.days[at];
    let element = this.heads.get(at);
    if (!day.day) return;
    if (!element) {
      element = this.headLayer.appendChild(document.createElement("h2"));
      element.className = "day";
      element.dataset.day = day.day;
      element.dataset.wide = day.width;
      const name = this.dayText(day.day);
      const title = element.appendChild(document.createElement("span"));
      title.textContent = day.width * this.step < 450 ? this.shortName.format(new Date(...day.day.split("-").map((part, at) => part - (at === 1)))) : name;
      title.title = name;
      if (this.picks) {
        const button = element.appendChild(document.createElement("button"));
        button.type = "button";
        button.textContent = this.words.pageSelectDay.replace("{day}", day.count);
        button.setAttribute("aria-label", this.words.pageSelectDay.replace("{day}", `${name} (${day.count})`));
        button.addEventListener("click", () => this.onDay?.(at));
      }
      this.heads.set(at, element);
    }
    element.style.top = day.top + "px";
    element.style.left = this.side + day.column * this.step + "px";
    element.style.width = (day.width === this.columns ? this.columns : day.width) * this.step - 12 + "px";
    // Of all days that are there Tab stops at one: that in which the keyboard is.
    const button = element.querySelector("button");
    if (button) button.tabIndex = at === this.dayOf(this.focus) ? 0 : -1;
  }

  dayText(day) {
    const [year, month, number] = day.split("-").map(Number);
    return this.dayName.format(new Date(year, month - 1, number));
  }

  // Asks for what is near and not known, at most three questions at a time, that of the window's middle first.
  ask(wanted) {
    const indexes = [...wanted];
    const first = Math.min(...indexes);
    const last = Math.max(...indexes);
    const middle = (first + last) / 2;
    const away = (chunk) => Math.max(chunk.first - middle, middle - chunk.first - chunk.count, 0);
    const open = this.chunks.filter((chunk) => chunk.first <= last && chunk.first + chunk.count > first
      && !chunk.done && !this.loading.has(chunk));
    const now = performance.now();
    let next = Infinity;
    for (const chunk of open.sort((one, other) => away(one) - away(other))) {
      // What failed is left alone for a while.
      if (chunk.next > now) {
        next = Math.min(next, chunk.next - now);
      } else if (this.loading.size >= 3) {
        next = 50;
        break;
      } else this.loadChunk(chunk);
    }
    clearTimeout(this.later);
    if (next < Infinity) this.later = setTimeout(() => this.render(), next);
  }

  loadChunk(chunk) {
    if (chunk.done) return Promise.resolve();
    const already = this.loading.get(chunk);
    if (already) return already;
    const generation = this.generation;
    const query = new URLSearchParams(this.query);
    query.set("from", this.days[chunk.to].day);
    query.set("to", this.days[chunk.from].day);
    if (chunk.skip) query.set("skip", chunk.skip);
    const promise = (async () => {
      const answer = await fetch("/api/assets?" + query);
      // What has gone does not come back.
      if (answer.status === 410) chunk.next = Infinity;
      if (!answer.ok) throw new Error(answer.status);
      const list = await answer.json();
      if (generation !== this.generation) return;
      // By its day: what came or went meanwhile moves nothing else.
      const next = new Map();
      for (let at = chunk.from; at <= chunk.to; at += 1) {
        const { first, count } = chunk.from === chunk.to ? chunk : this.days[at];
        next.set(this.days[at].day, [first, count]);
      }
      for (const asset of list) {
        const place = next.get(asset.day);
        if (!place || place[1] === 0) continue;
        this.assets.set(place[0]++, asset);
        place[1] -= 1;
      }
      chunk.done = true;
    })().catch((error) => {
      chunk.failures = (chunk.failures ?? 0) + 1;
      const pause = Math.min(longestPause, shortestPause * 2 ** (chunk.failures - 1));
      chunk.next = Math.max(chunk.next ?? 0, performance.now() + pause);
      throw error;
    }).finally(() => {
      this.loading.delete(chunk);
      this.schedule();
    });
    promise.catch(() => {});
    this.loading.set(chunk, promise);
    return promise;
  }

  // The assets between two places, both included; what is not known is asked for.
  async range(from, to) {
    const [first, last] = from < to ? [from, to] : [to, from];
    await Promise.all(this.chunks
      .filter((chunk) => chunk.first <= last && chunk.first + chunk.count > first)
      .map((chunk) => this.loadChunk(chunk)));
    const list = [];
    for (let index = first; index <= last; index += 1) if (this.assets.has(index)) list.push(this.assets.get(index));
    return list;
  }

  refresh() {
    for (const cell of this.cells.values()) this.fill(cell);
    for (const at of this.heads.keys()) this.drawHead(at);
  }

  // Moves the keyboard's place, and the window with it.
  focusOn(index) {
    this.focus = Math.max(0, Math.min(this.total - 1, index));
    const { top } = this.place(this.focus);
    const offset = this.root.getBoundingClientRect().top;
    const bottom = 110;
    if (top + offset < bar) scrollBy(0, top + offset - bar - head);
    else if (top + offset + this.size > innerHeight - bottom) scrollBy(0, top + offset + this.size - innerHeight + bottom);
    const { focus } = this;
    this.render();
    // It may have been brought in beneath another.
    this.focus = focus;
    this.refresh();
    this.cells.get(this.focus)?.element.focus({ preventScroll: true });
  }

  // MARK: Years

  drawYears() {
    this.years.textContent = "";
    this.mark = null;
    this.month = null;
    this.broughtTo = null;
    const dated = this.days.filter((day) => day.day);
    this.months = [];
    for (const day of dated) {
      if (this.months.at(-1)?.name !== day.day.slice(0, 7)) this.months.push({ name: day.day.slice(0, 7), top: day.top });
    }
    this.years.setAttribute("aria-valuemax", Math.max(0, this.months.length - 1));
    this.years.hidden = this.height < innerHeight * 2 || dated.length < 2;
    if (this.years.hidden) return;
    const height = this.years.clientHeight || innerHeight - 160;
    let last = "";
    let bottom = -30;
    for (const day of dated) {
      const year = day.day.slice(0, 4);
      const top = (day.top / this.height) * height;
      if (year === last || top - bottom < 22) continue;
      last = year;
      bottom = top;
      const label = this.years.appendChild(document.createElement("span"));
      label.textContent = year;
      label.style.top = top + "px";
    }
    this.mark = this.years.appendChild(document.createElement("i"));
  }

  drawMark(top) {
    if (!this.mark) return;
    this.mark.style.top = Math.max(0, Math.min(1, top / this.height)) * this.years.clientHeight + "px";
    // Several may stand beside each other, and the last ones not come to the top: who was brought to one is there.
    if (scrollY === this.broughtTo) return;
    this.broughtTo = null;
    this.sayMonth(this.monthAt(top + bar));
  }

  // The month at a height: of those that begin at the same, the first.
  monthAt(top) {
    let low = 0;
    let high = this.months.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.months[middle].top <= top) low = middle;
      else high = middle - 1;
    }
    while (low > 0 && this.months[low - 1].top === this.months[low].top) low -= 1;
    return low;
  }

  monthText(name) {
    const [year, month] = name.split("-").map(Number);
    return this.monthName.format(new Date(year, month - 1, 1));
  }

  sayMonth(at) {
    if (this.month === at || !this.months[at]) return;
    this.month = at;
    this.years.setAttribute("aria-valuenow", at);
    this.years.setAttribute("aria-valuetext", this.monthText(this.months[at].name));
  }

  // By keyboard: by months, by years, and to the ends.
  stepYears(event) {
    const steps = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    const last = this.months.length - 1;
    if (last < 0) return;
    const from = this.month ?? 0;
    let to = from + steps[event.key];
    if (event.key === "PageUp" || event.key === "PageDown") {
      const isUp = event.key === "PageUp";
      to = from;
      // To the same month of the year before or after, or what is nearest beyond.
      const [number, month] = this.months[from].name.split("-");
      const goal = `${Number(number) + (isUp ? 1 : -1)}`.padStart(4, "0") + "-" + month;
      while (isUp ? to > 0 && this.months[to].name < goal : to < last && this.months[to].name > goal) to += isUp ? -1 : 1;
    }
    if (Number.isNaN(to)) return;
    event.preventDefault();
    to = Math.max(0, Math.min(last, to));
    scrollTo(0, this.root.offsetTop + this.months[to].top + 8 - bar);
    this.broughtTo = scrollY;
    this.sayMonth(to);
  }

  dragYears(event) {
    event.preventDefault();
    this.years.setPointerCapture(event.pointerId);
    const bubble = this.years.appendChild(document.createElement("b"));
    const move = (event) => {
      const box = this.years.getBoundingClientRect();
      const part = Math.max(0, Math.min(1, (event.clientY - box.top) / box.height));
      const day = this.days[this.dayAt(part * this.height)];
      bubble.style.top = part * box.height + "px";
      if (day?.day) bubble.textContent = this.monthText(day.day.slice(0, 7));
      scrollTo(0, this.root.offsetTop + part * this.height);
    };
    const end = () => {
      bubble.remove();
      this.years.removeEventListener("pointermove", move);
    };
    this.years.addEventListener("pointermove", move);
    this.years.addEventListener("pointerup", end, { once: true });
    this.years.addEventListener("pointercancel", end, { once: true });
    move(event);
  }
}
