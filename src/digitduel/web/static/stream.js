// One stream of server-sent events for all tabs of a browser: in a shared worker, or where there
// is none in the page. A tab says what it shows; it is passed on what is newer.

const SILENCE = 40_000; // the server gives a sign of life every 15 seconds
const FORGOTTEN = 150_000; // a tab says every 10 seconds that it is there, a hidden one each minute
const MOST = 50; // games that the server tells of in one stream
const AT_ONCE = 20; // milliseconds: tabs that come at the same time are one change
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 4_000;

export class Stream {
  #tabs = new Map(); // port: { game, version, seen }, whoever spoke last at the end
  #source = null;
  #opening = null;
  #failures = 0;
  #heard = 0;

  constructor() {
    setInterval(() => this.#check(), 5_000);
  }

  join(port) {
    const does = {
      watch: ({ game, version }) => this.#watch(port, game, version),
      leave: () => this.#leave(port),
      hurry: () => this.#hurry(),
      doubt: () => this.#source && this.#lose(),
    };
    port.onmessage = ({ data }) => does[data.does](data);
  }

  #watch(port, game, version) {
    const isNew = !this.#tabs.delete(port);
    this.#tabs.set(port, { game, version, seen: Date.now() });
    // Also where the game is watched already: who plays is read from the cookies of this moment.
    if (isNew) this.#openIn(AT_ONCE);
  }

  #leave(port) {
    const game = this.#tabs.get(port)?.game;
    this.#tabs.delete(port);
    if (game && !this.#tabsOf(game).length) this.#openIn(AT_ONCE);
  }

  // A phone that wakes up, or comes back to a network, need not wait.
  #hurry() {
    if (this.#opening || Date.now() - this.#heard > SILENCE / 2) this.#openIn(0);
  }

  #openIn(milliseconds) {
    clearTimeout(this.#opening);
    this.#opening = setTimeout(() => this.#open(), milliseconds);
  }

  #open() {
    this.#close();
    const games = this.#games();
    if (!games.size) return;
    const watch = [...games].map(([game, version]) => `watch=${game}.${version}`);
    const source = new EventSource(`/live?${watch.join("&")}`);
    source.onopen = () => {
      this.#failures = 0;
      for (const game of games.keys()) this.#tell(game, { is: "open" });
    };
    source.onerror = () => this.#lose();
    for (const name of ["game", "gone", "here", "time", "beat"]) {
      source.addEventListener(name, ({ data }) => {
        this.#heard = Date.now();
        this.#pass(name, data);
      });
    }
    this.#source = source;
    this.#heard = Date.now();
  }

  #close() {
    clearTimeout(this.#opening);
    this.#source?.close();
    this.#source = this.#opening = null;
  }

  // What each tab shows, of a game in several tabs the oldest: so nothing is missed.
  #games() {
    const games = new Map();
    for (const { game, version } of [...this.#tabs.values()].reverse()) {
      if (games.has(game) || games.size < MOST) {
        games.set(game, Math.min(version, games.get(game) ?? version));
      }
    }
    return games;
  }

  #pass(name, data) {
    if (name === "game") {
      const [, game, version, html] = /^(.+)\.(\d+)\n([^]*)$/.exec(data);
      this.#tell(game, { is: "game", version: +version, html });
    } else if (name === "gone") {
      this.#tell(data, { is: "gone" });
    } else if (name === "here") {
      const [game, seats] = data.split(" ");
      this.#tell(game, { is: "here", seats });
    } else {
      this.#tellAll({ is: name, data });
    }
  }

  #tabsOf(game) {
    return [...this.#tabs].filter(([, tab]) => tab.game === game);
  }

  #tell(game, message) {
    for (const [port, tab] of this.#tabsOf(game)) {
      if (message.version === tab.version) continue;
      tab.version = message.version ?? tab.version;
      port.postMessage(message);
    }
  }

  #tellAll(message) {
    for (const port of this.#tabs.keys()) port.postMessage(message);
  }

  #lose() {
    this.#close();
    this.#tellAll({ is: "lost" });
    const pause = Math.min(FIRST_PAUSE * 2 ** this.#failures++, LONGEST_PAUSE);
    this.#openIn(pause * (0.7 + 0.6 * Math.random()));
  }

  #check() {
    const now = Date.now();
    for (const [port, { seen }] of this.#tabs) if (now - seen > FORGOTTEN) this.#leave(port);
    if (this.#source && now - this.#heard > SILENCE) this.#lose();
  }
}

if (self.SharedWorkerGlobalScope) {
  const stream = new Stream();
  self.onconnect = (event) => stream.join(event.ports[0]);
}
