// The players above and below the board, their clocks, and what has been captured; how a game ended.

import { app, cursor, flipped, shownNode, shownTree } from "/static/app.js";
import { pieceIcon } from "/static/board.js";
import { byId, el, show } from "/static/dom.js";
import { UNKNOWN, isRed } from "/static/game.js";
import { said, sentences, t } from "/static/i18n.js";

/** @typedef {import("../page").MessageData} Message */

export const isPerson = (player) => player.code === "player.human";

/** The sides that people play: Red, Black. */
export const people = () => [app.state.table.red, app.state.table.black].map(({ kind }) => kind === "human");

/** @param {Message} player */
export function playerName(player) {
  if (isPerson(player)) return t("you");
  if (player.code === "player.level") return t("player.named", { level: t(`level-name.${player.args.level}`) });
  if (player.code === "player.style") return t(`oldProgram.${String(player.args.style).toLowerCase()}`);
  return said(player) === UNKNOWN ? "" : said(player);
}

export function drawPlayers() {
  const bottom = flipped() ? 1 : 0;
  for (const colour of [0, 1]) {
    const strip = byId(colour === bottom ? "player-bottom" : "player-top");
    strip.hidden = !["play", "analyse", "match"].includes(app.screen);
    if (!strip.hidden) fillStrip(strip, colour);
  }
}

function fillStrip(strip, colour) {
  const node = shownNode();
  strip.className = `player ${colour ? "is-black" : "is-red"}${shownTree().turn(node) === colour ? " to-move" : ""}`;
  show(
    strip,
    el("span", { class: "disc" }),
    el("strong", {}, t(colour ? "side.black" : "side.red")),
    el("span", { class: "name" }, nameOfSide(colour)),
    el("span", { class: "captured" }, captured(shownTree(), node, colour).map(pieceIcon)),
    clock(colour),
  );
}

function nameOfSide(colour) {
  if (app.screen === "match") return app.matchGame?.players[colour] ?? "";
  const tag = app.tree.tags[colour ? "Black" : "Red"] ?? "";
  if (tag || app.state.study) return tag === UNKNOWN ? "" : tag;
  return app.state.players.every(isPerson) ? "" : playerName(app.state.players[colour]);
}

/** What a side has captured: the pieces of the start position that are no longer on the board. */
function captured(tree, node, colour) {
  const now = [...tree.board(node).values()];
  const missing = [...tree.board(tree.root).values()].filter((piece) => {
    const index = now.indexOf(piece);
    if (index >= 0) now.splice(index, 1);
    return index < 0 && isRed(piece) === (colour === 1);
  });
  const order = "RCNBAPK";
  return missing.sort((a, b) => order.indexOf(a.toUpperCase()) - order.indexOf(b.toUpperCase()));
}

let clockTimer = null;

function clock(colour) {
  const { clock: time } = app.state;
  if (!time || app.screen !== "play") return "";
  const used = time.running === colour ? performance.now() - app.clockAt : 0;
  const left = time[colour ? "black" : "red"] - used;
  const shown = left >= 0 ? left : Math.max(0, left + time.byoyomi);
  const seconds = Math.ceil(shown / 1000);
  const face = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  clearTimeout(clockTimer);
  if (time.running !== null && app.link === "open") clockTimer = setTimeout(drawPlayers, 250);
  return el(
    "span",
    { class: `clock${time.running === colour ? " running" : ""}${shown < 20000 ? " short" : ""}`, role: "timer" },
    face,
  );
}

// --- the end of a game

// the reasons in a word; the status line has the whole sentence
/** @type {Record<string, string>} */
const WORDS = {
  "outcome.material": "insufficient-material",
  "game.resigns": "resignation",
  "game.draw-agreed": "draw-agreed",
  "game.loses-on-time": "time-forfeit",
};

/** @param {Message} message */
function inAWord(message) {
  const word = WORDS[message.code] || message.code.replace(/^outcome\./, "");
  return word === message.code ? said(message) : said({ code: `reason.${word}` });
}

/** Who won, why, and after how many moves. */
export function verdict() {
  const { ending } = app.state;
  const [red, black] = people();
  const winner = { "1-0": 0, "0-1": 1 }[ending.result];
  const reason = inAWord(ending.message);
  if (winner === undefined) return t("endDrawn", { reason });
  if (red !== black) return t([red, black][winner] ? "endWon" : "endLost", { reason });
  return t("endWins", { side: t(winner ? "side.black" : "side.red"), reason });
}

/** What a screen reader and the head of the column say about the position shown. */
export function statusText() {
  const { state, screen } = app;
  if (app.link === "gone") return t("gone");
  if (screen === "setup" || screen === "games" || screen === "practise") return "";
  if (screen === "match") {
    const game = app.matchGame;
    return game && game.result !== "*" ? t("over", { result: game.result, text: said(game.message) }) : "";
  }
  const node = app.view;
  const side = t((cursor()?.turn ?? app.tree.turn(node)) ? "side.black" : "side.red");
  const check = node.check && t("inCheck");
  if (state.mode === "analyse") {
    const outcome = cursor()?.outcome;
    return outcome ? t("over", { result: outcome.result, text: said(outcome.message) }) : sentences(t("toMove", { side }), check);
  }
  if (state.ending) return t("over", { result: state.ending.result, text: said(state.ending.message) });
  if (state.fault) return t("fault", { text: said(state.fault) });
  const name = playerName(state.players[state.turn]);
  if (state.waiting) return t("waits", { name });
  if (state.thinking) return t("thinking", { name });
  if (state.due) return t("paused", { name });
  if (node.id !== state.head) return t("browsing");
  const [red, black] = people();
  return sentences(t(red !== black ? "yourMove" : "toMove", { side }), check);
}

