// The viewer of a stored game: asks the server for positions and words, steps, plays on by itself, draws the curve.

const SHAPES = [
  (x, y) => `M${x - 3} ${y}a3 3 0 1 0 6 0a3 3 0 1 0-6 0`,
  (x, y) => `M${x - 3} ${y - 3}h6v6h-6z`,
  (x, y) => `M${x} ${y - 4}l4 7h-8z`,
  (x, y) => `M${x} ${y - 4}l4 4l-4 4l-4-4z`,
  (x, y) => `M${x - 4} ${y - 3}h8l-4 7z`,
  (x, y) => `M${x - 1} ${y - 4}h2v3h3v2h-3v3h-2v-3h-3v-2h3z`,
];
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 4", "12 3"];
const KEPT = 200; // positions held here
const SMALL = 480; // drawings of at most this width, in pixels, are legible on a phone as a whole

export class Viewer {
  constructor(element, query) {
    this.element = element;
    this.query = query;
    this.names = JSON.parse(element.dataset.names).map((name, seat) =>
      name === `player_${seat}` ? name : `${name} (player_${seat})`,
    );
    this.moves = Number(element.dataset.moves);
    this.move = 0;
    this.kept = new Map();
    this.asked = 0;
    this.timer = null;
    this.points = null;
    this.onEnd = () => {};
    this.part = (id) => element.querySelector(`#${id}`);
    this.listen();
  }

  async start() {
    await this.loadLog();
    const asked = Number(new URLSearchParams(location.hash.slice(1)).get("move"));
    await this.show(Number.isInteger(asked) ? asked : 0);
    if (this.element.dataset.live) this.follow(this.element.dataset.live);
  }

  // A game that is still going on: new moves are shown as they come to whoever stands at the end.
  follow(address) {
    this.events = new EventSource(address);
    this.events.addEventListener("message", async (event) => {
      const { moves, over } = JSON.parse(event.data);
      if (over) this.events.close();
      if (moves === this.moves) return;
      const stoodAtEnd = this.move >= this.moves || this.move > moves;
      this.moves = moves;
      this.kept.clear();
      this.part("slider").max = moves;
      this.part("total").textContent = moves;
      await this.loadLog();
      await this.show(stoodAtEnd ? moves : this.move);
    });
  }

  get seat() {
    return this.part("seat").value;
  }

  url(path, more = {}) {
    const query = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(more)) if (value !== "") query.set(name, value);
    return `${path}?${query}`;
  }

  async ask(url, options) {
    const answer = await fetch(url, { headers: { accept: "application/json" }, ...options });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error);
    return body;
  }

  position(move) {
    const key = `${this.seat}/${move}`;
    if (!this.kept.has(key)) {
      const asked = this.ask(this.url("/api/replay/position", { move, seat: this.seat }));
      asked.catch(() => this.kept.delete(key));
      this.kept.set(key, asked);
      if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
    }
    return this.kept.get(key);
  }

  async show(move) {
    this.move = Math.max(0, Math.min(this.moves, move));
    const turn = ++this.asked;
    let position;
    try {
      position = await this.position(this.move);
    } catch (error) {
      this.stop();
      this.part("told").textContent = error.message;
      return;
    }
    if (turn !== this.asked) return; // another step was asked for since
    this.draw(position.svg);
    this.part("text").textContent = position.text;
    this.part("number").textContent = this.move;
    this.part("slider").value = this.move;
    this.part("slider").setAttribute("aria-valuetext", `move ${this.move} of ${this.moves}`);
    this.tell(position);
    this.mark();
    this.drawHere();
    for (const id of ["first", "back"]) this.part(id).disabled = this.move === 0;
    for (const id of ["next", "last"]) this.part(id).disabled = this.move === this.moves;
    if (this.move < this.moves) this.position(this.move + 1).catch(() => {});
  }

  // On a phone the board is shown whole, or large within a frame that is moved.
  draw(svg) {
    const board = this.part("board");
    board.innerHTML = svg;
    const natural = Number(board.firstElementChild.getAttribute("width"));
    board.style.setProperty("--natural", `${natural}px`);
    board.classList.toggle("small", natural <= SMALL);
  }

  tell(position) {
    const told = this.part("told");
    told.replaceChildren();
    if (this.move > 0) {
      const entry = this.log[this.move - 1];
      const who = document.createElement("b");
      who.textContent = this.names[entry.seat];
      told.append(`Move ${this.move}, `, who, `: ${entry.words}. `);
    }
    if (position.outcome) told.append(position.outcome);
    else told.append(`${this.names[position.seat]} is to act (${position.phase}).`);
  }

  async loadLog() {
    this.log = await this.ask(this.url("/api/replay/log", { seat: this.seat }));
    this.part("log").replaceChildren(
      ...this.log.map((entry, index) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        const who = document.createElement("span");
        button.type = "button";
        who.className = "who";
        who.textContent = `player_${entry.seat}: `;
        who.title = this.names[entry.seat];
        button.append(who, entry.words);
        button.addEventListener("click", () => this.go(index + 1));
        item.append(button);
        return item;
      }),
    );
  }

  mark() {
    const log = this.part("log");
    log.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const here = log.children[this.move - 1];
    if (!here) {
      log.scrollTop = 0;
      return;
    }
    here.firstChild.setAttribute("aria-current", "step");
    const middle = here.offsetTop - log.clientHeight / 2;
    if (here.offsetTop < log.scrollTop || here.offsetTop + here.offsetHeight > log.scrollTop + log.clientHeight) {
      log.scrollTop = middle;
    }
  }

  go(move) {
    this.stop();
    return this.show(move);
  }

  play() {
    if (this.move === this.moves) this.move = -1;
    this.part("auto").textContent = "Pause";
    this.part("auto").setAttribute("aria-pressed", "true");
    const step = async () => {
      if (this.timer === null) return;
      await this.show(this.move + 1);
      if (this.timer === null) return;
      if (this.move >= this.moves) {
        this.stop();
        this.onEnd();
        return;
      }
      this.timer = setTimeout(step, Number(this.part("pace").value));
    };
    this.timer = setTimeout(step, 0);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.part("auto").textContent = "Play";
    this.part("auto").setAttribute("aria-pressed", "false");
  }

  toggle() {
    if (this.timer === null) this.play();
    else this.stop();
  }

  listen() {
    this.part("first").addEventListener("click", () => this.go(0));
    this.part("back").addEventListener("click", () => this.go(this.move - 1));
    this.part("next").addEventListener("click", () => this.go(this.move + 1));
    this.part("last").addEventListener("click", () => this.go(this.moves));
    this.part("auto").addEventListener("click", () => this.toggle());
    this.part("zoom").addEventListener("click", () => {
      const board = this.part("board");
      this.part("zoom").setAttribute("aria-pressed", String(board.classList.toggle("large")));
      board.scrollTo((board.scrollWidth - board.clientWidth) / 2, (board.scrollHeight - board.clientHeight) / 2);
    });
    this.part("slider").addEventListener("input", (event) => this.go(Number(event.target.value)));
    this.part("seat").addEventListener("change", async () => {
      await this.loadLog();
      await this.show(this.move);
    });
    this.part("ask")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.askCurve(this.part("judge").value);
    });
    this.keys = (event) => this.onKey(event);
    document.addEventListener("keydown", this.keys);
  }

  close() {
    this.stop();
    document.removeEventListener("keydown", this.keys);
    this.events?.close();
  }

  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (["INPUT", "SELECT", "TEXTAREA", "SUMMARY"].includes(event.target.tagName)) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    const steps = { ArrowLeft: this.move - 1, ArrowRight: this.move + 1, Home: 0, End: this.moves };
    if (event.key in steps) this.go(steps[event.key]);
    else if (event.key === " ") this.toggle();
    else return;
    event.preventDefault();
  }

  // ------------------------------------------------------------------ the curve

  async askCurve(agent) {
    const progress = this.part("progress");
    const turn = (this.curveTurn = (this.curveTurn ?? 0) + 1);
    this.part("curve").replaceChildren();
    this.part("key").replaceChildren();
    this.points = null;
    try {
      for (;;) {
        const found = await this.ask(this.url("/api/replay/curve"), {
          method: "POST",
          headers: { accept: "application/json", "content-type": "application/json" },
          body: JSON.stringify({ agent: JSON.parse(agent) }),
        });
        if (turn !== this.curveTurn) return;
        if (found.error) throw new Error(found.error);
        if (found.points) {
          progress.textContent = "";
          this.points = found.points;
          this.drawCurve();
          return;
        }
        progress.textContent = `Judging positions: ${found.done} of ${found.total}`;
        await new Promise((done) => setTimeout(done, 400));
      }
    } catch (error) {
      if (turn === this.curveTurn) progress.textContent = error.message;
    }
  }

  drawCurve() {
    const [width, height, left, right, top, bottom] = [480, 220, 42, 10, 10, 24];
    const values = this.points.flatMap((point) => point.values.filter((value) => value !== null));
    let [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    if (low === high) [low, high] = [-1, 1];
    const x = (move) => left + ((width - left - right) * move) / Math.max(1, this.moves);
    const y = (value) => top + ((height - top - bottom) * (high - value)) / (high - low);
    const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": this.curveInWords() });
    for (const value of new Set([low, 0, high])) {
      svg.append(element("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "axis" }));
      svg.append(element("text", { x: left - 5, y: y(value) + 4, "text-anchor": "end" }, short(value)));
    }
    svg.append(element("text", { x: left, y: height - 6 }, "0"));
    svg.append(element("text", { x: width - right, y: height - 6, "text-anchor": "end" }, `${this.moves} moves`));
    this.names.forEach((_, seat) => {
      const points = this.points.filter((point) => point.values[seat] !== null);
      const group = element("g", { class: `seat${seat % 6}` });
      const line = points.map((point) => `${x(point.move).toFixed(1)},${y(point.values[seat]).toFixed(1)}`).join(" ");
      group.append(
        element("polyline", { points: line, class: "line", stroke: "var(--seat)", "stroke-dasharray": DASHES[seat % 6] }),
      );
      const every = Math.max(1, Math.ceil(points.length / 12));
      points.forEach((point, index) => {
        if ((index + seat) % every && index !== points.length - 1) return;
        group.append(element("path", { d: SHAPES[seat % 6](x(point.move), y(point.values[seat])), fill: "var(--seat)" }));
      });
      svg.append(group);
    });
    this.here = element("line", { y1: top, y2: height - bottom, class: "here" });
    svg.append(this.here);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      this.go(Math.round(((at - left) / (width - left - right)) * this.moves));
    });
    this.x = x;
    this.part("curve").replaceChildren(svg);
    this.drawHere();
  }

  drawHere() {
    if (!this.points) return;
    this.here.setAttribute("x1", this.x(this.move));
    this.here.setAttribute("x2", this.x(this.move));
    const point = this.points[this.move];
    this.part("key").replaceChildren(
      ...this.names.map((name, seat) => {
        const item = document.createElement("li");
        const mark = element("svg", { viewBox: "0 0 36 14", class: `seat${seat % 6}`, "aria-hidden": "true" });
        mark.append(
          element("line", { x1: 0, x2: 36, y1: 7, y2: 7, stroke: "var(--seat)", "stroke-width": 2, "stroke-dasharray": DASHES[seat % 6] }),
          element("path", { d: SHAPES[seat % 6](18, 7), fill: "var(--seat)" }),
        );
        const value = point?.values[seat];
        item.append(mark, `${name}: ${value === null || value === undefined ? "–" : short(value)}`);
        return item;
      }),
    );
  }

  curveInWords() {
    const last = this.points.at(-1).values;
    return `Estimates over ${this.moves} moves; at the end ${this.names.map((name, seat) => `${name} ${short(last[seat] ?? 0)}`).join(", ")}`;
  }
}

function short(value) {
  return `${value > 0 ? "+" : ""}${Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2)}`;
}

function element(tag, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== "") made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

if (!document.getElementById("watched")) {
  const viewer = new Viewer(document.getElementById("viewer"), location.search.slice(1));
  viewer.start().catch((error) => {
    viewer.part("told").textContent = error.message;
  });
}
