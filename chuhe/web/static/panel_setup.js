// Setting up a position by hand; the server says what is wrong with it.

import { app, ask, redraw, shownNode, shownTree } from "/static/app.js";
import { pieceIcon } from "/static/board.js";
import { button, byId, el, select } from "/static/dom.js";
import { boardOf, fenOf } from "/static/game.js";
import { said, t } from "/static/i18n.js";
import { settings } from "/static/settings.js";

const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
const PALETTE = [..."KABNRCP", ..."kabnrcp"];

export function beginSetup() {
  const [tree, node] = [shownTree(), shownNode()];
  app.setup = { board: new Map(tree.board(node)), turn: tree.turn(node), piece: "R", checked: false, fault: null, then: null };
  app.screen = "setup";
  checkPosition();
}

const fen = () => `${fenOf(app.setup.board)} ${app.setup.turn ? "b" : "w"} - - 0 1`;

function checkPosition() {
  app.setup.checked = false;
  ask("check", { fen: fen() });
  redraw();
}

/** A press on the board while setting up: places the chosen piece, or removes it if it is already there. */
export function pressSetup(square) {
  const { board, piece } = app.setup;
  const after = new Map(board);
  if (piece === null || board.get(square) === piece) after.delete(square);
  else after.set(square, piece);
  app.setup.board = after;
  checkPosition();
}

/** A piece is dragged to another point, or off the board (null). */
export function carryPiece(from, to) {
  const after = new Map(app.setup.board);
  const piece = after.get(from);
  after.delete(from);
  if (to !== null) after.set(to, piece);
  put(after);
}

/** @param {import("../page").Checked} message */
export function takeCheck(message) {
  if (app.setup && message.fen === fen()) Object.assign(app.setup, { checked: true, fault: message.fault });
}

function put(board) {
  app.setup.board = board;
  checkPosition();
}

export function buildSetup() {
  const panel = byId("panel-setup");
  const palette = el("div", { class: "palette", role: "group", "aria-label": t("pieceSet") });
  const choices = [...PALETTE, null].map((piece) =>
    button(piece ? pieceIcon(piece) : "⌫", () => ((app.setup.piece = piece), redraw()), {
      "aria-label": piece ? t(`piece.${piece}`) : t("eraser"),
      title: piece ? t(`piece.${piece}`) : t("eraser"),
      "data-piece": piece ?? "none",
    }),
  );
  palette.append(...choices);
  const turn = select(
    t("sideToMove"),
    [
      [0, t("side.red")],
      [1, t("side.black")],
    ],
    0,
    (value) => ((app.setup.turn = Number(value)), checkPosition()),
    { id: "setup-turn" },
  );
  const verdict = el("p", { id: "setup-verdict", role: "status" });
  const use = (then) => {
    app.setup.then = then;
    ask("setup", { fen: fen() });
  };
  const analyse = button(t("useAnalyse"), () => use("analyse"), { id: "use-analyse", class: "main" });
  const play = button(t("usePlay"), () => use("play"), { id: "use-play" });
  panel.replaceChildren(
    el("h2", {}, t("setup")),
    el("p", { class: "quiet" }, t("setupText")),
    palette,
    el(
      "div",
      { class: "toolbar" },
      turn,
      button(t("clear"), () => put(new Map()), { id: "clear" }),
      button(t("start"), () => put(boardOf(START)), { id: "start" }),
    ),
    verdict,
    el("div", { class: "buttons" }, analyse, play, button(t("cancel"), leaveSetup, { id: "cancel-setup" })),
  );
  let pieces = settings.pieces;
  return () => {
    panel.hidden = app.screen !== "setup";
    if (panel.hidden) return;
    if (pieces !== settings.pieces) {
      pieces = settings.pieces;
      choices.forEach((made, index) => PALETTE[index] && made.replaceChildren(pieceIcon(PALETTE[index])));
    }
    choices.forEach((made) => made.setAttribute("aria-pressed", made.dataset.piece === (app.setup.piece ?? "none")));
    turn.querySelector("select").value = String(app.setup.turn);
    const { fault, checked } = app.setup;
    verdict.textContent = checked ? (fault ? said(fault) : t("sound")) : "";
    verdict.className = fault ? "bad" : "good";
    analyse.disabled = play.disabled = !checked || Boolean(fault);
  };
}

function leaveSetup() {
  app.setup = null;
  app.screen = app.state.mode;
  redraw();
}
