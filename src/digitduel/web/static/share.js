// Copying a link.

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

document.addEventListener("htmx:after:swap", showCopyButtons);
