// What is new, for all tabs of a browser by one stream: it opens at most six connections to a server of HTTP/1.1, and with a
// stream in each of six tabs none is left for pictures.
//
// The tab that was looked at last listens for all, since others may be frozen. It holds the lock of the stream's address,
// and tells the others by a channel of that name (HTML Standard, 9.5; Web Locks API). Where a page is given no locks, as on an
// address that browsers do not call secure, each tab listens while it is looked at.

// How long after it was refused a stream is asked for again, in milliseconds: twice as long each time, up to the most.
const shortest = 1000;
const longest = 30000;

export class News extends EventTarget {
  // address: of the stream. kinds: the events that it has. The event "live" tells whether news come.
  constructor(address, kinds) {
    super();
    this.address = address;
    this.kinds = kinds;
    this.pause = shortest;
    if (navigator.locks) {
      this.channel = new BroadcastChannel(address);
      this.channel.addEventListener("message", ({ data }) => this.take(data.kind, data.data));
    }
    document.addEventListener("visibilitychange", () => this.look());
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", (event) => { if (event.persisted) this.look(); });
    this.look();
  }

  look() {
    if (!navigator.locks) {
      if (document.hidden) this.leave();
      else this.listen();
    } else if (document.hidden) {
      this.waiting?.abort();
    } else if (!this.source) {
      this.hold({ steal: true });
    }
  }

  // Listens for all, until another tab is looked at; then again when that one has gone.
  hold(options) {
    const stay = () => new Promise(() => this.listen());
    navigator.locks.request(this.address, options, stay).catch(() => {
      this.leave();
      if (document.hidden) return;
      this.waiting = new AbortController();
      this.hold({ signal: this.waiting.signal });
    });
  }

  listen() {
    if (this.source || this.hasEnded) return;
    const source = new EventSource(this.address);
    this.source = source;
    source.addEventListener("open", () => {
      this.pause = shortest;
      this.tell("live", "1");
    });
    // The browser itself tries again, but where it was refused.
    source.addEventListener("error", () => {
      this.tell("live", "0");
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.again(source), this.pause);
    });
    for (const kind of this.kinds) source.addEventListener(kind, ({ data }) => this.tell(kind, data));
  }

  // Whoever has no session any more is told so by the page that comes then. All other refusals pass: a server that is not there
  // behind one that is, or one that has too many pages open.
  async again(source) {
    if (this.source !== source) return;
    this.pause = Math.min(this.pause * 2, longest);
    const question = new AbortController();
    const status = await fetch(this.address, { signal: question.signal }).then((answer) => answer.status).catch(() => 0);
    question.abort();
    if (this.source !== source) return;
    if (status === 401) return this.tell("ended", "");
    this.leave();
    this.listen();
  }

  leave() {
    this.source?.close();
    this.source = null;
  }

  tell(kind, data) {
    this.channel?.postMessage({ kind, data });
    this.take(kind, data);
  }

  take(kind, data) {
    if (kind === "ended") {
      this.hasEnded = true;
      this.leave();
    }
    this.dispatchEvent(new MessageEvent(kind, { data }));
  }
}
