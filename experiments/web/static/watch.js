// Plays the latest games of a tournament back, and goes on to newer ones as they come.

import { Viewer } from "/static/replay.js";

const place = document.getElementById("watched");
const choice = document.getElementById("game");
const news = document.getElementById("news");
const run = place.dataset.run;
let viewer = null;
let shown = choice.value;

function begin() {
  viewer = new Viewer(document.getElementById("viewer"), new URLSearchParams({ run, game: shown }).toString());
  viewer.onEnd = () => {
    if (document.getElementById("after").value === "newest" && choice.options[0].value !== shown) {
      setTimeout(() => load(choice.options[0].value), 2000);
    }
  };
  viewer.start().then(() => viewer.play());
}

async function load(id) {
  const settings = ["pace", "judge"].map((name) => [name, viewer.part(name).value]);
  const answer = await fetch(`/watch/game?${new URLSearchParams({ run, game: id })}`);
  if (!answer.ok) return;
  viewer.close();
  place.innerHTML = await answer.text();
  shown = id;
  choice.value = id;
  begin();
  for (const [name, value] of settings) viewer.part(name).value = value;
}

choice.addEventListener("change", () => load(choice.value));

new EventSource(`/api/watch/events?${new URLSearchParams({ run })}`).addEventListener("message", (event) => {
  const games = JSON.parse(event.data);
  const newer = games.findIndex((game) => game.id === shown);
  const options = games.map((game) => new Option(`${game.seats.join(", ")} (${game.id})`, game.id));
  if (newer === -1) options.push(new Option(`${choice.selectedOptions[0].text}`, shown));
  choice.replaceChildren(...options);
  choice.value = shown;
  news.textContent = newer > 0 || newer === -1 ? `There are newer games: ${newer === -1 ? games.length : newer}` : "This is the newest game.";
  const idle = viewer.timer === null && viewer.move === viewer.moves;
  if (idle && newer !== 0 && document.getElementById("after").value === "newest") load(games[0].id);
});

begin();
