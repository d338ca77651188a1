// Giving a link to somebody: by the system's own way of sharing, or copied.

const shown = () => {
  for (const button of document.querySelectorAll("[data-copy][hidden], [data-share][hidden]")) {
    button.hidden = false;
  }
};
shown();
document.addEventListener("htmx:after:swap", shown);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-share]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy ?? button.dataset.share);
  if (button.dataset.share && navigator.share && (await shared(field.value))) return;
  await copy(field);
  button.dataset.words ??= button.textContent;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = button.dataset.words), 2000);
});

// Whether the system has taken it; whoever changes their mind has seen the choice, too.
async function shared(url) {
  try {
    const title = document.querySelector("meta[property='og:title']").content;
    await navigator.share({ title, url });
    return true;
  } catch (error) {
    return error.name === "AbortError";
  }
}

async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // without TLS browsers have no clipboard but this
  }
}
