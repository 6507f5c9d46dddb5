// The page's one state, and its requests to the server. Views are functions of it; they are asked again when it changes.

import { Tree, kingOf, nameOf, play } from "/static/game.js";
import { settings } from "/static/settings.js";

/** @typedef {import("../page").State} State */
/** @typedef {import("/static/game.js").TreeNode} TreeNode */
/** @typedef {import("/static/game.js").Board} Board */
/** @typedef {"play" | "analyse" | "practise" | "setup" | "games" | "match"} ScreenName */
/** @typedef {Omit<import("../page").MatchGameData, "nodes"> & { tree: Tree, view: TreeNode, follow: boolean }} MatchGame */
/**
 * A position that is being set up. `typed`: a FEN in its field that cannot be read; `then`: what is done with it.
 * @typedef {{ board: Board, turn: number, piece: string | null, checked: boolean,
 *   fault: import("../page").MessageData | null, typed: string | null, then: "analyse" | "play" | null }} Setup
 */
/**
 * What belongs to the position shown, and goes with it.
 * @typedef {{ key: string, hint?: import("../page").Hint, threat?: import("../page").Threat,
 *   drawn?: { arrows: string[], points: number[] }, preview?: string[] | null, pending?: string | null }} Passing
 */
/** @typedef {{ text: () => string, about: "position" | "game" | "page", key: string }} Notice */
/** @typedef {{ fault: number, tried: import("../page").Tried | null }} Retry the mistake that is tried again */

/**
 * @type {{
 *   connection: import("/static/connection.js").Connection | null, link: "connecting" | "open" | "gone" | "refused",
 *   about: import("../page").About | null, state: State | null, tree: Tree | null, view: TreeNode | null,
 *   wanted: number | null, screen: ScreenName, lines: import("../page").Lines | null,
 *   thought: import("../page").Thought | null, premove: { from: number, to: number } | null, opening: boolean,
 *   passing: Passing, notice: Notice | null, turned: { game: string, flipped: boolean } | null, sure: string | null,
 *   retry: Retry | null, reviewing: boolean, refuted: number, typing: boolean, tab: "moves" | "book" | "evaluation", setup: Setup | null,
 *   games: import("../page").GameList | null, chosen: string | null, hovered: string | null, entering: (() => void) | null,
 *   match: import("../page").Match | import("../page").WaitingMatch | null, matchGame: MatchGame | null,
 *   board: import("/static/board.js").BoardView | null, clockAt: number,
 * }}
 */
export const app = {
  connection: null,
  link: "connecting",
  about: null, // what the server can do
  state: null, // the room, as the server sent it last
  tree: null,
  view: null, // the node shown
  wanted: null, // a node that we went to, not yet confirmed by the server
  screen: "play",
  lines: null, // the analysis of one node
  thought: null, // of the program to move
  premove: null, // a move made before it is our turn
  opening: false, // a file was sent; its game is analysed when it arrives
  passing: { key: "" },
  notice: null,
  turned: null, // the game whose board a person has turned
  sure: null, // the action whose button was pressed once
  retry: null,
  refuted: 0, // the wrong answer whose refutation has been looked at
  reviewing: false, // a review runs, or has just ended
  tab: "moves",
  typing: false, // the field for typed moves is shown
  setup: null,
  games: null,
  chosen: null, // in the list of games
  hovered: null, // the game there that the pointer is on
  entering: null, // what is to be done in the game that was asked for
  match: null,
  matchGame: null,
  board: null,
  clockAt: 0,
};

const listeners = new Set();
let scheduled = false;

export const onChange = (listener) => listeners.add(listener);

/** Redraws everything before the next frame. */
export function redraw() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    settle();
    for (const listener of listeners) listener();
  });
}

/** Changes the state and redraws. */
export function set(changes) {
  Object.assign(app, changes);
  redraw();
}

// --- what goes with what it belongs to

const KEYS = {
  page: () => "",
  game: () => `${app.screen} ${app.state?.room} ${app.state?.game}`,
  position: () => `${KEYS.game()} ${app.matchGame?.number} ${shownNode()?.id} ${app.state?.ending?.result}`,
};

/** Drops what belongs to something that is no longer shown. */
export function settle() {
  const key = KEYS.position();
  if (app.passing.key !== key) app.passing = { key };
  if (app.notice && app.notice.key !== KEYS[app.notice.about]()) app.notice = null;
  const { retry } = app;
  if (retry && (app.screen !== "analyse" || app.tree?.nodes.get(retry.fault)?.parent !== app.view)) app.retry = null;
}

/**
 * Says something as long as what it is about is shown.
 * @param {() => string} text asked again when the language changes
 * @param {Notice["about"]} about
 */
export function say(text, about = "position") {
  app.notice = { text, about, key: KEYS[about]() };
  redraw();
}

/** A button that asks back: true if it was pressed for the second time within a few seconds. */
export function sure(action) {
  if (app.sure === action) {
    set({ sure: null });
    return true;
  }
  set({ sure: action });
  setTimeout(() => app.sure === action && set({ sure: null }), 3000);
  return false;
}

// --- requests

const REPEATED = ["players", "mode", "new", "comment"]; // they mean the same after another move
let queue = []; // requests that change the game, in order
let unanswered = null; // the one that was sent
let number = 0; // of the last one

/**
 * Sends a request; false if not connected. A request that changes the game carries the revision it refers to, so it
 * waits until the one before it has been answered. `fields` may be a function: it is called when the request is sent,
 * and returns null if the request has lost its meaning.
 */
export function ask(name, fields = {}) {
  if (!app.about?.changing.includes(name)) return send({ name, fields });
  if (!app.connection.ready) return false;
  queue.push({ name, fields });
  if (!unanswered) sendNext();
  return true;
}

function send({ name, fields, ...rest }) {
  const revision = app.state ? { revision: app.state.revision } : {};
  const given = typeof fields === "function" ? fields() : fields;
  return given !== null && app.connection.send({ do: name, ...rest, ...revision, ...given });
}

function sendNext() {
  unanswered = queue.shift() ?? null;
  if (!unanswered) return;
  unanswered.number = ++number;
  if (!send(unanswered)) sendNext();
}

/**
 * A state has arrived: if it answers our request, the next one may go. A change that crossed another one, such as the
 * program's move, is sent again if it means the same now. False if a request was refused as stale.
 */
export function answered({ stale = false, elsewhere = false, answers = 0 }) {
  if (elsewhere) queue = queue.filter(({ name }) => name === "continue");
  if (!unanswered || answers < unanswered.number) return !stale;
  const again = stale && REPEATED.includes(unanswered.name);
  if (again) queue.unshift(unanswered);
  else if (stale) queue = [];
  sendNext();
  return !stale || again;
}

/** The connection is gone, and with it what was asked. */
export function forgetRequests() {
  [queue, unanswered] = [[], null];
}

// --- what is shown

/** The tree on the board: the room's, or the match's game. */
export const shownTree = () => (app.screen === "match" && app.matchGame ? app.matchGame.tree : app.tree);
export const shownNode = () => (app.screen === "match" && app.matchGame ? app.matchGame.view : app.view);

/** What the server sent about the position shown; null if it has not arrived yet. */
export const cursor = () =>
  app.screen !== "match" && app.view && app.state?.cursor.node === app.view.id ? app.state.cursor : null;

/** Whose turn it is in the position shown. */
export const turnShown = () => cursor()?.turn ?? shownTree().turn(shownNode());

/** The game of the list whose last position the board shows. */
export const previewed = () => app.games?.games.find(({ id }) => id === (app.hovered ?? app.chosen)) ?? null;

/** What is on the board, and which side is below there unless a person turns it. */
function orientation() {
  if (app.screen === "match") return { game: "match", below: 0 };
  if (app.screen === "games") return { game: `games ${previewed()?.id}`, below: previewed()?.below ?? 0 };
  return { game: app.state?.game ?? "", below: app.state?.below ?? 0 };
}

/** Whether Black is at the bottom: as it belongs to the game, until a person turns the board. */
export function flipped() {
  const { game, below } = orientation();
  return app.turned?.game === game ? app.turned.flipped : below === 1;
}

export const flip = () => set({ turned: { game: orientation().game, flipped: !flipped() } });

/**
 * A wrong answer to an exercise and the reply to it, until they have been looked at; else empty.
 * @returns {string[]}
 */
export function refutation() {
  const practice = app.screen === "practise" ? app.state?.practice : null;
  if (!practice || practice.answers === app.refuted || app.view?.id !== app.state.head) return [];
  return practice.refutation;
}

/** Back to the exercise, after a refutation. */
export const backToExercise = () => set({ refuted: app.state.practice?.answers ?? 0 });

/** Whether a person may move in the position shown. */
export function mayPlay() {
  const { state } = app;
  if (!cursor() || app.link !== "open" || app.passing.pending || app.screen === "setup" || app.screen === "games") return false;
  if (app.retry) return true;
  if (refutation().length) return false;
  if (state.mode === "analyse") return cursor().moves.length > 0;
  if (state.mode === "practise") return Boolean(state.practice && !state.practice.over && state.head === app.view.id);
  if (state.ending || state.head !== app.view.id) return false;
  return state.table[state.turn === 0 ? "red" : "black"].kind === "human";
}

/** Whether a person may choose a move in advance, while the program is thinking. */
export function mayPremove() {
  const { state } = app;
  if (app.screen !== "play" || !cursor() || app.link !== "open" || state.ending || state.head !== app.view.id) return false;
  const [mover, waiting] = state.turn === 0 ? ["red", "black"] : ["black", "red"];
  return state.table[mover].kind !== "human" && state.table[waiting].kind === "human";
}

/**
 * What the board draws.
 * @returns {{ board: Board, last: string | null, check: number | null, own: number[], arrows: [string, number, string][] }}
 */
export function picture() {
  const empty = { last: null, check: null, own: [], arrows: [] };
  if (app.screen === "setup") return { ...empty, board: app.setup.board };
  const [tree, node] = [shownTree(), shownNode()];
  if (!tree) return { ...empty, board: new Map() };
  let [board, last] = [tree.board(node), node.move ?? null];
  let check = node.check ? kingOf(board, tree.turn(node)) : null;
  if (node === tree.root && cursor()) check = cursor().check;
  const { preview, pending, drawn } = app.passing;
  const refuted = refutation();
  const extra = preview ?? (pending ? [pending] : refuted);
  for (const move of extra) {
    board = play(board, move);
    [last, check] = [move, null];
  }
  const own = drawn?.points ?? (app.screen === "analyse" ? (node.judged?.squares ?? []) : []);
  return { board, last, check, own, arrows: extra === refuted && refuted.length ? [[refuted[1], 0.8, "threat"]] : extra.length ? [] : arrows(node) };
}

/**
 * @param {TreeNode} node
 * @returns {[string, number, string][]}
 */
function arrows(node) {
  const { hint, threat, drawn } = app.passing;
  /** @type {[string, number, string][]} */
  const shown = [];
  if (hint) shown.push([hint.moves[0], 1, "hint"]);
  if (threat) shown.push([threat.moves[0], 1, "threat"]);
  if (app.premove) shown.push([nameOf(app.premove.from) + nameOf(app.premove.to), 0.8, "premove"]);
  for (const move of drawn?.arrows ?? []) shown.push([move, 0.7, "own"]);
  if (!settings.arrows || app.screen !== "analyse" || app.retry) return shown;
  if (node.judged?.grade && node.judged.best && node.judged.best !== node.move) shown.push([node.judged.best, 1, "hint"]);
  if (!app.state.analysis.on || app.lines?.node !== node.id) return shown;
  const best = app.lines.lines[0];
  const sign = app.tree.turn(node) === 0 ? 1 : -1;
  const seen = new Set();
  app.lines.lines.forEach((line, index) => {
    const move = line.moves[0];
    if (!move || seen.has(move)) return;
    seen.add(move);
    const worse = Math.max(0, sign * (best.value - line.value));
    shown.push([move, index === 0 ? 1 : Math.max(0.05, 0.6 - worse / 250 - 0.08 * index), ""]);
  });
  return shown;
}

// --- navigation

/** Shows a node at once and tells the server. */
export function goTo(node) {
  if (!node) return;
  if (app.screen === "match" && app.matchGame) {
    app.matchGame.view = node;
    app.matchGame.follow = node === app.matchGame.tree.end();
  } else if (app.screen !== "setup" && app.screen !== "games") {
    if (node === app.view) return;
    app.view = node;
    app.premove = null;
    app.wanted = ask("goto", { node: node.id }) ? node.id : null;
  }
  redraw();
}

export const goBack = () => goTo(shownNode()?.parent);
export const goOn = () => goTo(shownNode()?.children[0]);
export const goFirst = () => goTo(shownTree()?.root);
export const goLast = () => goTo(shownTree()?.end(shownNode()));

/** Sends a move; the board shows it until the server answers. */
export function sendMove(move) {
  const legal = cursor()?.moves.includes(move);
  app.notice = null;
  const { retry } = app;
  const sent = retry ? ask("try", { node: retry.fault, move }) : ask("move", { node: app.view.id, move });
  if (retry) retry.tried = null;
  if (sent && legal) app.passing.pending = move;
  redraw();
}

/** Goes to the place of the room: to its game, its analysis or its exercise. */
export const showRoom = () => set({ screen: app.state.mode, setup: null });

// --- messages from the server

/** @param {State} state */
export function takeState(state) {
  const moved = Boolean(app.state) && app.state.room === state.room && app.state.head !== state.head;
  const elsewhere = app.state?.room !== state.room;
  if (state.tree) app.tree = new Tree(state.tree);
  const old = app.view?.id;
  const crossed = app.state?.game === state.game && state.cursor.node === old;
  app.state = state;
  if (!(crossed && app.retry)) app.passing.pending = null;
  if (state.stale || moved || elsewhere || state.cursor.node === app.wanted || !app.tree.nodes.has(app.wanted))
    app.wanted = null;
  app.view = app.tree.get(app.wanted ?? state.cursor.node);
  if (elsewhere || state.ending || state.mode !== "play") app.premove = null;
  if ((state.practice?.answers ?? 0) < app.refuted) app.refuted = 0; // other exercises
  if (!state.thinking) app.thought = null;
  if (!state.analysis.on || elsewhere) app.lines = null;
  if (elsewhere && app.screen !== "match") [app.screen, app.tab, app.reviewing] = [state.mode, "moves", false];
  if (app.screen === "play" || app.screen === "analyse" || app.screen === "practise") app.screen = state.mode;
  settle();
  return { moved, elsewhere };
}

/** @param {import("../page").JudgedMove} message */
export function takeJudgement({ node, judged, mark, done, total, displaced }) {
  const found = app.tree?.nodes.get(node);
  if (!found) return null;
  Object.assign(found, { judged, mark });
  if (app.state.review) app.state.review = { done, total, displaced };
  return found;
}
