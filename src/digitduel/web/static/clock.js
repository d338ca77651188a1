// Counts the running clock down between what the server says. A module; the markup for each seat:
//
//   <span class="clock" data-left="300000" data-time-up-at="12345">5:00</span>
//
// `data-left` is what was left, in milliseconds, when the seat to move began to think, and
// `data-time-up-at` the playing time at which it is up; a clock that stands has no such attribute.
// The playing time comes as `servertime` on document: { now, at: performance.now() of its arrival }.
// Figures of equal width (font-variant-numeric: tabular-nums) and room for "180:00" keep all still.

const SHORT = 20_000; // milliseconds: below this, tenths of a second are shown
const TICK = 250;
let server = null;
let ticking = 0;

// The same as digitduel.describe.time_left.
function timeLeft(milliseconds) {
  const tenths = Math.floor(milliseconds / 100);
  const seconds = Math.floor(tenths / 10);
  const short = milliseconds < SHORT ? `.${tenths % 10}` : "";
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}${short}`;
}

function show(clock, now) {
  const left = Math.min(clock.dataset.timeUpAt - now, clock.dataset.left);
  const text = timeLeft(Math.max(left, 0));
  if (clock.textContent !== text) clock.textContent = text;
}

function tick() {
  const running = document.querySelectorAll("[data-time-up-at]");
  if (document.hidden || !running.length) {
    clearInterval(ticking);
    ticking = 0;
  }
  const now = server.now + performance.now() - server.at;
  running.forEach((clock) => show(clock, now));
}

function look() {
  if (!server) return;
  ticking ||= setInterval(tick, TICK);
  tick();
}

document.addEventListener("servertime", (event) => {
  server = event.detail;
  look();
});
document.addEventListener("htmx:after:swap", look);
document.addEventListener("visibilitychange", look);
