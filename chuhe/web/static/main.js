// The entry point: connects, listens, and draws the state.

import {
  answered,
  app,
  ask,
  cursor,
  flipped,
  forgetRequests,
  goTo,
  mayPlay,
  mayPremove,
  onChange,
  picture,
  redraw,
  refutation,
  say,
  sendMove,
  set,
  settle,
  shownNode,
  shownTree,
  showRoom,
  takeJudgement,
  takeState,
  backToExercise,
  turnShown,
} from "/static/app.js";
import { bar, showMenu, soundIcon } from "/static/bar.js";
import { BoardView, loadDrawings } from "/static/board.js";
import { Connection } from "/static/connection.js";
import { button, byId, el, redrawDialog, show } from "/static/dom.js";
import { listenForFiles, showOpen, showPicks, takeExport } from "/static/files.js";
import { fenOf, isRed, nameOf, squareOf } from "/static/game.js";
import { loadLanguage, said, t } from "/static/i18n.js";
import { icon } from "/static/icons.js";
import { listenForKeys } from "/static/keyboard.js";
import { MoveList } from "/static/moves.js";
import { continueFrom, newGame } from "/static/new_game.js";
import { analyse, analyseView, drawBar } from "/static/place_analyse.js";
import { drawUnsaved, enteredRoom, gamesView, previewPicture, showGames, takeGames } from "/static/place_games.js";
import { matchView, takeMatch, takeMatchGame } from "/static/place_match.js";
import { playView } from "/static/place_play.js";
import { practise, practiseView } from "/static/place_practise.js";
import { carryPiece, pressSetup, setupView, takeCheck } from "/static/place_setup.js";
import { drawPlayers } from "/static/players.js";
import { isReviewed, reviewEnded, takeTried } from "/static/review.js";
import { change, onSettings, settings, textOf } from "/static/settings.js";
import { showHelp, showSettings } from "/static/settings_dialog.js";
import { sound } from "/static/sound.js";

/** @typedef {import("/static/app.js").ScreenName} ScreenName */
/** @typedef {import("../page").Outgoing} Message */

const VIEWS = {
  play: playView,
  analyse: analyseView,
  practise: practiseView,
  setup: setupView,
  games: gamesView,
  match: matchView,
};

// --- the board

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
    set({ premove: { from, to } });
  },
  setsUp: () => app.screen === "setup",
  carry: carryPiece,
  /** Draws or takes away an arrow or a mark; null: takes all away. */
  mark: (from, to) => {
    app.premove = null;
    if (from === null) delete app.passing.drawn;
    else {
      const drawn = (app.passing.drawn ??= { arrows: [], points: [] });
      if (from === to) toggle(drawn.points, from);
      else toggle(drawn.arrows, nameOf(from) + nameOf(to));
    }
    redraw();
  },
  /** Every press is answered: why nothing can be moved now. */
  refuse: () => {
    const { state } = app;
    if (app.screen !== "play") return;
    if (state.ending) say(() => t("over", { result: state.ending.result, text: said(state.ending.message) }));
    else if (state.thinking) say(() => t("premoveHelp"));
    else if (app.view.id !== state.head) say(() => t("browsing"));
  },
  press: (square) => {
    if (refutation().length) {
      backToExercise();
      return true;
    }
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
  else say(() => t("premoveDropped", { move: { move: [premove.from, premove.to] } }));
}

// --- drawing

/** @type {MoveList | null} */
let list = null;
let listed = null; // what the list shows: a tree, in a notation and a language

function drawMoves() {
  const box = byId("moves");
  const tree = shownTree();
  if (!box || !tree) return;
  if (list?.container !== box) [list, listed] = [new MoveList(box, goToNode), null];
  const stamp = `${settings.notation}${document.documentElement.lang}`;
  if (listed?.tree !== tree || listed.stamp !== stamp) list.draw(tree);
  listed = { tree, stamp };
  if (list.current !== shownNode().id) list.setCurrent(shownNode());
}

function draw() {
  drawHeader();
  if (!app.state) return;
  if (document.body.dataset.screen !== app.screen) byId("side").scrollTop = 0;
  document.body.dataset.screen = app.screen;
  document.body.dataset.game = app.state.game;
  app.board.flip(flipped());
  app.board.draw(app.screen === "games" ? previewPicture() : picture());
  drawPlayers();
  drawBar();
  show(byId("side"), VIEWS[app.screen]());
  drawMoves();
  show(byId("buttons"), bar());
  drawUnsaved();
  redrawDialog();
  for (const part of document.querySelectorAll("#places, #tools, #side .panel, #side .tabs, .actions, #discarded"))
    /** @type {HTMLElement} */ (part).inert = app.link !== "open";
}

/** @type {[ScreenName, any, any][]} */
const PLACES = [
  ["play", "play", "play"],
  ["analyse", "analyse", "review"],
  ["practise", "practise", "practise"],
  ["games", "games", "games"],
  ["match", "match", "match"],
];

function drawHeader() {
  document.title = t("name");
  byId("name").textContent = t("name");
  const screen = app.screen === "setup" ? "analyse" : app.screen;
  const places = PLACES.filter(([name]) => name !== "match" || app.about?.match);
  show(
    byId("places"),
    places.map(([name, code, shape]) =>
      el(
        "button",
        { type: "button", id: `place-${name}`, "aria-current": name === screen ? "page" : null, onclick: () => goToPlace(name) },
        icon(shape),
        el("span", {}, t(code)),
      ),
    ),
  );
  for (const [id, code] of /** @type {[string, any][]} */ ([["places", "mode"], ["table", "board"], ["side", "panels"], ["buttons", "more"]]))
    byId(id).setAttribute("aria-label", t(code));
  byId("drop-text").textContent = t("dropHere");
  const tool = (id, label, shape, run, attributes = {}) =>
    button([shape, el("span", {}, label)], run, { id, title: label, ...attributes });
  show(
    byId("tools"),
    tool("open-files", t("open"), icon("open"), showOpen, { class: "wide" }),
    button(soundIcon(), () => change({ sounds: !settings.sounds }), {
      id: "sound",
      class: "round",
      "aria-label": t("sounds"),
      title: t("sounds"),
      "aria-pressed": String(settings.sounds),
    }),
    tool("open-settings", t("settings"), icon("settings"), showSettings, { class: "wide" }),
    button("?", showHelp, { id: "open-help", class: "round wide", "aria-label": t("help"), title: t("help") }),
    button(icon("games"), showMenu, { id: "open-menu", class: "round phone-only", "aria-label": t("menu"), "aria-haspopup": "dialog" }),
  );
}

/** @param {import("/static/game.js").TreeNode} node */
function goToNode(node) {
  app.retry = null;
  goTo(node);
}

/** @param {ScreenName} place */
function goToPlace(place) {
  const { state } = app;
  if (!state || (app.screen === place && place !== "games")) return;
  if (place === "match") return set({ screen: "match" });
  if (place === "games") return showGames();
  if (state.mode === place) return showRoom();
  if (app.screen !== "match") app.screen = state.mode;
  app.setup = null;
  if (place === "practise") practise();
  else ask("mode", { mode: place });
  if (app.screen === "match") app.screen = place;
  if (place === "analyse" && !isReviewed()) analyse();
  redraw();
}

// --- messages

/** @type {{ [Type in Message["type"]]: (message: Extract<Message, { type: Type }>) => any }} */
const takes = {
  about: (message) => {
    const first = !app.about;
    app.about = message;
    if (first && message.damaged.length) say(() => t("damaged", { files: message.damaged }), "page");
    if (first && message.match && !app.state) app.screen = "match";
  },
  state: (message) => {
    const before = app.view;
    const entering = !app.state;
    const reviewed = Boolean(app.state?.review);
    const { moved, elsewhere } = takeState(message);
    app.clockAt = performance.now();
    if (!answered({ ...message, elsewhere })) say(() => t("stale"));
    if (elsewhere) history.replaceState(null, "", `#${app.connection.token}.${message.room}`);
    if (elsewhere) enteredRoom();
    finishSetup(message);
    playPremove();
    if (reviewed && !message.review && app.reviewing) reviewEnded();
    if (app.opening && message.tree && message.mode === "analyse") {
      app.opening = false;
      analyse();
    }
    const made = moved && app.view.move && app.view !== before && !elsewhere;
    if (made) speak(app.view);
    if (made) sound(app.view.check ? "check" : captures(app.view) ? "capture" : "move");
    if (entering && !settings.game && message.mode === "play" && !app.tree.root.children.length && app.screen === "play") newGame();
  },
  lines: (message) => (app.lines = message),
  thought: (message) => (app.thought = message),
  hint: (message) => {
    if (message.node === app.view?.id) app.passing.hint = message;
  },
  threat: (message) => {
    if (message.node === app.view?.id) app.passing.threat = message;
  },
  tried: takeTried,
  judged: (message) => {
    const node = takeJudgement(message);
    if (node) list?.update(node);
  },
  notice: ({ message }) => say(() => said(message)),
  error: ({ message }) => {
    app.passing.pending = null;
    app.opening = false;
    app.entering = null;
    if (app.setup) app.setup.then = null;
    say(() => said(message), message.code.startsWith("web.left-out") ? "game" : "position");
  },
  games: showPicks,
  checked: takeCheck,
  export: takeExport,
  rooms: takeGames,
  match: takeMatch,
  matchGame: takeMatchGame,
};

const captures = (node) => app.tree.board(node.parent).has(squareOf(node.move.slice(2)));

/** The position that was set up has arrived. */
function finishSetup(state) {
  const then = app.setup?.then;
  if (!then || state.cursor.fen.split(" ")[0] !== fenOf(app.setup.board)) return;
  showRoom();
  if (then === "play") continueFrom();
  else analyse();
}

/** Says the last move to screen readers, whoever made it. */
function speak(node) {
  byId("spoken").textContent = `${t(app.tree.turn(node) ? "side.red" : "side.black")}: ${textOf(node.texts)}`;
}

/** @param {Message} message */
function take(message) {
  /** @type {(message: Message) => any} */ (takes[message.type])?.(message);
  settle();
  redraw();
}

function linkChanged(link) {
  app.link = link;
  const banner = byId("gone");
  const text = link === "gone" && app.state ? t("gone") : "";
  banner.textContent = text;
  banner.hidden = !text;
  if (link === "refused") showEntrance(t("refused"));
  if (link !== "open") {
    app.passing.pending = app.wanted = null;
    forgetRequests();
  }
  redraw();
}

/** How to get in, for an address without the key or with an old one. */
function showEntrance(why) {
  document.body.dataset.screen = "entrance";
  let address = "";
  const enter = (event) => {
    event.preventDefault();
    const key = address.trim().split("#").at(-1);
    if (!key) return;
    location.hash = key;
    location.reload();
  };
  byId("entrance").hidden = false;
  show(
    byId("entrance"),
    el("h2", {}, t("entrance.title")),
    el("p", { id: "entrance-why" }, why),
    el("ol", {}, el("li", {}, t("entrance.terminal"), " ", el("code", {}, "chuhe serve")), el("li", {}, t("entrance.open")), el("li", {}, t("entrance.bookmark"))),
    el(
      "form",
      { onsubmit: enter },
      el(
        "label",
        { class: "field tall" },
        el("span", {}, t("entrance.paste")),
        el("input", { id: "address", autocomplete: "off", placeholder: "…/#…", oninput: (event) => (address = event.target.value) }),
      ),
      el("button", { type: "submit", class: "main" }, t("entrance.enter")),
    ),
  );
}

// --- start

function applyLook() {
  Object.assign(document.documentElement.dataset, {
    theme: settings.theme,
    board: settings.board,
    type: settings.larger ? "larger" : "normal",
  });
}

async function begin() {
  applyLook();
  await loadLanguage();
  drawHeader();
  const [token, room] = location.hash.slice(1).split(".");
  if (!token) return showEntrance(t("missing"));
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
  onChange(draw);
  early.forEach(take);
  listenForKeys();
  listenForFiles();
  onSettings((changed) => {
    if (changed.has("language")) loadLanguage().then(() => (app.board.restyle(), redraw()), () => linkChanged("gone"));
    else if (["pieces", "labels", "notation"].some((name) => changed.has(name))) app.board.restyle();
    if (changed.has("notation")) ask("notation", { notation: settings.notation });
    applyLook();
    redraw();
  });
}

addEventListener("hashchange", () => location.reload());
begin();
