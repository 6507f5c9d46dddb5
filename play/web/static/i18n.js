// Texts by key, one table per language; and translations of the server's English messages.

import { en } from "/static/en.js";
import { zh, reasons } from "/static/zh.js";
import { settings } from "/static/settings.js";

const tables = { en, zh };

/** The text of a key. `{name}` is replaced by a value, `{name|one|many}` by the singular or plural for it. */
export function t(key, values = {}) {
  const text = tables[settings.language][key] ?? en[key] ?? key;
  const worded = text.replace(/\{(\w+)\|(.*?)\|(.*?)\}/g, (_, name, one, many) => (values[name] === 1 ? one : many));
  return worded.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Fills in the texts of index.html: `data-t` is an element's text, `data-label` its name for screen readers. */
export function translatePage() {
  document.documentElement.lang = settings.language === "zh" ? "zh-Hans" : "en";
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of document.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", t(node.dataset.label));
    if (node.tagName === "BUTTON") node.title = t(node.dataset.label);
  }
}

/** A server message (why a move is illegal, how a game ended) in the page's language. */
export function said(text) {
  if (settings.language === "en" || !text) return text;
  for (const [pattern, answer] of reasons) {
    const match = text.match(pattern);
    if (match) return answer.replace(/\$(\d)/g, (whole, index) => said(match[Number(index)] ?? ""));
  }
  return text;
}
