// A part of a page that is fetched again whenever the server says that it has changed.

const body = document.getElementById("body");
const SECONDS = 2000; // between two fetches, in milliseconds
let wanted = false;
let busy = false;

async function refresh() {
  if (busy || !wanted || document.hidden) return;
  busy = true;
  wanted = false;
  try {
    const answer = await fetch(body.dataset.body);
    if (answer.ok) put(await answer.text());
  } catch {
    wanted = true; // the server is away for the moment: EventSource connects again by itself
  }
  setTimeout(() => {
    busy = false;
    refresh();
  }, SECONDS);
}

function put(text) {
  const focused = body.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  const scrolled = [...body.querySelectorAll(".wide")].map((part) => part.scrollLeft);
  body.innerHTML = text;
  body.querySelectorAll(".wide").forEach((part, index) => (part.scrollLeft = scrolled[index] ?? 0));
  if (focused) body.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

new EventSource(body.dataset.events).addEventListener("message", (event) => {
  if (event.data === body.dataset.mark) return; // the first may tell what the page shows already
  body.dataset.mark = event.data;
  wanted = true;
  refresh();
});
document.addEventListener("visibilitychange", refresh);
