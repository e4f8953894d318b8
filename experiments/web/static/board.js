// Lit places: over each element of the drawing that a legal action points at lies a shape that can be clicked and focused.

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = ["rect", "circle", "ellipse", "polygon", "polyline", "path", "line"];
const MARGIN = 3; // around a box
const GROUND = 0.5; // the share of a group's box that its ground fills at least

/**
 * Light the places of `actions` in the drawing `svg`. `chosen(actions, x, y)` is called with the actions of a place that is
 * clicked, or chosen by Enter.
 */
export function light(svg, actions, chosen) {
  const byPlace = new Map();
  for (const action of actions) {
    for (const place of new Set(action.places)) byPlace.set(place, [...(byPlace.get(place) ?? []), action]);
  }
  const layer = svg.appendChild(document.createElementNS(SVG, "g"));
  layer.setAttribute("class", "lit-layer");
  const areas = [];
  for (const [place, here] of byPlace) {
    const drawn = [...svg.querySelectorAll(`[data-key="${CSS.escape(place)}"]`)].filter((one) => !layer.contains(one));
    drawn.forEach((one, number) => {
      const shape = outline(one);
      shape.dataset.lit = place;
      shape.classList.add("lit");
      shape.append(title(here));
      shape.setAttribute("role", "button");
      shape.setAttribute("aria-label", words(here));
      if (number === 0) shape.setAttribute("tabindex", "0");
      shape.addEventListener("click", (event) => chosen(here, event.clientX, event.clientY));
      shape.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        const box = shape.getBoundingClientRect();
        chosen(here, box.left + box.width / 2, box.top + box.height / 2);
      });
      areas.push([area(one), shape]);
    });
  }
  areas.sort(([one], [other]) => other - one); // small ones last: they lie on top and can be reached
  for (const [, shape] of areas) layer.append(shape);
}

const words = (actions) => (actions.length === 1 ? actions[0].words : `${actions.length} choices: ${actions.map((action) => action.words).join("; ")}`);

function title(actions) {
  const element = document.createElementNS(SVG, "title");
  element.textContent = actions.map((action) => action.words).join("\n");
  return element;
}

/** The shape of an element, without its paint; of a group its ground if one shape lies under most of it, else its box. */
function outline(element) {
  if (element.tagName === "g") {
    const shapes = [...element.querySelectorAll(SHAPES.join(","))].filter((one) => area(one) >= GROUND * area(element));
    if (shapes.length) return outline(shapes[0]);
  }
  if (SHAPES.includes(element.tagName)) {
    const shape = document.createElementNS(SVG, element.tagName);
    for (const name of ["x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "points", "d", "x1", "y1", "x2", "y2", "transform"]) {
      if (element.hasAttribute(name)) shape.setAttribute(name, element.getAttribute(name));
    }
    if (["line", "polyline"].includes(element.tagName)) shape.classList.add("thin");
    return shape;
  }
  const box = element.getBBox();
  const shape = document.createElementNS(SVG, "rect");
  const sizes = { x: box.x - MARGIN, y: box.y - MARGIN, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN, rx: 6 };
  for (const [name, value] of Object.entries(sizes)) shape.setAttribute(name, value);
  return shape;
}

function area(element) {
  const box = element.getBBox();
  return box.width * box.height;
}
