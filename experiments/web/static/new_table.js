// The form for a new table: as many seats as players, a budget where there is a search.
import { ask, keepSeats, tableAddress } from "./kontor.js";

const SEARCHES = ["mcts", "alphazero"]; // agents that take a budget

const form = document.getElementById("new-table");
const players = form.querySelector('[data-option="num_players"]');
const seats = [...form.querySelectorAll("[data-seat]")];
const field = (seat, name) => seat.querySelector(`[data-field="${name}"]`);
const error = document.getElementById("form-error");

function arrange() {
  for (const seat of seats) {
    seat.hidden = Number(seat.dataset.seat) >= Number(players.value);
    const type = field(seat, "agent").value.split(":")[0];
    for (const label of seat.querySelectorAll(".budget")) label.hidden = !SEARCHES.includes(type);
    seat.querySelector(".name").hidden = type !== "human";
  }
}

function optionValue(input) {
  if (input.type === "checkbox") return input.checked;
  return input.type === "number" ? Number(input.value) : input.value;
}

function seatAsked(seat) {
  const [type, ...checkpoint] = field(seat, "agent").value.split(":");
  const asked = { type };
  if (checkpoint.length) asked.checkpoint = checkpoint.join(":");
  if (type === "human") asked.name = field(seat, "name").value;
  if (SEARCHES.includes(type)) asked[field(seat, "unit").value] = Number(field(seat, "amount").value);
  return asked;
}

form.addEventListener("input", arrange);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  error.hidden = true;
  const asked = {
    game: form.dataset.game,
    options: Object.fromEntries([...form.querySelectorAll("[data-option]")].map((input) => [input.dataset.option, optionValue(input)])),
    seats: seats.filter((seat) => !seat.hidden).map(seatAsked),
    pace: Number(document.getElementById("pace").value),
  };
  const seed = document.getElementById("seed").value;
  if (seed !== "") asked.seed = Number(seed);
  try {
    const table = await ask("/api/tables", asked);
    keepSeats(table.id, table.keys);
    location.href = tableAddress(table.id, table.keys[0]?.key);
  } catch (problem) {
    error.textContent = problem.message;
    error.hidden = false;
    button.disabled = false;
  }
});
arrange();
