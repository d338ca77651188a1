// The start page: what is said about the settings, sending them, and keeping what was chosen.

const form = document.querySelector("#setup");
const note = document.querySelector("#note");
const BY_SCRIPT = { "HX-Request": "true" }; // the answer is the part that changes
const PAUSE = 250; // milliseconds without typing
let timer = null;
let asked = 0;
let sending = false;

// What there is to say follows what is typed; an answer that is overtaken is not shown.
form.addEventListener("input", (event) => {
  if (event.target.closest(".choice")) return; // who plays changes nothing about the rules
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
});

async function ask() {
  const number = (asked += 1);
  const answer = await fetch(`/note?${chosen()}`, { headers: BY_SCRIPT }).catch(() => null);
  const words = answer?.ok && (await answer.text());
  if (words && number === asked && !sending) note.innerHTML = words;
}

// The form stays until there is a game: whatever keeps it from being made is said beside it.
form.addEventListener("submit", (event) => {
  if (event.submitter?.formMethod === "get") return; // an offered setting has a page of its own
  event.preventDefault();
  if (!sending) send();
});

async function send() {
  sending = true;
  asked += 1; // an answer on its way is overtaken: it must not hide a refusal
  clearTimeout(timer);
  const request = { method: "POST", body: chosen(), headers: BY_SCRIPT };
  const answer = await fetch(form.action, request).catch(() => null);
  const game = answer?.headers.get("Location");
  if (game) return location.assign(game);
  await say(answer);
  sending = false;
}

async function say(answer) {
  const words = (await answer?.text().catch(() => "")) || "";
  const ours = words && !words.includes("<html"); // a proxy has pages of its own
  if (ours && answer.headers.get("Content-Type")?.startsWith("text/html")) note.innerHTML = words;
  else refuse(ours ? words : "The server does not answer. Your settings are kept: try again.");
  note.tabIndex = -1;
  note.focus();
}

function refuse(reason) {
  const problem = document.createElement("p");
  const heading = document.createElement("strong");
  problem.className = "problem";
  heading.textContent = "Not now.";
  problem.append(heading, ` ${reason}`);
  note.replaceChildren(problem);
}

const chosen = () => new URLSearchParams(new FormData(form));

addEventListener("pageshow", () => (sending = false)); // somebody may come back

// Another game is for the same players.
document.addEventListener("click", (event) => {
  const link = event.target.closest(".games a");
  if (!link) return;
  const address = new URL(link.href);
  for (const name of ["opponent", "level", "first", "match", "rounds", "clock"]) {
    address.searchParams.set(name, form.elements[name].value);
  }
  link.href = address;
});

// Rules that were unfolded stay so on the next page.
const rules = form.querySelector(".fields");
rules.addEventListener("toggle", () => (rules.querySelector("[name=unfolded]").disabled = !rules.open));

// What the game's page needs comes while somebody chooses; links that say so Firefox would refuse.
addEventListener("load", () => {
  for (const file of form.dataset.soon.trim().split(" ")) fetch(file, { priority: "low" }).catch(() => null);
});
