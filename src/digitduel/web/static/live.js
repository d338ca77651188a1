// A game that changes while it is looked at: a connection that heals, moves that are not lost.

const find = (selector) => document.querySelector(selector);

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
  let quiet = null;

  // Whatever is older than what is shown, or no page of ours, is not swapped in.
  document.addEventListener("htmx:before:swap", (event) => {
    const fresh = event.detail.tasks[0]?.fragment.querySelector("[data-version]");
    const shown = find("[data-version]");
    if (!fresh || +fresh.dataset.version < +shown.dataset.version) event.preventDefault();
    focused = game.contains(document.activeElement);
  });
  document.addEventListener("htmx:after:swap", () => {
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
