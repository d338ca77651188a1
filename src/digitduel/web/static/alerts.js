// Sound, vibration and a notification when it becomes one's turn: each off until switched on.

const game = document.querySelector("main.game");
const SETTINGS = {
  sound: { can: () => "AudioContext" in window, now: beep },
  vibration: { can: () => "vibrate" in navigator, now: () => navigator.vibrate([120, 60, 120]) },
  notification: { can: () => "Notification" in window && isSecureContext, now: notify },
};
const isOn = (name) => localStorage.getItem(name) === "on";
const yours = () => game.querySelector("#table").dataset.turn === "yours";

let wasYours = yours();
show();
new MutationObserver(() => {
  show();
  if (yours() && !wasYours) {
    for (const name in SETTINGS) if (isOn(name)) SETTINGS[name].now();
  }
  wasYours = yours();
}).observe(game, { childList: true, subtree: true, attributeFilter: ["data-turn"] });

// The boxes as they were left; what this browser cannot do is not offered.
function show() {
  for (const name in SETTINGS) {
    const box = game.querySelector(`[data-setting=${name}]`);
    if (!box) continue;
    box.checked = isOn(name);
    box.parentElement.hidden = !SETTINGS[name].can();
  }
  // The stream then stays in a tab that is hidden.
  game.toggleAttribute("data-keep", Object.keys(SETTINGS).some(isOn));
}

game.addEventListener("change", async ({ target }) => {
  const name = target.dataset.setting;
  if (!(name in SETTINGS)) return;
  localStorage.setItem(name, target.checked ? "on" : "off");
  const note = game.querySelector("#alerts-note");
  note.textContent = "";
  if (target.checked && name === "notification" && (await Notification.requestPermission()) !== "granted") {
    localStorage.setItem(name, "off");
    note.textContent = "Your browser does not allow notifications here: its settings can.";
  } else if (target.checked && name !== "notification") SETTINGS[name].now(); // so that one knows it
  show();
});

let audio = null;

// A browser plays nothing before the page has been touched: then it is ready.
function ready() {
  if (!isOn("sound")) return;
  audio ??= new AudioContext();
  audio.resume();
}
for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, ready);

function beep() {
  ready();
  const [tone, volume, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.frequency.setValueAtTime(660, start);
  tone.frequency.setValueAtTime(880, start + 0.12);
  volume.gain.setValueAtTime(0.15, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + 0.35);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + 0.35);
}

function notify() {
  if (!document.hidden || Notification.permission !== "granted") return;
  const words = (selector) => game.querySelector(selector).textContent;
  try {
    const note = new Notification(words(".headline"), { body: words("h1"), tag: location.pathname });
    note.onclick = () => (window.focus(), note.close());
  } catch {
    // Some phones let only installed pages do that.
  }
}
