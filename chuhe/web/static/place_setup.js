// Setting up a position by hand; the server says what is wrong with it.

import { app, ask, flip, redraw, say, set, shownNode, shownTree, showRoom } from "/static/app.js";
import { pieceIcon, pictureOf } from "/static/board.js";
import { button, el, select } from "/static/dom.js";
import { copyPicture } from "/static/files.js";
import { boardOf, fenOf, mirrored } from "/static/game.js";
import { said, t } from "/static/i18n.js";
import { icon } from "/static/icons.js";
import { head } from "/static/place_play.js";

const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
const PALETTE = [..."KABNRCP", ..."kabnrcp"];

export function beginSetup() {
  const [tree, node] = [shownTree(), shownNode()];
  const board = new Map(tree.board(node));
  app.setup = { board, turn: tree.turn(node), piece: "R", checked: false, fault: null, typed: null, then: null };
  app.screen = "setup";
  checkPosition();
}

export const setupFen = () => `${fenOf(app.setup.board)} ${app.setup.turn ? "b" : "w"} - - 0 1`;

function checkPosition() {
  app.setup.checked = false;
  ask("check", { fen: setupFen() });
  redraw();
}

function put(board) {
  Object.assign(app.setup, { board, typed: null });
  checkPosition();
}

/** A press on the board while setting up: places the chosen piece, or removes it if it is already there. */
export function pressSetup(square) {
  const { board, piece } = app.setup;
  const after = new Map(board);
  if (piece === null || board.get(square) === piece) after.delete(square);
  else after.set(square, piece);
  put(after);
}

/** A piece is dragged to another point, or off the board (null). */
export function carryPiece(from, to) {
  const after = new Map(app.setup.board);
  const piece = after.get(from);
  after.delete(from);
  if (to !== null) after.set(to, piece);
  put(after);
}

/**
 * A FEN was typed: it is checked as it stands, and shown if it can be.
 * @param {string} text
 */
function typeFen(text) {
  const fen = text.trim();
  if (!/^[\w/]+( [wbr]\b.*)?$/.test(fen) || fen.split("/").length !== 10) {
    app.setup.typed = text;
    app.setup.checked = false;
    ask("check", { fen: fen.slice(0, 200) });
    return redraw();
  }
  app.setup.turn = fen.split(" ")[1] === "b" ? 1 : 0;
  put(boardOf(fen));
}

/** @param {import("../page").Checked} message */
export function takeCheck(message) {
  const asked = app.setup && (app.setup.typed?.trim().slice(0, 200) ?? setupFen());
  if (app.setup && message.fen === asked) Object.assign(app.setup, { checked: true, fault: message.fault });
}

function use(then) {
  app.setup.then = then;
  ask("setup", { fen: setupFen() });
}

export function setupView() {
  const { piece: chosen, turn, fault, checked, typed, board } = app.setup;
  const palette = [...PALETTE, null].map((piece) => {
    const name = piece ? t(`piece.${piece}`) : t("eraser");
    return button(piece ? pieceIcon(piece) : "⌫", () => set({ setup: { ...app.setup, piece } }), {
      "aria-label": name,
      title: name,
      "data-piece": piece ?? "none",
      "data-key": piece ? `${piece === piece.toUpperCase() ? "red" : "black"} ${piece}` : "none",
      "aria-pressed": String(piece === chosen),
    });
  });
  const tool = (name, code, run) =>
    button([icon(name), el("span", {}, t(code))], run, { id: code, class: "tool" });
  const copy = async () => {
    const done = await copyPicture(pictureOf(board));
    say(() => t(done ? "copied" : "cannotCopy"), "game");
  };
  const ready = checked && !fault && typed === null;
  return [
    head(),
    el(
      "section",
      { class: "panel", id: "panel-setup" },
      el("h2", {}, t("setup")),
      el("p", { class: "quiet" }, t("setupText")),
      el("div", { class: "palette", role: "group", "aria-label": t("pieceSet") }, palette),
      el(
        "div",
        { class: "toolbar" },
        select(
          t("sideToMove"),
          [
            [0, t("side.red")],
            [1, t("side.black")],
          ],
          turn,
          (value) => {
            app.setup.turn = Number(value);
            checkPosition();
          },
          { id: "setup-turn" },
        ),
        tool("clear", "clear", () => put(new Map())),
        tool("start", "start", () => put(boardOf(START))),
        tool("mirror", "mirror", () => put(mirrored(board))),
        tool("flip", "flip", flip),
        tool("save", "copyPicture", copy),
      ),
      el(
        "label",
        { class: "field tall" },
        el("span", {}, t("fen")),
        el("input", {
          id: "setup-fen",
          spellcheck: "false",
          autocomplete: "off",
          maxlength: "200",
          value: typed ?? setupFen(),
          onchange: (event) => typeFen(event.target.value),
        }),
      ),
      el("p", { id: "setup-verdict", role: "status", class: fault ? "bad" : "good" }, !checked ? "" : fault ? said(fault) : t("sound")),
      el(
        "div",
        { class: "buttons" },
        button(t("useAnalyse"), () => use("analyse"), { id: "use-analyse", class: "main", disabled: !ready }),
        button(t("usePlay"), () => use("play"), { id: "use-play", disabled: !ready }),
        button(t("cancel"), showRoom, { id: "cancel-setup" }),
      ),
    ),
  ];
}
