// A game that changes while it is looked at: what is new is shown, and a lost connection heals.
// `data-connection="up"` says that the stream is there; moves.js sends what is pressed.

const find = (selector) => document.querySelector(selector);

const game = find("main.game");
if (game) keepLive();

function keepLive() {
  const LET_GO = 5_000; // after so long a hidden tab is not watched any more
  const LINGER = 120_000; // so long a watched round that is over may yet have a next one
  const PING = 10_000;
  const PATIENCE = 1_500;
  const DEAD = 60_000; // the shared worker: it has more to say than that
  const REPLY = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 700;
  const id = location.pathname.split("/")[2];
  const notice = find("#connection");
  const table = () => find("#table").dataset;
  const shown = () => +table().version;
  let port = null;
  let shared = true;
  let heard = Date.now();
  let watched = false;
  let hidden = -Infinity; // since when
  let changed = -Infinity; // when
  let lost = false;
  let quiet = null;
  let focused = false;

  // --- One stream for all tabs; without a shared worker this tab has its own. ---

  function connect() {
    heard = Date.now();
    watched = false;
    try {
      const worker = new SharedWorker(game.dataset.stream, { type: "module" });
      worker.onerror = connectAlone;
      port = worker.port;
    } catch {
      return connectAlone();
    }
    port.onmessage = receive;
    attend();
  }

  // A stream of its own is too dear for a tab that only may be needed.
  function connectAlone() {
    shared = false;
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = receive;
    import(game.dataset.stream).then(({ Stream }) => new Stream().join(channel.port2), connectLater);
    attend();
  }

  function connectLater() {
    isDown();
    setTimeout(connect, PATIENCE);
  }

  const tell = (does, more) => port.postMessage({ does, ...more });

  function attend() {
    const now = Date.now();
    const keeps = (shared && game.hasAttribute("data-keep")) || "keep" in table();
    const seen = !document.hidden || keeps || now - hidden < LET_GO;
    const over = table().live === "no" && now - changed > LINGER;
    if (seen && !over) {
      tell("watch", { game: id, version: shown() });
      watched = true;
    } else if (watched) letGo();
  }

  function letGo() {
    tell("leave");
    watched = false;
    delete game.dataset.connection;
  }

  function receive({ data: message }) {
    heard = Date.now();
    if (!watched) return;
    if (message.is === "open") isUp();
    else if (message.is === "lost") isDown();
    else if (message.is === "game") showInTime(message);
    else if (message.is === "gone") location.reload(); // removed: the page says so
    else if (message.is === "here") noteWhoIsHere(message.seats);
    else if (message.is === "time") {
      const detail = { now: +message.data, at: performance.now() };
      document.dispatchEvent(new CustomEvent("servertime", { detail }));
    }
  }

  function isUp() {
    game.dataset.connection = "up";
    found();
    document.dispatchEvent(new CustomEvent("connected"));
  }

  function isDown() {
    delete game.dataset.connection;
    lose();
  }

  setInterval(() => (watched && Date.now() - heard > DEAD ? connect() : attend()), PING);
  addEventListener("online", () => tell("hurry"));
  addEventListener("offline", () => tell("doubt"));
  addEventListener("pagehide", letGo);
  addEventListener("pageshow", (event) => event.persisted && attend());
  document.addEventListener("visibilitychange", () => {
    hidden = Date.now();
    if (document.hidden) return setTimeout(attend, LET_GO + 100);
    attend();
    if (watched) tell("hurry");
    else look();
  });

  // --- What is shown: nothing that is older than what is there. ---

  let own = 0; // the version that this page has asked for
  let answered = -Infinity; // when it was shown, or until then when it was asked for
  let held = null;

  // The computer replies at once: so that one sees it come, a moment after one's own move.
  function showInTime(message) {
    const wait = answered + REPLY - performance.now();
    clearTimeout(held);
    if ("replies" in game.dataset && message.version > own && wait > 0) {
      held = setTimeout(() => show(message), wait);
    } else show(message);
  }

  function show({ version, html }) {
    if (version <= shown()) return;
    changed = Date.now();
    htmx.swap({ sourceElement: game, target: game, swap: "innerMorph", text: html });
  }

  function look() {
    htmx.ajax("GET", `/games/${id}`, { source: game, target: game, swap: "innerMorph" });
  }
  document.addEventListener("look", look);

  document.addEventListener("htmx:config:request", (event) => {
    if (!event.detail.ctx.request.submitter) return;
    own = shown() + 1;
    answered = performance.now();
  });
  document.addEventListener("htmx:before:swap", (event) => {
    const fresh = event.detail.tasks[0]?.fragment.querySelector("[data-version]");
    if (!fresh || +fresh.dataset.version < shown()) event.preventDefault();
    focused = game.contains(document.activeElement);
  });
  document.addEventListener("htmx:after:swap", () => {
    if (shown() === own) answered = performance.now();
    markWhoIsHere();
    // Where the button that had focus is gone, the news has it.
    if (focused && document.activeElement === document.body) {
      find("#status").focus({ preventScroll: true });
    }
    attend();
  });

  // --- Who is here: said by the name, and once in words. ---

  let here = null;

  function noteWhoIsHere(seats) {
    const before = here;
    here = seats;
    markWhoIsHere();
    const [other] = document.querySelectorAll("[data-presence]");
    if (!other || before === null) return;
    const seat = other.dataset.presence;
    if (before.includes(seat) === here.includes(seat)) return;
    find("#presence").textContent = `${other.dataset.name} is ${here.includes(seat) ? "here" : "away"}.`;
  }

  function markWhoIsHere() {
    for (const mark of document.querySelectorAll("[data-presence]")) {
      if (here !== null) mark.textContent = here.includes(mark.dataset.presence) ? "here" : "away";
    }
  }

  // --- Whether there is a connection, in words. ---

  document.addEventListener("unsent", lose);
  document.addEventListener("htmx:after:request", (event) => {
    if (event.detail.ctx.response.status < 429) found();
  });

  function lose() {
    lost = true;
    clearTimeout(quiet);
    notice.textContent = game.hasAttribute("data-unsent")
      ? "No connection. Your move goes out as soon as it is back."
      : "Connection lost. Trying again\u2026";
  }

  function found() {
    if (!lost) return;
    lost = false;
    notice.textContent = "Connected again.";
    quiet = setTimeout(() => (notice.textContent = ""), 3_000);
  }

  connect();
}
