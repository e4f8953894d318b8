// What every page's script needs: asking the server, making elements, remembering seats.

/** The JSON answer of the server; an error carries the server's message and its status. */
export async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw Object.assign(new Error("the server does not answer"), { status: 0 });
  }
  const answer = await response.json().catch(() => ({ error: `the server answers with status ${response.status}` }));
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
  return answer;
}

/** An element with attributes and children; strings become text, never markup. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const KEPT = "kontor seats";

/** The keys of seats taken in this browser: {table: {seat: key}}. */
export function keptSeats() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

export function keepSeats(table, keys) {
  const kept = keptSeats();
  kept[table] = { ...kept[table], ...Object.fromEntries(keys.map(({ seat, key }) => [seat, key])) };
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing: the address of the page has the key.
  }
}

export function tableAddress(table, key) {
  return `/tables/${table}${key ? `?key=${encodeURIComponent(key)}` : ""}`;
}
