// Import and export: files, drag and drop or paste anywhere; downloads and copies.

import { app, ask, redraw } from "/static/app.js";
import { button, byId, dialog, dialogIsOpen, el, select } from "/static/dom.js";
import { t } from "/static/i18n.js";
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
    app.message = t("tooLarge", { size: (bytes.length / 1048576).toFixed(1), most: LARGEST / 1048576 });
    return redraw();
  }
  app.message = null;
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
  dialog(
    t("openTitle"),
    (body, box) => {
      const input = el("input", {
        type: "file",
        id: "file",
        class: "hidden-title",
        tabindex: "-1",
        "aria-label": t("choose"),
      });
      input.addEventListener("change", () => {
        if (input.files[0]) openFile(input.files[0]);
        box.close();
      });
      const text = el("textarea", {
        rows: "7",
        id: "paste",
        "aria-label": t("pasted"),
        placeholder: "1. 炮二平五 马8进7",
      });
      const read = button(
        t("read"),
        () => {
          if (text.value.trim()) openText(text.value);
          box.close();
        },
        { id: "read", class: "main" },
      );
      body.append(
        el("p", {}, t("openText")),
        input,
        el(
          "div",
          { class: "buttons" },
          button(t("choose"), () => input.click()),
        ),
        el("label", { class: "field tall" }, el("span", {}, t("pasted")), text),
        el("div", { class: "buttons" }, read),
      );
    },
    t("close"),
  );
}

/** Lets the user choose one of several games in a file. */
export function showGames({ games, total }) {
  dialog(
    t("pick"),
    (body, box) => {
      if (total > games.length) body.append(el("p", { class: "quiet" }, t("moreGames", { n: games.length, total })));
      const rows = games.map((game, index) => {
        const names =
          game.red || game.black
            ? `${game.red || "?"} – ${game.black || "?"}`
            : game.title || t("untitled", { n: index + 1 });
        const facts = [game.event, game.date, game.result, t("nMoves", { n: Math.ceil(game.moves / 2) })]
          .filter(Boolean)
          .join(" · ");
        const entry = button("", () => ((app.opening = ask("pick", { index })), box.close()), { class: "entry" });
        entry.append(el("strong", {}, names), el("span", { class: "quiet" }, facts));
        return el("li", {}, entry);
      });
      body.append(el("ol", { class: "entries", id: "picks" }, rows));
    },
    t("close"),
  );
}

// --- export

let waiting = null;

/** Passes the server's answer to `export` to the caller that is waiting for it. */
export const takeExport = (message) => waiting?.(message);

const exported = (notation) =>
  new Promise((resolve) => {
    waiting = resolve;
    ask("export", { notation, pieces: settings.pieces, flipped: settings.flipped });
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
  const canvas = el("canvas", { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
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
  const found = await exported(settings.notation);
  dialog(
    t("exportTitle"),
    (body) => {
      let current = found;
      const done = el("p", { role: "status", class: "quiet" });
      const fen = el("input", { readonly: true, id: "fen", "aria-label": t("fen"), value: current.fen });
      const moves = el("textarea", {
        readonly: true,
        rows: "3",
        id: "moves-text",
        "aria-label": t("movesList"),
        value: current.moves,
      });
      const pgn = el("textarea", {
        readonly: true,
        rows: "8",
        id: "pgn-text",
        "aria-label": "PGN",
        value: current.pgn,
      });
      const ubb = el("textarea", { readonly: true, class: "hidden-title", tabindex: "-1", "aria-hidden": "true", value: current.ubb });
      const save = (format, name, action, more = {}) =>
        button(t("downloadAs", { format }), action, { id: `download-${name}`, ...more });
      const notation = select(
        t("pgnNotation"),
        NOTATIONS.map((name) => [name, t(`notation.${name}`)]),
        settings.notation,
        async (name) => {
          current = await exported(name);
          moves.value = current.moves;
          pgn.value = current.pgn;
          ubb.value = current.ubb;
        },
        { id: "export-notation" },
      );
      const copied = async (text, field) => {
        await copy(text, field);
        done.textContent = t("copied");
      };
      body.append(
        notation,
        el("label", { class: "field tall" }, el("span", {}, t("fen")), fen),
        el(
          "div",
          { class: "buttons" },
          button(t("copyAs", { format: "FEN" }), () => copied(fen.value, fen), { id: "copy-fen" }),
          save("FEN", "fen", () => download(`${fen.value}\n`, "position.fen")),
        ),
        el("p", { class: "quiet" }, t("picture")),
        el(
          "div",
          { class: "buttons" },
          save("SVG", "svg", () => download(current.svg, "position.svg", "image/svg+xml")),
          save("PNG", "png", async () => download(await png(current.svg), "position.png", "image/png")),
        ),
        el("label", { class: "field tall" }, el("span", {}, t("movesList")), moves),
        el(
          "div",
          { class: "buttons" },
          button(t("copyMoves"), () => copied(moves.value, moves), { id: "copy-moves" }),
        ),
        el("label", { class: "field tall" }, el("span", {}, "PGN"), pgn),
        el(
          "div",
          { class: "buttons" },
          save("PGN", "pgn", () => download(pgn.value, `${current.name}.pgn`), { class: "main" }),
          button(t("copyAs", { format: "PGN" }), () => copied(pgn.value, pgn), { id: "copy-pgn" }),
          save("XQF", "xqf", () => download(fromBase64(current.xqf), `${current.name}.xqf`, "application/octet-stream")),
          save("UBB", "ubb", () => download(current.ubb, `${current.name}.ubb`)),
          button(t("copyAs", { format: "UBB" }), () => copied(ubb.value, ubb), { id: "copy-ubb" }),
        ),
        ubb,
        done,
      );
    },
    t("close"),
  );
}
