// A table's page: it shows what the server says, and sends what is clicked. The server is told which revision a click was
// made on, so that nothing is played on a position other than the one that was seen.
import { ask, keepSeats, keptSeats, make, tableAddress } from "./kontor.js";
import { light } from "./board.js";

const element = (id) => document.getElementById(id);
const { id, key } = element("table").dataset;
const api = (path = "") => `/api/tables/${id}${path}${key ? `?key=${encodeURIComponent(key)}` : ""}`;

const SMALL = 520; // drawings no wider than this are legible at a phone's width as they are

let table = null; // what the server said last
let busy = false; // a click is on its way
let logged = []; // the lines of the log that are on the page
let asked = 0; // questions to the server, in order
let heard = 0; // the one whose answer is on the page

// ------------------------------------------------------------------ asking

/** Ask, and show the answer unless that of a later question is shown already: it was overtaken and is out of date. */
async function askAndShow(...question) {
  const turn = ++asked;
  const answer = await ask(...question);
  if (turn < heard) return;
  heard = turn;
  show(answer);
}

async function refresh() {
  try {
    await askAndShow(api());
  } catch (problem) {
    tell(problem.message);
  }
}

async function change(path, body) {
  if (busy) return;
  busy = true;
  closeChoice();
  try {
    await askAndShow(api(path), { revision: table.revision, ...body });
    tell("");
  } catch (problem) {
    tell(problem.message);
    if (problem.status === 409) await refresh(); // the page was behind
  } finally {
    busy = false;
  }
}

const play = (action) => change("/act", { action });

function tell(message) {
  element("message").textContent = message;
  element("message").hidden = !message;
}

// ------------------------------------------------------------------ showing

function show(answer) {
  if (table && answer.revision < table.revision) return; // an answer that was overtaken
  const moved = !table || answer.revision !== table.revision || answer.status !== table.status;
  table = answer;
  showTurn();
  if (!moved) return;
  showSeats();
  element("options").textContent = table.options;
  if (table.board === undefined) return;
  showBoard();
  showActions();
  showLog();
  showResult();
}

const mine = () => table.you !== null && table.to_act === table.you && table.status === "playing";

function showTurn() {
  const turn = element("turn");
  const phase = table.phase && table.status === "playing" ? ` Phase: ${table.phase}.` : "";
  turn.classList.toggle("mine", mine());
  if (table.status === "preparing") turn.textContent = "Preparing… the game's rules are compiled when it is first played.";
  else if (table.status === "stopped") turn.replaceChildren(table.problem, " ", make("button", { type: "button", onclick: () => change("/resume", {}) }, "Try again"));
  else if (table.status === "over") turn.textContent = "The game is over.";
  else if (mine()) turn.textContent = `Your turn (seat ${table.you}).${phase}`;
  else {
    const seat = table.seats[table.to_act];
    turn.textContent = `${seat.human ? "Waiting for" : "Thinking:"} ${seat.name} (seat ${table.to_act}).${phase}`;
  }
}

function showSeats() {
  element("seats").replaceChildren(
    ...table.seats.map((seat) => {
      const acts = table.status === "playing" && seat.seat === table.to_act;
      const scores = seat.scores.map(([name, value]) => make("span", { class: "score" }, `${name} ${value}`));
      return make(
        "li",
        { class: acts ? "acts" : "", "data-seat": seat.seat },
        make("span", { class: `disc seat-${seat.seat}`, "aria-hidden": "true" }, String(seat.seat)),
        make("span", { class: "who" }, `player_${seat.seat}: ${seat.name}`, seat.seat === table.you ? " (you)" : "", acts && !seat.human ? make("span", { class: "thinking" }, " thinking") : acts ? " — to act" : ""),
        make("span", { class: "scores" }, ...scores),
      );
    }),
  );
}

function showBoard() {
  const board = element("board");
  const focused = document.activeElement?.closest?.("[data-lit]")?.dataset.lit;
  const { scrollLeft, scrollTop } = board;
  board.innerHTML = table.board; // the server's own drawing: text in it is escaped there
  element("board-text").textContent = table.text;
  const svg = board.querySelector("svg");
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", `The board of ${table.title}; the same in words below`);
  const width = Number(svg.getAttribute("width"));
  board.style.setProperty("--natural", `${width}px`);
  board.classList.toggle("small", width <= SMALL);
  element("zoom").hidden = width <= SMALL;
  board.scrollTo(scrollLeft, scrollTop);
  if (mine()) {
    light(svg, table.actions, chosen);
    bringIntoSight(board);
  }
  if (focused) board.querySelector(`[data-lit="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

/** Where the frame is smaller than the board and no lit place can be seen in it: move the first one to its middle. */
function bringIntoSight(board) {
  const frame = board.getBoundingClientRect();
  const lit = [...board.querySelectorAll("[data-lit]")].map((one) => one.getBoundingClientRect());
  const inSight = (box) => box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
  if (!lit.length || lit.some(inSight)) return;
  const middle = (near, far) => (near + far) / 2;
  board.scrollBy(
    middle(lit[0].left, lit[0].right) - middle(frame.left, frame.right),
    middle(lit[0].top, lit[0].bottom) - middle(frame.top, frame.bottom),
  );
}

function showActions() {
  const hadFocus = element("actions").contains(document.activeElement);
  element("actions").replaceChildren(
    ...table.actions.map((action) =>
      make(
        "li",
        {},
        make("button", { type: "button", "data-action": action.action, onclick: () => play(action.action), onfocus: () => hovered(action.places), onmouseenter: () => hovered(action.places), onblur: () => hovered([]), onmouseleave: () => hovered([]) }, action.words),
      ),
    ),
  );
  element("no-actions").textContent =
    table.you === null ? "You are watching." : table.status === "over" ? "The game is over." : table.actions.length ? `${table.actions.length} to choose from; lit places of the board do the same.` : "Nothing to do until it is your turn.";
  element("undo").disabled = !table.can_undo;
  if (hadFocus) (element("actions").querySelector("button") ?? element("board")).focus({ preventScroll: true });
}

function line(entry) {
  const who = entry.seat === table.you ? "You" : `player_${entry.seat}`;
  const time = entry.seconds === null || entry.seconds < 0.05 ? "" : ` (${entry.seconds.toFixed(1)} s)`;
  const item = make("li", { value: entry.move }, make("b", {}, `${who}:`), ` ${entry.words}`, make("span", { class: "small" }, time));
  if (table.reports.includes(entry.move)) {
    item.append(" ", make("button", { type: "button", class: "link", onclick: () => showReport(entry.move), "aria-label": `What ${who} saw before move ${entry.move}` }, "what it saw"));
  }
  return item;
}

function showLog() {
  const log = element("log");
  const lines = table.log.map((entry) => JSON.stringify([entry, table.reports.includes(entry.move)]));
  let same = 0;
  while (same < logged.length && same < lines.length && logged[same] === lines[same]) same += 1;
  while (log.children.length && Number(log.lastElementChild.dataset.at) >= same) log.lastElementChild.remove();
  for (let at = same; at < lines.length; at += 1) {
    const entry = table.log[at];
    if (entry.round !== undefined && entry.round !== table.log[at - 1]?.round) {
      log.append(make("li", { class: "round", "data-at": at }, `Round ${entry.round}`));
    }
    const item = line(entry);
    item.dataset.at = at;
    log.append(item);
  }
  if (same < lines.length) log.scrollTop = log.scrollHeight;
  logged = lines;
}

function showResult() {
  const result = element("result");
  element("replay").hidden = !table.open && !key;
  result.hidden = !table.result;
  if (!table.result) return;
  const { winners, returns, truncated } = table.result;
  const names = winners.map((seat) => `player_${seat} (${table.seats[seat].name})`);
  const cut = truncated ? " The cap on its length ended the game." : "";
  const paid = returns.map((value, seat) => `player_${seat} ${value > 0 ? "+" : ""}${Number(value.toFixed(3))}`).join(", ");
  result.textContent = `${winners.length === table.seats.length ? "Drawn." : `Won by ${names.join(" and ")}.`}${cut} Returns: ${paid}.`;
}

// ------------------------------------------------------------------ the board

/** A lit place was chosen: its one action is played, or there is a menu of several. */
function chosen(actions, x, y) {
  if (actions.length === 1) {
    play(actions[0].action);
    return;
  }
  const menu = element("choice");
  const title = make("p", { class: "small" }, "What to do here");
  menu.replaceChildren(
    title,
    ...actions.map((action) => make("button", { type: "button", role: "menuitem", "data-action": action.action, onclick: () => play(action.action) }, action.words)),
    make("button", { type: "button", role: "menuitem", class: "cancel", onclick: closeChoice }, "Nothing"),
  );
  menu.hidden = false;
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - menu.offsetHeight - 8))}px`;
  menu.querySelector("button").focus({ preventScroll: true });
}

function closeChoice() {
  element("choice").hidden = true;
}

/** Mark the places of the action that is pointed at in the list. */
function hovered(places) {
  for (const lit of element("board").querySelectorAll("[data-lit]")) {
    lit.classList.toggle("pointed", places.includes(lit.dataset.lit));
  }
}

element("choice").addEventListener("keydown", (event) => {
  const buttons = [...element("choice").querySelectorAll("button")];
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step) {
    event.preventDefault();
    buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
  }
});
document.addEventListener("keydown", (event) => event.key === "Escape" && closeChoice());
document.addEventListener("pointerdown", (event) => element("choice").contains(event.target) || closeChoice());
element("undo").addEventListener("click", () => change("/undo", {}));
element("zoom").addEventListener("click", () => {
  const whole = element("board").classList.toggle("whole");
  element("zoom").setAttribute("aria-pressed", String(whole));
  if (!whole) bringIntoSight(element("board"));
});

// ------------------------------------------------------------------ what a search saw

async function showReport(move) {
  try {
    const report = await ask(api(`/reports/${move}`));
    const seats = report.actions[0].values?.length ?? table.seats.length;
    element("report-title").textContent = `What player_${report.seat} saw before move ${move}`;
    element("report-summary").textContent = `${report.iterations} simulations in ${report.seconds} s, ${report.nodes} nodes. Values are what each seat was expected to get, in the game's returns.`;
    const head = ["action", "visits", "share", ...Array.from({ length: seats }, (_, seat) => `player_${seat}`)];
    element("report-head").replaceChildren(make("tr", {}, ...head.map((name, at) => make("th", { class: at ? "number" : "", scope: "col" }, name))));
    element("report-body").replaceChildren(
      ...report.actions.map((entry) => {
        const values = entry.values ?? Array(seats).fill(null);
        const cells = [entry.visits, `${(100 * entry.share).toFixed(1)} %`, ...values.map((value) => (value === null ? "" : (value > 0 ? "+" : "") + value.toFixed(3)))];
        return make("tr", {}, make("td", {}, entry.words + (entry.wins ? " (wins)" : "")), ...cells.map((cell) => make("td", { class: "number" }, String(cell))));
      }),
    );
    element("report-line").textContent = `${report.more ? `And ${report.more} more actions. ` : ""}Expected to follow: ${report.expected.join("; ")}.`;
    element("report").showModal();
  } catch (problem) {
    tell(problem.message);
  }
}
addEventListener("resize", () => bringIntoSight(element("board")));
element("report-close").addEventListener("click", () => element("report").close());

// ------------------------------------------------------------------ seats of this browser

const others = Object.entries(keptSeats()[id] ?? {}).filter(([, other]) => other !== key);
element("invite").hidden = others.length === 0;
for (const [seat, other] of others) {
  const address = new URL(tableAddress(id, other), location.href).href;
  element("invitations").append(make("li", {}, `seat ${seat}: `, make("a", { href: address }, address)));
}

const news = new EventSource(api("/events"));
news.onmessage = refresh;
const AWAY = "The server does not answer; this page tries again by itself.";
news.onerror = () => tell(news.readyState === EventSource.CLOSED ? "The table does not answer any more: reload the page." : AWAY);
news.onopen = () => element("message").textContent === AWAY && tell("");
await refresh();
if (key && table?.you !== null && table) keepSeats(id, [{ seat: table.you, key }]);
