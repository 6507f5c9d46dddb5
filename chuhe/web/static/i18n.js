// Texts by code, from the table of the chosen language; the terminal uses the same tables (chuhe/text/languages).

import { nameOf } from "/static/game.js";
import { settings } from "/static/settings.js";

/** @typedef {import("../page").MessageData} Message */
/** @typedef {import("../page").ArgumentData} Argument */
/** @typedef {"board" | "level-name" | "side" | "motif" | "oldProgram" | "practice" | "by" | "clock" | "go" | "grade" | "labels" | "level" | "notation" | "piece" | "pieces" | "source" | "sprt" | "theme"} Family codes built from a name */
/** @typedef {keyof typeof import("../../text/languages/en.json") | `${Family}.${string}` | `k_${string}`} Code */

export const LANGUAGES = { en: "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文" };

/** @type {Record<string, string>} */
let table = {};

/** Fetches the table of the chosen language; until it has arrived, the page says everything in the old one. */
export async function loadLanguage() {
  const { language } = settings;
  const answer = await fetch(`/language/${language}.json`);
  if (!answer.ok) throw new Error(`${answer.status} for the language ${language}`);
  const texts = await answer.json();
  if (language !== settings.language) return;
  table = texts;
  document.documentElement.lang = language;
}

/**
 * The text of a code. `{name}` is replaced by an argument, `{name|one|many}` by the word for its number.
 * @param {Code} code
 * @param {Record<string, Argument>} [args]
 * @returns {string}
 */
export function t(code, args = {}) {
  const text = table[code] ?? code;
  return text.replace(/( ?)\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}( ?)/g, (whole, before, name, one, many, after) => {
    if (!(name in args)) return whole;
    if (one !== undefined) return before + (args[name] === 1 ? one : many) + after;
    const words = worded(args[name]);
    const isPlace = typeof args[name] === "object" && ("point" in args[name] || "file" in args[name]);
    return isPlace && /^[\u4e00-\u9fff]/.test(words) ? words : before + words + after; // Chinese has no spaces
  });
}

/**
 * The names of a family of codes, in the order of the table.
 * @param {Family} family
 */
export const namesOf = (family) =>
  Object.keys(table)
    .filter((code) => code.startsWith(`${family}.`))
    .map((code) => code.slice(family.length + 1));

/**
 * What the server says, in the page's language; empty for null.
 * @param {Message | null | undefined} message
 */
export const said = (message) => (message ? t(/** @type {Code} */ (message.code), message.args) : "");

/**
 * Sentences one after the other; Chinese has no space between them.
 * @param {(string | false | null | undefined)[]} parts
 */
export const sentences = (...parts) => parts.filter(Boolean).join(settings.language === "en" ? " " : "");

/**
 * @param {Argument} value
 * @returns {string}
 */
function worded(value) {
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    const parts = value.map(worded);
    const last = parts.pop() ?? "";
    return parts.length ? parts.join(t("list.comma")) + t("list.and") + last : last;
  }
  if ("point" in value) return pointName(value.point);
  if ("file" in value) return fileName(value.file % 9);
  if ("move" in value) return value.move.map(pointName).join(settings.notation === "rows" ? "," : byLetters() ? "" : " → ");
  return said(value);
}

const byLetters = () => settings.notation === "iccs" || settings.labels === "coordinates";

/**
 * A point in the chosen notation: by letters, or by the side in whose half it is and the number of the file there.
 * @param {number} square
 */
export function pointName(square) {
  const [rank, file] = [Math.floor(square / 9), square % 9];
  if (settings.notation === "rows") return "JIHGFEDCBA"[rank] + (file + 1);
  if (byLetters()) return nameOf(square);
  const red = rank < 5;
  return t("point.by-side", { ...ofSide(red, file), rank: numeral(red, red ? rank + 1 : 10 - rank) });
}

/** @param {number} file */
function fileName(file) {
  if (settings.notation === "rows") return t("point.column", { number: file + 1 });
  return byLetters() ? t("point.file", { letter: "abcdefghi"[file] }) : t("point.file-by-side", ofSide(true, file));
}

/** Each side counts the files from its right; in Chinese, Red has the Chinese numerals. */
const ofSide = (red, file) => ({
  side: t(red ? "side.red" : "side.black"),
  file: numeral(red, red ? 9 - file : file + 1),
});
const numeral = (red, number) =>
  red && settings.language !== "en" ? "一二三四五六七八九"[number - 1] : String(number);

