// What plain HTML and htmx leave to do: keys, copying, and a connection that heals.
// No rule of a game is here: the server sends the buttons that can be pressed.

const find = (selector) => document.querySelector(selector);

// --- Keys: digits play, arrows or L and R choose the side; in analysis arrows step. ---

const KEYS = {
  ArrowLeft: ".sides [value=L], a[rel=prev]",
  ArrowRight: ".sides [value=R], a[rel=next]",
  l: ".sides [value=L]",
  r: ".sides [value=R]",
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input:not([type=radio]), select, textarea")) return;
  const digit = /^[0-9]$/.test(event.key) && `#key-${event.key}`;
  const wanted = digit || KEYS[event.key] || KEYS[event.key.toLowerCase()];
  const control = wanted && find(wanted);
  if (!control) return;
  event.preventDefault();
  if (control.disabled) tellWhy(control);
  else control.click();
});

// A button that has to wait for its turn can have focus, but does nothing.
document.addEventListener("click", (event) => {
  const control = event.target.closest("[aria-disabled=true]");
  if (!control) return;
  event.preventDefault();
  tellWhy(control);
});

let toldWhy = "";

// Why a key does nothing: it is used up, or else it is as the headline says.
function tellWhy(key) {
  const message = find("#message");
  const words = key.matches(".used") ? key.textContent : find(".headline")?.textContent;
  if (message && words) message.textContent = toldWhy = `${words}.`;
}

// Another game is for the same players.
document.addEventListener("click", (event) => {
  const link = event.target.closest(".games a");
  const chosen = find("#setup")?.elements;
  if (!link || !chosen) return;
  const address = new URL(link.href);
  for (const name of ["opponent", "level", "first"]) {
    address.searchParams.set(name, chosen[name].value);
  }
  link.href = address;
});

// --- Copying a link. ---

function showCopyButtons() {
  for (const button of document.querySelectorAll("[data-copy][hidden]")) button.hidden = false;
}
showCopyButtons();

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // without TLS browsers have no clipboard but this
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 2000);
});

// --- A game that changes while it is looked at. ---

const game = find("main.game");
if (game) keepLive();

function keepLive() {
  const SILENCE = 40_000; // the server gives a sign of life every 15 seconds
  const PATIENCE = 1_500;
  const notice = find("#connection");
  let stream = null; // htmx's connection, once there is one
  let doubted = false; // the network went away before there was one
  let heard = Date.now();
  let lost = false;
  let unsent = null; // the button whose request got lost
  let focused = false;
  let before = 0; // the version that a swap replaces
  let quiet = null;

  // Whatever is older than what is shown, or no page of ours, is not swapped in.
  document.addEventListener("htmx:before:swap", (event) => {
    const fresh = event.detail.tasks[0]?.fragment.querySelector("[data-version]");
    const shown = find("[data-version]");
    if (!fresh || +fresh.dataset.version < +shown.dataset.version) event.preventDefault();
    focused = game.contains(document.activeElement);
    before = shown.dataset.version;
  });
  document.addEventListener("htmx:after:swap", () => {
    showCopyButtons();
    // An answer that says nothing new does not wipe away why a key did nothing.
    if (find("[data-version]").dataset.version !== before) toldWhy = "";
    find("#message").textContent ||= toldWhy;
    // Where the button that had focus is gone, the news has it.
    if (focused && document.activeElement === document.body) {
      find("#status").focus({ preventScroll: true });
    }
  });

  game.addEventListener("htmx:sse:after:connection", (event) => {
    stream = event.detail.connection;
    if (doubted) return reconnect(); // this answer set out over a network that is gone
    heard = Date.now();
    found();
    sendAgain();
  });
  game.addEventListener("htmx:sse:before:message", () => (heard = Date.now()));
  game.addEventListener("htmx:sse:error", (event) => {
    if (event.detail.status === 404) location.reload(); // removed: the page says so
    lose();
  });
  // htmx tries again when a stream breaks, but not when the first attempt fails or all has ended.
  game.addEventListener("htmx:sse:close", () => {
    stream = null;
    heal();
  });
  game.addEventListener("htmx:finally:request", (event) => {
    if (event.target === game && !stream) heal();
  });

  function heal() {
    lose();
    setTimeout(() => htmx.trigger(game, "heal"), PATIENCE);
  }

  // A phone that wakes up, or comes back to a network, need not wait.
  const hurry = () => stream?.delayCanceller?.();
  function reconnect() {
    doubted = !stream;
    if (stream?.reader) stream.reader.cancel();
    else stream?.abortController.abort();
  }
  addEventListener("online", hurry);
  addEventListener("offline", () => {
    lose();
    reconnect();
  });
  document.addEventListener("visibilitychange", () => document.hidden || hurry());
  setInterval(() => Date.now() - heard > SILENCE && reconnect(), 5_000);

  // A move that could not be sent is sent again; its key lets the server play it once only.
  const failed = (event) => {
    const { request, response } = event.detail.ctx ?? {};
    if (!request?.submitter || (response && response.status < 500)) return;
    unsent = request.submitter;
    lose();
    setTimeout(sendAgain, PATIENCE);
  };
  document.addEventListener("htmx:error", failed);
  document.addEventListener("htmx:response:error", failed);
  document.addEventListener("htmx:after:request", (event) => {
    if (event.detail.ctx.response.status < 500) found();
  });

  function sendAgain() {
    const button = unsent;
    unsent = null;
    if (button?.isConnected && !button.disabled) button.click();
  }

  function lose() {
    lost = true;
    clearTimeout(quiet);
    notice.textContent = unsent
      ? "No connection. Your move goes out as soon as it is back."
      : "Connection lost. Trying again\u2026";
  }

  function found() {
    if (!lost) return;
    lost = false;
    notice.textContent = "Connected again.";
    quiet = setTimeout(() => (notice.textContent = ""), 3_000);
  }
}
