// Digits play, arrows or L and R choose the side; in analysis arrows step.
// No rule of a game is here: the server sends the buttons that can be pressed.

const find = (selector) => document.querySelector(selector);

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


let shown = find("[data-version]")?.dataset.version;

// An answer that says nothing new does not wipe away why a key did nothing.
document.addEventListener("htmx:after:swap", () => {
  const version = find("[data-version]")?.dataset.version;
  if (version !== shown) toldWhy = "";
  shown = version;
  const message = find("#message");
  if (message) message.textContent ||= toldWhy;
});
