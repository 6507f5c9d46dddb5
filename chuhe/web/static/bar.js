// The row of buttons below the board or at the foot of the column, and the menu with everything else a screen can do.

import { app, ask, flip, goBack, goFirst, goLast, goOn, mayPlay, set, shownNode, sure } from "/static/app.js";
import { byId, dialog, el } from "/static/dom.js";
import { showExport, showOpen } from "/static/files.js";
import { t } from "/static/i18n.js";
import { icon } from "/static/icons.js";
import { toggleAnalysis } from "/static/place_analyse.js";
import { changePlayers, continueFrom, newGame } from "/static/new_game.js";
import { editComment } from "/static/comments.js";
import { startReview } from "/static/review.js";
import { settings } from "/static/settings.js";
import { showHelp, showSettings } from "/static/settings_dialog.js";
import { beginSetup } from "/static/place_setup.js";

/**
 * `label`: its name; `may`: whether it can be pressed now; `twice`: it asks back; `tip`: what it does, if the name is
 * not enough.
 * @typedef {{ run: () => void, label: () => string, may?: () => boolean, twice?: boolean, tip?: () => string,
 *   icon?: import("/static/icons.js").Icon }} Action
 */

export function typeMove() {
  set({ typing: true });
  requestAnimationFrame(() => requestAnimationFrame(() => byId("typed")?.focus()));
}

const inVariation = (node) => {
  for (; node?.parent; node = node.parent) if (node.parent.children[0] !== node) return true;
  return false;
};
const practising = () => app.state.practice;

/** @type {Record<string, Action>} */
export const ACTIONS = {
  first: { run: goFirst, label: () => t("go.first"), may: () => Boolean(shownNode()?.parent) },
  previous: { run: goBack, label: () => t("go.previous"), may: () => Boolean(shownNode()?.parent) },
  next: { run: goOn, label: () => t("go.next"), may: () => Boolean(shownNode()?.children.length) },
  last: { run: goLast, label: () => t("go.last"), may: () => Boolean(shownNode()?.children.length) },
  new: { run: newGame, label: () => t("newGame") },
  undo: { run: () => ask("undo"), label: () => t("undo"), may: () => app.state.canUndo },
  redo: { run: () => ask("redo"), label: () => t("redo"), may: () => app.state.canRedo },
  hint: { run: () => ask("hint"), label: () => t("hint"), may: mayPlay },
  threat: { run: () => ask("threat"), label: () => t("threat"), may: mayPlay, tip: () => t("threatTip") },
  draw: { run: () => ask("draw"), label: () => t("draw"), may: () => !app.state.ending && app.state.canUndo },
  resign: { run: () => ask("resign"), label: () => t("resign"), may: () => !app.state.ending && app.state.canUndo, twice: true },
  now: {
    run: () => ask("now"),
    label: () => t(app.state.due ? "goOn" : "moveNow"),
    may: () => app.state.thinking || app.state.due,
    tip: () => t("moveNowTip"),
  },
  swap: { run: () => ask("swap"), label: () => t("swap"), may: () => !app.state.ending },
  players: { run: changePlayers, label: () => t("options") },
  flip: { run: flip, label: () => t("flip") },
  type: { run: typeMove, label: () => t("typeMove") },
  review: { run: startReview, label: () => t("review"), may: () => Boolean(app.tree?.root.children.length) && !app.state.review },
  setup: { run: beginSetup, label: () => t("setup") },
  continue: { run: continueFrom, label: () => t("playOn"), tip: () => t("continueHere") },
  save: { run: showExport, label: () => t("export") },
  engine: { run: toggleAnalysis, label: () => t("engineOn"), tip: () => t("k_l"), icon: "review" },
  comment: { run: editComment, label: () => t("comment") },
  promote: { run: () => ask("promote", { node: app.view.id }), label: () => t("promote"), may: () => inVariation(app.view) },
  delete: { run: () => ask("delete", { node: app.view.id }), label: () => t("remove"), may: () => Boolean(app.view?.parent) },
  clue: { run: () => ask("clue"), label: () => t("practice.clue"), may: () => practising() && !practising().over, icon: "hint" },
  reveal: { run: () => ask("reveal"), label: () => t("practice.reveal"), may: () => practising() && !practising().over },
  exercise: { run: () => ask("exercise"), label: () => t("practice.next"), may: () => Boolean(practising()) },
  study: {
    run: () => ask("setup", { fen: app.tree.fen }),
    label: () => t("useAnalyse"),
    may: () => Boolean(practising()),
    icon: "review",
  },
  open: { run: showOpen, label: () => t("open") },
  settings: { run: showSettings, label: () => t("settings") },
  help: { run: showHelp, label: () => t("help"), icon: "type" },
};

/**
 * The buttons of each screen: `first` are also on a phone, `wide` only beside the board, `more` in the menu.
 * @type {Partial<Record<import("/static/app.js").ScreenName, { first: string[], wide: string[], more: string[] }>>}
 */
const BARS = {
  play: {
    first: ["undo", "hint", "more", "previous", "next"],
    wide: ["first", "last", "draw", "resign", "flip", "new"],
    more: ["redo", "now", "threat", "swap", "players", "type", "save"],
  },
  analyse: {
    first: ["review", "continue", "more", "previous", "next"],
    wide: ["first", "last", "setup", "flip", "save"],
    more: ["engine", "comment", "promote", "delete", "type"],
  },
  practise: {
    first: ["clue", "reveal", "exercise", "previous", "next"],
    wide: ["study", "flip"],
    more: [],
  },
  match: { first: ["first", "previous", "next", "last", "flip"], wide: [], more: [] },
};
const STEPS = ["first", "previous", "next", "last"];

function press(name) {
  const { run, twice } = ACTIONS[name];
  if (!twice || sure(name)) run();
}

/** @param {string} name */
function actionButton(name, { phone = true, close = () => {} } = {}) {
  const { label, may, twice, tip, icon: shape } = ACTIONS[name];
  const text = twice && app.sure === name ? t("really") : label();
  return el(
    "button",
    {
      type: "button",
      class: `act ${STEPS.includes(name) ? "step" : ""} ${phone ? "" : "wide"} ${twice && app.sure === name ? "sure" : ""}`,
      "data-action": name,
      "data-key": name,
      title: tip?.() ?? text,
      disabled: may && !may(),
      onclick: () => {
        press(name);
        if (!twice || app.sure !== name) close();
      },
    },
    icon(/** @type {any} */ (shape ?? name)),
    el("span", {}, text),
  );
}

const moreButton = () =>
  el(
    "button",
    { type: "button", class: "act step more", "data-action": "more", title: t("more"), "data-key": "more", "aria-haspopup": "dialog", onclick: showMore },
    icon("more"),
    el("span", {}, t("more")),
  );

export function bar() {
  const buttons = BARS[app.screen];
  if (!buttons || !app.state) return [];
  const made = (name) => (name === "more" ? moreButton() : actionButton(name, { phone: buttons.first.includes(name) }));
  const shown = [...buttons.first, ...buttons.wide];
  const steps = STEPS.filter((name) => shown.includes(name));
  const others = shown.filter((name) => !STEPS.includes(name) && name !== "more");
  return [
    el("div", { class: "steps", "data-key": "steps" }, steps.map(made), buttons.first.includes("more") ? made("more") : ""),
    el("div", { class: "actions", "data-key": "actions" }, others.map(made)),
  ];
}

/** Everything that the screen can do beside its buttons; on a phone also what has no room in the bar. */
export function showMore() {
  const { screen } = app;
  dialog(
    () => t("more"),
    (close) => {
      const { wide, more } = BARS[screen] ?? { wide: [], more: [] };
      return el(
        "div",
        { class: "menu" },
        more.map((name) => actionButton(name, { close })),
        el("div", { class: "menu phone-only" }, wide.map((name) => actionButton(name, { close }))),
      );
    },
    () => t("close"),
    { id: "more" },
  );
}

/** The menu of the head on a phone. */
export function showMenu() {
  dialog(
    () => t("menu"),
    (close) => el("div", { class: "menu" }, ["new", "open", "settings", "help"].map((name) => actionButton(name, { close }))),
    () => t("close"),
    { id: "menu" },
  );
}

export const soundIcon = () => icon(settings.sounds ? "sound" : "silence");
