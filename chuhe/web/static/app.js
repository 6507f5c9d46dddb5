// The page's state, and its requests to the server. Panels read from `app` and are redrawn when it changes.

import { Tree, kingOf, nameOf, play } from "/static/game.js";
import { settings } from "/static/settings.js";

/** @typedef {import("../page").State} State */

/**
 * @type {{
 *   connection: import("/static/connection.js").Connection, about: import("../page").About, state: State,
 *   tree: Tree, view: any, wanted: number | null, link: "connecting" | "open" | "gone" | "refused",
 *   screen: "play" | "analyse" | "setup" | "match", lines: import("../page").Lines, thought: import("../page").Thought,
 *   hint: import("../page").Hint, threat: import("../page").Threat, premove: { from: number, to: number },
 *   drawn: { node: number, arrows: string[], points: number[] }, opening: boolean, preview: { node: number, moves: string[] },
 *   pending: { node: number, move: string }, match: import("../page").Match | import("../page").WaitingMatch,
 *   matchGame: any, setup: any, message: string | null,
 *   board?: import("/static/board.js").BoardView, flip?: (flipped?: boolean) => void, clockAt?: number,
 * }}
 */
export const app = {
  connection: null,
  about: null, // what the server can do
  state: null, // the room, as the server sent it last
  tree: null,
  view: null, // the node shown
  wanted: null, // a node that we went to, not yet confirmed by the server
  link: "connecting", // "open", "gone", "refused"
  screen: "play", // "play", "analyse", "setup", "match"
  lines: null, // the analysis of one node
  thought: null, // of the program to move
  hint: null,
  threat: null, // what the other side would do if we passed
  premove: null, // a move made before it is our turn
  drawn: null, // what the person has drawn on the board
  opening: false, // a file was sent; its game is analysed when it arrives
  preview: null, // {node, moves}: the line under the pointer
  pending: null, // {node, move}: a move that has been sent
  match: null, // the watched match
  matchGame: null,
  setup: null, // {board, turn, piece} while a position is set up
  message: null, // the last error
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
    for (const listener of listeners) listener();
  });
}

const REPEATED = ["players", "mode", "new", "practise", "comment"]; // they mean the same after another move
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
  if (elsewhere) queue = [];
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

/** Whether a person may move in the position shown. */
export function mayPlay() {
  const { state } = app;
  if (!cursor() || app.link !== "open" || app.pending || app.screen === "setup") return false;
  if (state.mode === "analyse") return cursor().moves.length > 0;
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

/** What the board draws. */
export function picture() {
  if (app.screen === "setup") return { board: app.setup.board, last: null, check: null, arrows: [] };
  const [tree, node] = [shownTree(), shownNode()];
  if (!tree) return { board: new Map(), last: null, check: null, arrows: [] };
  let [board, last] = [tree.board(node), node.move ?? null];
  let check = node.check ? kingOf(board, tree.turn(node)) : null;
  if (node === tree.root && cursor()) check = cursor().check;
  const extra =
    app.preview?.node === node.id ? app.preview.moves : app.pending?.node === node.id ? [app.pending.move] : [];
  for (const move of extra) {
    board = play(board, move);
    [last, check] = [move, null];
  }
  const own = app.drawn?.node === node.id ? app.drawn.points : (node.judged?.squares ?? []);
  return { board, last, check, own, arrows: extra.length ? [] : arrows(node) };
}

function arrows(node) {
  const shown = [];
  if (app.hint?.node === node.id) shown.push([app.hint.moves[0], 1, "hint"]);
  if (app.threat?.node === node.id) shown.push([app.threat.moves[0], 1, "threat"]);
  if (app.premove) shown.push([nameOf(app.premove.from) + nameOf(app.premove.to), 0.8, "premove"]);
  if (app.drawn?.node === node.id) shown.push(...app.drawn.arrows.map((move) => [move, 0.7, "own"]));
  if (!settings.arrows || app.screen !== "analyse" || !app.state.analysis.on || app.lines?.node !== node.id)
    return shown;
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
  } else if (app.screen !== "setup") {
    if (node === app.view) return;
    app.view = node;
    app.preview = app.hint = app.threat = app.pending = app.premove = null;
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
  app.message = null;
  if (ask("move", { node: app.view.id, move }) && legal) app.pending = { node: app.view.id, move };
  redraw();
}

// --- messages from the server

export function takeState(state) {
  const moved = app.state && app.state.room === state.room && app.state.head !== state.head;
  const elsewhere = !app.state || app.state.room !== state.room;
  if (state.tree) app.tree = new Tree(state.tree);
  const old = app.view?.id;
  app.state = state;
  app.pending = null;
  if (state.stale || moved || elsewhere || state.cursor.node === app.wanted || !app.tree.nodes.has(app.wanted))
    app.wanted = null;
  app.view = app.tree.get(app.wanted ?? state.cursor.node);
  if (app.view.id !== old || elsewhere) app.hint = app.threat = app.preview = null;
  if (elsewhere || state.ending || state.mode !== "play") app.premove = null;
  if (!state.thinking) app.thought = null;
  if (!state.analysis.on || elsewhere) app.lines = null;
  if (app.screen === "play" || app.screen === "analyse") app.screen = state.mode;
  return { moved, elsewhere };
}

export function takeJudgement({ node, judged, mark, done, total, displaced }) {
  const found = app.tree?.nodes.get(node);
  if (!found) return null;
  Object.assign(found, { judged, mark });
  if (app.state.review) app.state.review = { done, total, displaced };
  return found;
}
