// Small helpers to build the page. Every text is put in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else if (name === "value") node.value = value;
    else if (name === "checked" || name === "disabled" || name === "hidden") node[name] = Boolean(value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

/** An HTML element: `el("button", {class: "x", onclick: f}, "text")`. */
export const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/** The same for SVG. */
export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

export const byId = (id) => document.getElementById(id);

/** A button with its type set. */
export const button = (text, onclick, attributes = {}) =>
  el("button", { type: "button", onclick, ...attributes }, text);

/** A small icon, drawn, because some fonts lack the character. */
export const icon = (shape) =>
  svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: shape }));

/** A labelled select; `options` are [value, text]. */
export function select(label, options, value, onchange, attributes = {}) {
  const chosen = el(
    "select",
    { ...attributes, onchange: (event) => onchange(event.target.value) },
    options.map(([key, text]) => el("option", { value: String(key) }, text)),
  );
  chosen.value = String(value);
  return el("label", { class: "field" }, el("span", {}, label), chosen);
}

/** A labelled checkbox. */
export function check(label, value, onchange, attributes = {}) {
  const box = el("input", { type: "checkbox", checked: value, ...attributes });
  box.addEventListener("change", () => onchange(box.checked));
  return el("label", { class: "check" }, box, el("span", {}, label));
}

let open = null;

/** A modal dialog with a title and a way out; `build` fills its body. Only one is open at a time. */
export function dialog(title, build, closeText) {
  open?.close();
  const body = el("div", { class: "dialog-body" });
  const box = el(
    "dialog",
    { "aria-label": title, class: "dialog" },
    el(
      "div",
      { class: "dialog-head" },
      el("h2", {}, title),
      button("✕", () => box.close(), { class: "round", "aria-label": closeText }),
    ),
    body,
  );
  box.addEventListener("close", () => {
    box.remove();
    if (open === box) open = null;
  });
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  build(body, box);
  document.body.append(box);
  open = box;
  box.showModal();
  return box;
}

/** A table of rows (`tr`) under a head of texts; an empty text is an empty cell. */
export const smallTable = (head, rows) =>
  el(
    "table",
    { class: "small" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        head.map((text) => (text ? el("th", { scope: "col" }, text) : el("td"))),
      ),
    ),
    el("tbody", {}, rows),
  );

export const dialogIsOpen = () => open !== null;
