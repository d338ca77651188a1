// Digits play, arrows or L and R choose the side; in analysis arrows step.
// No rule of a game is here: the server sends the buttons that can be pressed.

const find = (selector) => document.querySelector(selector);
const game = find("main.game");

const KEYS = {
  ArrowLeft: ".sides [value=L], a[rel=prev]",
  ArrowRight: ".sides [value=R], a[rel=next]",
  l: ".sides [value=L]",
  r: ".sides [value=R]",
};
const CONTROLS = "a, button, summary, input, select, textarea, [contenteditable]";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  // Whoever is at another control means that one.
  if (event.target.closest(CONTROLS) && !event.target.closest(".pad, .steps")) return;
  if (event.key.length === 1 && localStorage.getItem("keys") === "off") return;
  const digit = /^[0-9]$/.test(event.key) && `#key-${event.key}`;
  const wanted = digit || KEYS[event.key] || KEYS[event.key.toLowerCase()];
  const control = wanted && find(wanted);
  if (!control) return;
  event.preventDefault();
  if (control.matches(":disabled")) tellWhy(control);
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

// Why a key does nothing: it is used up, or it is not one's turn. Whoever watches, or sees that
// the game is over, knows.
function tellWhy(key) {
  const waits = key.matches("[aria-disabled=true]");
  const used = key.matches(".used") && !find("#panel.after, #panel.watching, #panel.free");
  if (used || waits) say(`${(used ? key : find(".headline")).textContent}.`);
}

function say(words) {
  const message = find("#message");
  message.textContent = toldWhy = words;
  message.classList.add("calm");
}

if (game) {
  let shown = find("#table").dataset.version;
  let focused = null;

  game.addEventListener("focusin", (event) => (focused = event.target));
  game.addEventListener("change", ({ target }) => {
    if (target.name === "end") sessionStorage.setItem("end", target.value);
    if (target.dataset.setting === "keys") localStorage.setItem("keys", target.checked ? "on" : "off");
  });
  keep();
  new MutationObserver(keep).observe(game, {
    ...{ childList: true, subtree: true, attributes: true },
    attributeFilter: ["data-version", "disabled", "checked"],
  });

  // What was chosen or said here stays when the server sends the page anew.
  function keep() {
    const end = find(`.sides [value="${sessionStorage.getItem("end") ?? "R"}"]`);
    if (end) end.checked = true;
    const keys = find("[data-setting=keys]");
    if (keys) keys.checked = localStorage.getItem("keys") !== "off";
    const { version } = find("#table").dataset;
    if (version !== shown) {
      toldWhy = "";
      for (const part of [find("#status"), find("#panel")]) part.scrollTop = 0;
    }
    shown = version;
    if (toldWhy && !find("#message").textContent) say(toldWhy);
    requestAnimationFrame(keepFocus);
  }

  // What can be scrolled can have focus, for the arrow keys; else it need not.
  function letScroll() {
    const status = find("#status");
    status.tabIndex = status.scrollHeight > status.clientHeight ? 0 : -1;
  }
  addEventListener("resize", letScroll);

  // Where the control that had focus is gone or cannot be used any more, the news has it.
  function keepFocus() {
    letScroll();
    const at = document.activeElement;
    if (at !== document.body && !at.matches(":disabled")) return;
    if (!focused || (focused.isConnected && focused.checkVisibility() && !focused.matches(":disabled"))) return;
    focused = null;
    find("#status").focus({ preventScroll: true });
  }
}
