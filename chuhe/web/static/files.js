// Import and export: files, drag and drop or paste anywhere; downloads and copies.

import { app, ask, flipped, redraw, say } from "/static/app.js";
import { button, byId, dialog, dialogIsOpen, el, select } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { meaning } from "/static/place_games.js";
import { NOTATIONS, settings } from "/static/settings.js";

const LARGEST = 4 * 1024 * 1024;

function base64(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000)
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  return btoa(text);
}

function send(bytes, name) {
  if (bytes.length > LARGEST) {
    const size = (bytes.length / 1048576).toFixed(1);
    return say(() => t("tooLarge", { size, most: LARGEST / 1048576 }));
  }
  app.notice = null;
  app.opening = ask("open", { name: name.slice(-200), data: base64(bytes) });
}

const openText = (text) => send(new TextEncoder().encode(text), "");
const openFile = async (file) => {
  if (file.size > LARGEST) return send({ length: file.size }, file.name);
  send(new Uint8Array(await file.arrayBuffer()), file.name);
};

export function listenForFiles() {
  const cover = byId("drop");
  let depth = 0;
  const holds = (event) =>
    [...(event.dataTransfer?.types ?? [])].some((type) => type === "Files" || type === "text/plain");
  const show = (on) => {
    depth = on ? depth : 0;
    cover.hidden = !on;
  };
  addEventListener("dragenter", (event) => {
    if (!holds(event)) return;
    depth++;
    show(true);
  });
  addEventListener("dragleave", () => {
    if (--depth <= 0) show(false);
  });
  addEventListener("dragover", (event) => holds(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    show(false);
    if (!holds(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) openFile(file);
    else openText(event.dataTransfer.getData("text/plain"));
  });
  addEventListener("paste", (event) => {
    if (/^(INPUT|TEXTAREA)$/.test(/** @type {Element} */ (event.target).tagName ?? "") || dialogIsOpen()) return;
    const [file] = event.clipboardData.files;
    const text = event.clipboardData.getData("text/plain");
    if (file) openFile(file);
    else if (text.trim()) openText(text);
  });
}

export function showOpen() {
  let pasted = "";
  dialog(
    () => t("openTitle"),
    (close) => {
      const read = () => {
        if (pasted.trim()) openText(pasted);
        close();
      };
      const chosen = (event) => {
        if (event.target.files[0]) openFile(event.target.files[0]);
        close();
      };
      return [
        el("p", {}, t("openText")),
        el("input", { type: "file", id: "file", class: "hidden-title", tabindex: "-1", "aria-label": t("choose"), onchange: chosen }),
        el("div", { class: "buttons" }, button(t("choose"), () => byId("file").click())),
        el(
          "label",
          { class: "field tall" },
          el("span", {}, t("pasted")),
          el("textarea", {
            rows: "7",
            id: "paste",
            placeholder: "1. 炮二平五 马8进7",
            oninput: (event) => (pasted = event.target.value),
          }),
        ),
        el("div", { class: "buttons" }, button(t("read"), read, { id: "read", class: "main" })),
      ];
    },
    () => t("close"),
  );
}

/**
 * Lets the user choose one of several games in a file.
 * @param {import("../page").Games} message
 */
export function showPicks({ games, total }) {
  dialog(
    () => t("pick"),
    (close) => [
      total > games.length ? el("p", { class: "quiet" }, t("moreGames", { n: games.length, total })) : "",
      el("ol", { class: "entries", id: "picks" }, games.map((game, index) => el("li", {}, pick(game, index, close)))),
    ],
    () => t("close"),
  );
}

function pick(game, index, close) {
  const [red, black, title, event, date] = [game.red, game.black, game.title, game.event, game.date].map(meaning);
  const names = red || black ? `${red || "–"} – ${black || "–"}` : title || event || t("untitled", { n: index + 1 });
  const facts = [red || black ? event : "", date, meaning(game.result.replace("*", "")), t("nMoves", { n: Math.ceil(game.moves / 2) })];
  const open = () => {
    app.opening = ask("pick", { index });
    close();
  };
  return button([el("strong", {}, names), el("span", { class: "quiet" }, facts.filter(Boolean).join(" · "))], open, { class: "entry" });
}

// --- export

let waiting = null;

/**
 * Passes the server's answer to `export` to the caller that is waiting for it.
 * @param {import("../page").Export} message
 */
export const takeExport = (message) => waiting?.(message);

/** @returns {Promise<import("../page").Export>} */
const exported = (notation) =>
  new Promise((resolve) => {
    waiting = resolve;
    ask("export", { notation, pieces: settings.pieces, flipped: flipped() });
  });

/** @param {BlobPart} content */
function download(content, name, type = "text/plain;charset=utf-8") {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Draws an SVG picture as a PNG. */
async function png(picture) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([picture], { type: "image/svg+xml" }));
  image.src = address;
  await image.decode();
  URL.revokeObjectURL(address);
  const canvas = /** @type {HTMLCanvasElement} */ (el("canvas", { width: image.naturalWidth, height: image.naturalHeight }));
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Puts an SVG picture on the clipboard as a PNG; false if the browser does not let us. */
export async function copyPicture(picture) {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png(picture) })]);
    return true;
  } catch {
    return false;
  }
}

async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field.select(); // without permission, the selection can still be copied by hand
    document.execCommand("copy");
  }
}

export async function showExport() {
  let current = await exported(settings.notation);
  let notation = settings.notation;
  /** @type {() => string} */
  let done = () => "";
  dialog(
    () => t("exportTitle"),
    () => {
      const tell = (text) => {
        done = text;
        redraw();
      };
      const save = (format, name, action, more = {}) =>
        button(t("downloadAs", { format }), action, { id: `download-${name}`, ...more });
      const copier = (format, name, field) =>
        button(
          format === "" ? t("copyMoves") : t("copyAs", { format }),
          async () => {
            await copy(/** @type {HTMLInputElement} */ (byId(field)).value, byId(field));
            tell(() => t("copied"));
          },
          { id: `copy-${name}` },
        );
      const area = (id, label, value, rows) =>
        el("label", { class: "field tall" }, el("span", {}, label), el("textarea", { readonly: true, rows, id, value }));
      return [
        select(
          t("pgnNotation"),
          NOTATIONS.map((name) => [name, t(`notation.${name}`)]),
          notation,
          async (name) => {
            notation = name;
            current = await exported(name);
            redraw();
          },
          { id: "export-notation" },
        ),
        el("label", { class: "field tall" }, el("span", {}, t("fen")), el("input", { readonly: true, id: "fen", value: current.fen })),
        el(
          "div",
          { class: "buttons" },
          copier("FEN", "fen", "fen"),
          save("FEN", "fen", () => download(`${current.fen}\n`, "position.fen")),
        ),
        el("p", { class: "quiet" }, t("picture")),
        el(
          "div",
          { class: "buttons" },
          button(
            t("copyPicture"),
            async () => {
              const copied = await copyPicture(current.svg);
              tell(() => t(copied ? "copied" : "cannotCopy"));
            },
            { id: "copy-picture" },
          ),
          save("SVG", "svg", () => download(current.svg, "position.svg", "image/svg+xml")),
          save("PNG", "png", async () => download(await png(current.svg), "position.png", "image/png")),
        ),
        area("moves-text", t("movesList"), current.moves, "3"),
        el("div", { class: "buttons" }, copier("", "moves", "moves-text")),
        area("pgn-text", "PGN", current.pgn, "6"),
        el(
          "div",
          { class: "buttons" },
          save("PGN", "pgn", () => download(current.pgn, `${current.name}.pgn`), { class: "main" }),
          copier("PGN", "pgn", "pgn-text"),
          save("XQF", "xqf", () => download(fromBase64(current.xqf), `${current.name}.xqf`, "application/octet-stream")),
          save("UBB", "ubb", () => download(current.ubb, `${current.name}.ubb`)),
          copier("UBB", "ubb", "ubb-text"),
        ),
        el("textarea", { readonly: true, id: "ubb-text", class: "hidden-title", tabindex: "-1", "aria-hidden": "true", value: current.ubb }),
        el("p", { role: "status", class: "quiet" }, done()),
      ];
    },
    () => t("close"),
  );
}
