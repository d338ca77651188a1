// The start page: what was chosen for one game is kept for another.

const find = (selector) => document.querySelector(selector);

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
