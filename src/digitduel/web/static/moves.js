// What is pressed: shown at once as pending, sent until there is an answer, and done once only.
// Where the stream is up, it brings what came of it; the answer itself is empty then.

const find = (selector) => document.querySelector(selector);

const game = find("main.game");
if (game) keepSending();

function keepSending() {
  const PATIENCE = 1_500;
  const say = (name) => document.dispatchEvent(new CustomEvent(name));
  const shown = () => +find("#table").dataset.version;
  let pressed = null; // htmx's context of the request that is on its way
  let unsent = null; // and of the one that got lost

  // Where a button stands: a digit in its turn, everything else in its version of the game.
  const placeOf = ({ name, form }) => {
    const { round, ply, key } = form?.elements ?? {};
    return name === "digit" ? `${round?.value}.${ply?.value}` : key?.value;
  };
  const isInPlace = ({ request, place }) => placeOf(request.submitter) === place;

  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (!ctx.request.submitter) return;
    if (game.dataset.connection === "up") ctx.request.headers["X-Live"] = "1";
    ctx.place = placeOf(ctx.request.submitter);
    pressed = ctx;
    unsent = null;
    markPending();
  });

  // The digit stands where it will be, and other keys wait.
  function markPending() {
    const { name, value, form } = pressed.request.submitter;
    if (name !== "digit") return;
    const side = { L: ".left", R: ".right" }[form.elements.end?.value] ?? "";
    const slot = find(`.number .slot${side}`);
    slot?.replaceChildren(value);
    slot?.classList.add("pending");
    form.setAttribute("aria-busy", "true");
    for (const key of form.querySelectorAll(".key:enabled")) key.setAttribute("aria-disabled", "true");
  }
  const wait = (event) => {
    if (!event.target.closest("[aria-busy=true] .key")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("click", wait, true);

  document.addEventListener("htmx:after:swap", () => {
    if (!pressed) return;
    const isOpen = unsent === pressed || !pressed.response;
    if (isOpen && isInPlace(pressed)) return markPending();
    pressed = unsent = null; // answered, or the game has gone on
    delete game.dataset.unsent;
  });
  document.addEventListener("htmx:after:request", (event) => {
    const { response } = event.detail.ctx;
    const version = +response.headers.get("X-Version");
    if (response.status === 204) setTimeout(() => shown() < version && say("look"), PATIENCE);
  });

  // What could not be sent is sent again; the server does it once only.
  const failed = (event) => {
    const { ctx } = event.detail;
    const response = ctx?.response;
    const passes = !response || response.status >= 500 || response.headers.has("HX-Reswap");
    if (!ctx?.request.submitter || !passes) return;
    unsent = ctx;
    game.dataset.unsent = "";
    say("unsent");
    setTimeout(sendAgain, PATIENCE);
  };
  document.addEventListener("htmx:error", failed);
  document.addEventListener("htmx:response:error", failed);
  document.addEventListener("connected", sendAgain);

  function sendAgain() {
    const again = unsent;
    unsent = null;
    delete game.dataset.unsent;
    if (again && isInPlace(again)) again.request.submitter.form.requestSubmit(again.request.submitter);
  }
}
