// The entry point: connects, listens, and draws the state.

import {
  answered,
  app,
  ask,
  cursor,
  forgetRequests,
  mayPlay,
  mayPremove,
  onChange,
  picture,
  redraw,
  sendMove,
  shownNode,
  shownTree,
  takeJudgement,
  takeState,
} from "/static/app.js";
import { BoardView, loadDrawings, pieceIcon } from "/static/board.js";
import { Connection } from "/static/connection.js";
import { showHelp, showSettings } from "/static/dialogs.js";
import { byId, el } from "/static/dom.js";
import { listenForFiles, showExport, showGames, showOpen, takeExport } from "/static/files.js";
import { UNKNOWN, isRed, nameOf, squareOf } from "/static/game.js";
import { showDiscarded, showRooms, showUnsaved } from "/static/games.js";
import { loadLanguage, said, t, translatePage } from "/static/i18n.js";
import { listenForKeys } from "/static/keyboard.js";
import { buildAnalysis, buildBook, buildEvaluation, drawBar } from "/static/panel_analysis.js";
import { buildMatch, takeMatch, takeMatchGame } from "/static/panel_match.js";
import { buildMoves, buildReview, judgedMove } from "/static/panel_moves.js";
import { buildOver } from "/static/panel_over.js";
import { buildPlay } from "/static/panel_play.js";
import { buildPractise } from "/static/panel_practise.js";
import { beginSetup, buildSetup, carryPiece, pressSetup, takeCheck } from "/static/panel_setup.js";
import { change, onSettings, settings, textOf } from "/static/settings.js";
import { sound } from "/static/sound.js";

const MESSAGE_MS = 8000; // long enough to read why a move is not legal
let panels = [];
let messageTimer = null;

function build() {
  translatePage();
  panels = [
    buildPlay(),
    buildPractise(),
    buildOver(),
    buildAnalysis(),
    buildSetup(),
    buildMatch(),
    buildMoves(),
    buildReview(),
    buildBook(),
    buildEvaluation(),
  ];
}

// --- the board

const turnShown = () => cursor()?.turn ?? shownTree().turn(shownNode());

const asks = {
  mayMove: (square) => {
    const piece = picture().board.get(square);
    if (!piece) return false;
    if (mayPremove()) return isRed(piece) === (turnShown() === 1);
    return mayPlay() && isRed(piece) === (turnShown() === 0);
  },
  targets: (square) =>
    (mayPremove() ? [] : (cursor()?.moves ?? []))
      .filter((move) => squareOf(move) === square)
      .map((move) => squareOf(move.slice(2))),
  move: (from, to) => {
    if (!mayPremove()) return sendMove(nameOf(from) + nameOf(to));
    app.premove = { from, to };
    return redraw();
  },
  setsUp: () => app.screen === "setup",
  carry: carryPiece,
  /** Draws or takes away an arrow or a mark; null: takes all away. */
  mark: (from, to) => {
    app.premove = null;
    const node = shownNode()?.id;
    if (from === null) app.drawn = null;
    else {
      if (app.drawn?.node !== node) app.drawn = { node, arrows: [], points: [] };
      if (from === to) toggle(app.drawn.points, from);
      else toggle(app.drawn.arrows, nameOf(from) + nameOf(to));
    }
    redraw();
  },
  /** Every press is answered: why nothing can be moved now. */
  refuse: () => {
    const { state } = app;
    if (app.screen !== "play") return;
    if (state.ending) app.message = t("over", { result: state.ending.result, text: said(state.ending.message) });
    else if (state.thinking) app.message = t("premoveHelp");
    else if (app.view.id !== state.head) app.message = t("browsing");
    redraw();
  },
  press: (square) => {
    if (app.screen !== "setup") return false;
    pressSetup(square);
    return true;
  },
};

function toggle(list, item) {
  const index = list.indexOf(item);
  if (index < 0) list.push(item);
  else list.splice(index, 1);
}

/** It is our turn: the move made in advance is played if it is legal now. */
function playPremove() {
  const { premove } = app;
  if (!premove || !mayPlay()) return;
  app.premove = null;
  const move = nameOf(premove.from) + nameOf(premove.to);
  if (cursor().moves.includes(move)) sendMove(move);
  else app.message = t("premoveDropped", { move: { move: [premove.from, premove.to] } });
}

// --- drawing

function draw() {
  if (!app.state) return;
  app.board.draw(picture());
  for (const update of panels) update();
  drawBar();
  drawPlayers();
  drawStatus();
  drawModes();
  showUnsaved();
  showDiscarded();
}

function drawModes() {
  for (const name of ["play", "analyse", "setup", "match"]) {
    const made = byId(`mode-${name}`);
    made.setAttribute("aria-pressed", String(app.screen === name));
  }
  byId("mode-match").hidden = !app.about?.match;
  document.body.dataset.screen = app.screen;
}

const isPerson = (player) => player.code === "player.human";

function drawPlayers() {
  const players =
    app.screen === "match" && app.matchGame
      ? app.matchGame.players
      : app.state.players.map((player) => (isPerson(player) ? t("you") : said(player)));
  const both = app.state.players.every(isPerson);
  const node = shownNode();
  const taken = capturedBy(shownTree(), node);
  const turn = app.screen === "setup" ? app.setup.turn : shownTree().turn(node);
  [0, 1].forEach((colour) => {
    const strip = byId((colour === 1) === settings.flipped ? "player-bottom" : "player-top");
    const tag = app.screen === "match" ? "" : (app.tree.tags[colour ? "Black" : "Red"] ?? "");
    const name = tag === UNKNOWN ? "" : tag || (both ? "" : players[colour]);
    strip.className = `player ${colour ? "is-black" : "is-red"}${turn === colour ? " to-move" : ""}`;
    strip.replaceChildren(
      el("span", { class: "disc" }),
      el("strong", {}, t(colour ? "side.black" : "side.red")),
      el("span", { class: "name" }, name),
      el("span", { class: "captured" }, app.screen === "setup" ? [] : taken[colour].map(pieceIcon)),
      clock(colour),
    );
  });
}

/** What each side has captured: the pieces of the start position that are no longer on the board. */
function capturedBy(tree, node) {
  const missing = [[], []];
  const now = [...tree.board(node).values()];
  for (const piece of tree.board(tree.root).values()) {
    const index = now.indexOf(piece);
    if (index >= 0) now.splice(index, 1);
    else missing[isRed(piece) ? 1 : 0].push(piece);
  }
  const order = "RCNBAPK";
  return missing.map((pieces) =>
    pieces.sort((a, b) => order.indexOf(a.toUpperCase()) - order.indexOf(b.toUpperCase())),
  );
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

function drawStatus() {
  const status = byId("status");
  const text = statusText();
  if (status.textContent !== text) status.textContent = text;
  const message = byId("message");
  const wrong = app.message ?? "";
  if (message.textContent === wrong) return;
  message.textContent = wrong;
  clearTimeout(messageTimer);
  if (wrong) messageTimer = setTimeout(() => ((app.message = null), redraw()), MESSAGE_MS);
}

function statusText() {
  const { state } = app;
  if (app.link === "gone") return t("gone");
  if (app.screen === "setup") return "";
  if (app.screen === "match") {
    const game = app.matchGame;
    return game && game.result !== "*" ? t("over", { result: game.result, text: said(game.message) }) : "";
  }
  const node = app.view;
  const side = t(turnShown() ? "side.black" : "side.red");
  const check = node.check ? ` ${t("inCheck")}` : "";
  if (state.mode === "analyse") {
    const outcome = cursor()?.outcome;
    return outcome ? t("over", { result: outcome.result, text: said(outcome.message) }) : t("toMove", { side }) + check;
  }
  if (state.ending) return t("over", { result: state.ending.result, text: said(state.ending.message) });
  if (state.fault) return t("fault", { text: state.fault });
  const name = said(state.players[state.turn]);
  if (state.waiting) return t("waits", { name });
  if (state.thinking) return t("thinking", { name }) + thoughtText();
  if (state.due) return t("paused", { name });
  if (node.id !== state.head) return t("browsing");
  return (
    t(state.players.some(isPerson) && !state.players.every(isPerson) ? "yourMove" : "toMove", { side }) +
    check +
    hintText()
  );
}

function thoughtText() {
  const { thought } = app;
  return thought ? ` ${t("depth", { n: thought.depth })}, ${thought.score}` : "";
}

function hintText() {
  const { hint } = app;
  if (!hint || hint.node !== app.view.id) return "";
  const move = hint.texts[settings.notation]?.[0] ?? hint.moves[0];
  return ` ${t("hintIs", { move, score: hint.score })} ${said(hint.merit[settings.notation])}`.trimEnd();
}

// --- messages

const takes = {
  about: (message) => {
    const first = !app.about || app.about.engines.join() !== message.engines.join();
    app.about = message;
    if (first) build();
    if (first && message.damaged.length) app.message = t("damaged", { files: message.damaged });
    if (first && message.match && !app.state) app.screen = "match";
  },
  state: (message) => {
    const before = app.view;
    const mode = app.state?.mode;
    const { moved, elsewhere } = takeState(message);
    app.clockAt = performance.now();
    if (!answered({ ...message, elsewhere })) app.message = t("stale");
    else if (before && (moved || elsewhere || message.mode !== mode)) app.message = null;
    if (elsewhere) entered(message);
    turnBoard(message);
    playPremove();
    if (app.opening && message.tree && message.mode === "analyse") {
      app.opening = false;
      ask("analyse", { on: true, multipv: settings.multipv });
    }
    if (moved && app.view.move && app.view !== before) speak(app.view);
    if (moved && app.view.move && app.view !== before)
      sound(app.view.check ? "check" : captures(app.view) ? "capture" : "move");
  },
  lines: (message) => (app.lines = message),
  thought: (message) => (app.thought = message),
  hint: (message) => (app.hint = message),
  threat: (message) => (app.threat = message),
  judged: (message) => {
    const node = takeJudgement(message);
    if (node) judgedMove(node);
  },
  notice: ({ message }) => {
    app.message = said(message);
  },
  error: (message) => {
    app.message = said(message.message);
    app.pending = null;
    app.opening = false;
    if (app.setup) app.setup.then = null;
  },
  games: showGames,
  checked: takeCheck,
  export: takeExport,
  rooms: showRooms,
  match: takeMatch,
  matchGame: takeMatchGame,
};

const captures = (node) => app.tree.board(node.parent).has(squareOf(node.move.slice(2)));

/** Enters another room. The address names it, so that a reload returns to it. */
function entered(state) {
  history.replaceState(null, "", `#${app.connection.token}.${state.room}`);
  app.lines = app.thought = null;
  const then = app.setup?.then;
  if (app.screen === "setup" && then) {
    app.setup = null;
    app.screen = state.mode;
    if (then === "play") ask("continue", { node: state.cursor.node });
    else ask("analyse", { on: true, multipv: settings.multipv });
  }
}

let seated = ""; // the room and who sat where when the board was last turned

/** Turns the board to the person's side when a game is entered or the players change; afterwards it stays as it is put. */
function turnBoard({ room, mode, table }) {
  const seats = `${room} ${table.red.kind === "human"} ${table.black.kind === "human"}`;
  if (mode !== "play" || seats === seated) return;
  seated = seats;
  const black = table.black.kind === "human" && table.red.kind !== "human";
  if (black !== settings.flipped && app.board) flip(black);
}

/** Says the last move to screen readers, whoever made it. */
function speak(node) {
  byId("spoken").textContent = `${t(app.tree.turn(node) ? "side.red" : "side.black")}: ${textOf(node.texts)}`;
}

function take(message) {
  takes[message.type]?.(message);
  // a position that was set up in the room where we are
  if (message.type === "state" && app.setup?.then && app.screen === "setup") entered(message);
  redraw();
}

function linkChanged(link) {
  app.link = link;
  const banner = byId("gone");
  const text = link === "gone" && app.state ? t("gone") : link === "refused" ? t("refused") : "";
  banner.textContent = text;
  banner.hidden = !text;
  for (const part of document.querySelectorAll("header, #discarded, .panel:not(#panel-moves), .tree-tools"))
    /** @type {HTMLElement} */ (part).inert = link !== "open";
  if (link !== "open") {
    app.pending = app.wanted = null;
    forgetRequests();
  }
  redraw();
}

/** Another language has been chosen. */
function relabel() {
  build();
  document.querySelector("dialog")?.close();
  app.board.restyle();
  linkChanged(app.link);
}

// --- start

function flip(flipped = !settings.flipped) {
  change({ flipped });
}

function setScreen(name) {
  if (!app.state) return;
  app.message = null; // it belongs to what was shown
  if (app.screen === "setup") app.setup = null;
  if (name === "setup") return beginSetup();
  if (name === "match") {
    app.screen = "match";
    return redraw();
  }
  app.screen = name;
  if (name === "analyse" && app.state.mode !== "analyse") ask("analyse", { on: true, multipv: settings.multipv });
  else if (name !== app.state.mode) ask("mode", { mode: name });
  redraw();
}

function applyTheme() {
  document.documentElement.dataset.theme = settings.theme;
}

async function begin() {
  applyTheme();
  await loadLanguage();
  translatePage();
  const [token, room] = location.hash.slice(1).split(".");
  if (!token) {
    byId("gone").textContent = t("missing");
    byId("gone").hidden = false;
    return;
  }
  app.flip = flip;
  const drawings = loadDrawings();
  const hello = () => ({ room: app.state?.room ?? room ?? null, notation: settings.notation });
  const early = [];
  app.connection = new Connection(
    token,
    hello,
    (message) => (app.board ? take(message) : early.push(message)),
    linkChanged,
  );
  await drawings;
  app.board = new BoardView(byId("board"), asks);
  app.board.flip(settings.flipped);
  onChange(draw);
  early.forEach(take);
  listenForKeys();
  listenForFiles();
  onSettings((changes) => {
    if ("language" in changes) loadLanguage().then(relabel, () => linkChanged("gone"));
    if ("pieces" in changes || "labels" in changes || "notation" in changes) app.board.restyle();
    if ("theme" in changes) applyTheme();
    if ("flipped" in changes) app.board.flip(settings.flipped);
    if ("notation" in changes) ask("notation", { notation: settings.notation });
    redraw();
  });
  byId("open-games").addEventListener("click", () => ask("rooms"));
  byId("open-files").addEventListener("click", showOpen);
  byId("open-export").addEventListener("click", showExport);
  byId("open-settings").addEventListener("click", showSettings);
  byId("open-help").addEventListener("click", showHelp);
  for (const name of ["play", "analyse", "setup", "match"])
    byId(`mode-${name}`).addEventListener("click", () => setScreen(name));
}

addEventListener("hashchange", () => location.reload());
begin();
