// Views: functions that return elements, and `show`, which makes the page equal to what they return.

const SVG = "http://www.w3.org/2000/svg";

/** The listeners that `el` has given to a node, by property: they are handed on when the node is brought up to date. */
const handlers = new WeakMap();

/** @typedef {Node | string | number | false | null | undefined} Child */

function fill(node, attributes, children) {
  const given = {};
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false && child !== "") node.append(child);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node[name] = given[name] = value;
    else if (name === "style") Object.assign(node.style, value);
    else if (name === "value") node.value = given.value = String(value);
    else if (name === "checked") node.checked = given.checked = Boolean(value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  if (attributes.checked === false) given.checked = false;
  handlers.set(node, given);
  return node;
}

/** An HTML element: `el("button", {class: "x", onclick: f}, "text")`. Every text is put in as text, never as markup. */
export const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/** The same for SVG. */
export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

export const byId = (id) => document.getElementById(id);

// --- bringing the page up to date

/**
 * Makes the content of a node equal to what a view returned. What is the same stays, and with it focus and scrolling.
 * A child with `data-own` keeps its content: something else draws it.
 * @param {Element} parent
 * @param {any[]} content
 */
export function show(parent, ...content) {
  const wanted = el("div", {}, ...content);
  update(parent, [...wanted.childNodes]);
}

const keyOf = (node) => (node.nodeType === 1 ? node.id || node.getAttribute("data-key") || "" : "");
const alike = (old, wanted) => old.nodeName === wanted.nodeName && keyOf(old) === keyOf(wanted);

function update(parent, wanted) {
  let old = parent.firstChild;
  for (const node of wanted) {
    let found = old;
    if (found && !alike(found, node) && keyOf(node)) while (found && !alike(found, node)) found = found.nextSibling;
    if (!found || !alike(found, node)) {
      parent.insertBefore(node, old);
      continue;
    }
    while (old !== found) old = removed(old);
    refresh(found, node);
    old = found.nextSibling;
  }
  while (old) old = removed(old);
}

function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function refresh(old, wanted) {
  if (old.nodeType !== 1) {
    if (old.data !== wanted.data) old.data = wanted.data;
    return;
  }
  for (const { name } of [...old.attributes])
    if (!wanted.hasAttribute(name) && name !== "style" && name !== "open") old.removeAttribute(name);
  for (const { name, value } of wanted.attributes)
    if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.style && old.style.cssText !== wanted.style.cssText) old.style.cssText = wanted.style.cssText;
  if (!wanted.hasAttribute("data-own")) update(old, [...wanted.childNodes]);
  const [before, now] = [handlers.get(old) ?? {}, handlers.get(wanted) ?? {}];
  for (const name of Object.keys(before)) if (name.startsWith("on") && !(name in now)) old[name] = null;
  for (const [name, value] of Object.entries(now)) {
    if (name === "value" && (old === document.activeElement && old.nodeName !== "SELECT" || old.value === value)) continue;
    old[name] = value;
  }
  handlers.set(old, now);
}

// --- parts that many views have

/** A button with its type set. */
export const button = (text, onclick, attributes = {}) =>
  el("button", { type: "button", onclick, ...attributes }, text);

/** A labelled select; `options` are [value, text]. */
export const select = (label, options, value, onchange, attributes = {}) =>
  el(
    "label",
    { class: "field" },
    el("span", {}, label),
    el(
      "select",
      { ...attributes, value, onchange: (event) => onchange(event.target.value) },
      options.map(([key, text]) => el("option", { value: String(key) }, text)),
    ),
  );

/** A labelled checkbox. */
export const check = (label, checked, onchange, attributes = {}) =>
  el(
    "label",
    { class: "check", title: attributes.title },
    el("input", { type: "checkbox", ...attributes, checked, onchange: (event) => onchange(event.target.checked) }),
    el("span", {}, label),
  );

/** A table of rows (`tr`) under a head of texts; an empty text is an empty cell. */
export const smallTable = (head, rows, attributes = {}) =>
  el(
    "table",
    { class: "small", ...attributes },
    el("thead", {}, el("tr", {}, head.map((text) => (text ? el("th", { scope: "col" }, text) : el("td"))))),
    el("tbody", {}, rows),
  );

// --- dialogs

/** @type {{ box: HTMLDialogElement, redraw: () => void } | null} */
let open = null;

/**
 * A modal dialog with a title and a way out; only one is open at a time. `title()` and `view()` are asked again whenever
 * the page is redrawn; `view` gets a function that closes it.
 * @param {() => string} title
 * @param {(close: () => void) => any} view
 * @param {() => string} closeText
 */
export function dialog(title, view, closeText, attributes = {}) {
  open?.box.close();
  const box = /** @type {HTMLDialogElement} */ (el("dialog", { class: "dialog", ...attributes }));
  const close = () => box.close();
  const redraw = () => {
    box.setAttribute("aria-label", title());
    show(
      box,
      el(
        "div",
        { class: "dialog-head" },
        el("h2", {}, title()),
        button("✕", close, { class: "round", "aria-label": closeText() }),
      ),
      el("div", { class: "dialog-body" }, view(close)),
    );
  };
  box.addEventListener("close", () => {
    box.remove();
    if (open?.box === box) open = null;
  });
  box.addEventListener("click", (event) => {
    if (event.target === box) close();
  });
  redraw();
  document.body.append(box);
  open = { box, redraw };
  box.showModal();
  return box;
}

export const redrawDialog = () => open?.redraw();
export const dialogIsOpen = () => open !== null;
