// The review of a game: graph, accuracy, the current mistake with a word about it, and another try at it.

import { app, ask, cursor, goTo, redraw, set } from "/static/app.js";
import { button, el, smallTable } from "/static/dom.js";
import { graph } from "/static/graph.js";
import { said, sentences, t } from "/static/i18n.js";
import { settings, textOf } from "/static/settings.js";

/** @typedef {import("/static/game.js").TreeNode} TreeNode */

const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const GRADES = Object.keys(MARKS);

/** @param {TreeNode} node */
export const isFault = (node) => GRADES.includes(node.judged?.grade);
export const isReviewed = () => app.tree?.mainLine().some((node) => node.judged) ?? false;
/** Whether the place shows the review of a game rather than an analysis. */
export const reviewShown = () => app.screen === "analyse" && Boolean(app.state.review || isReviewed());

export function startReview() {
  if (!app.tree?.root.children.length || app.state.mode === "practise") return;
  if (ask("review", { on: true, movetime: settings.reviewTime })) set({ reviewing: true, retry: null });
}

/** Goes to the review of the game; begins it if there is none yet. */
export const goToReview = () => (isReviewed() ? ask("mode", { mode: "analyse" }) : startReview());

export function nextFault(step) {
  app.retry = null;
  const line = app.tree.mainLine();
  const here = line.indexOf(app.view);
  const order = step > 0 ? line.slice(here + 1) : line.slice(0, Math.max(0, here)).reverse();
  goTo(order.find(isFault));
}

/** The review has ended: the first mistake is shown, if nobody has gone anywhere meanwhile. */
export function reviewEnded() {
  app.reviewing = false;
  const line = app.tree.mainLine();
  if (app.view === app.tree.root || app.view === line.at(-1)) goTo(line.find(isFault));
}

/** Sets the board before a mistake; what is played there is judged. */
export function tryAgain(node = app.view) {
  goTo(node.parent);
  set({ retry: { fault: node.id, tried: null } });
}

// --- accuracy

/**
 * How well a side played, in percent: the mean of its moves.
 * @param {number} colour
 */
function accuracy(colour) {
  const own = app.tree.mainLine().filter((node) => node.judged && app.tree.turn(node) === 1 - colour);
  if (!own.length) return null;
  return Math.round(own.reduce((sum, { judged }) => sum + judged.accuracy, 0) / own.length);
}

/** Of both sides, once every move is judged; else null. */
export function accuracies() {
  if (!isReviewed() || app.state.review) return null;
  const [red, black] = [accuracy(0), accuracy(1)];
  return { red: red ?? "–", black: black ?? "–" };
}

// --- the view

export function reviewView() {
  const { state, tree } = app;
  const line = tree.mainLine();
  const known = line.some((node) => node.judged);
  return el(
    "section",
    { id: "panel-review", class: "panel" },
    el("h2", { class: "hidden-title" }, t("review")),
    known ? el("div", { class: "graph-box", "data-key": "graph" }, graph(line, app.view, goTo)) : "",
    state.review ? progress(state.review) : "",
    known ? summary(line) : "",
    el(
      "div",
      { id: "verdict", class: "verdict", "data-key": "verdict", role: "status", "aria-live": "polite" },
      app.retry ? retried() : mistake(app.view, line),
    ),
  );
}

function progress({ done, total, displaced }) {
  return el(
    "div",
    { class: "toolbar", id: "review-progress", "data-key": "progress" },
    el("progress", { max: total, value: done, "aria-label": t("review") }),
    el("span", { class: "facts" }, displaced ? t("waitsFor", { by: t(`by.${displaced}`) }) : t("reviewing", { done, total })),
    button(t("stopReview"), () => ask("review", { on: false, movetime: settings.reviewTime }), { id: "stop-review" }),
  );
}

/** Accuracy and mistakes of both sides, in two short rows. */
function summary(line) {
  const row = (colour) => {
    const own = line.filter((node) => node.judged && app.tree.turn(node) === 1 - colour);
    const counts = GRADES.map((grade) => own.filter((node) => node.judged.grade === grade).length);
    const value = accuracy(colour);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, t(colour ? "side.black" : "side.red")),
      el("td", { class: "accuracy" }, value === null ? "–" : `${value} %`),
      counts.map((count) => el("td", {}, String(count))),
    );
  };
  return smallTable(["", t("accuracy"), ...GRADES.map((grade) => `${MARKS[grade]} ${t(`grade.${grade}`)}`)], [row(0), row(1)], { id: "accuracy" });
}

/** The mistake shown, in a sentence, with the better line. */
function mistake(node, line) {
  const faults = line.filter(isFault);
  const here = line.indexOf(node);
  const steps = faults.length
    ? el(
        "div",
        { class: "buttons" },
        button(`◀ ${t("previousFault")}`, () => nextFault(-1), {
          id: "previous-fault",
          disabled: !faults.some((fault) => line.indexOf(fault) < here),
        }),
        button(`${t("nextFault")} ▶`, () => nextFault(1), {
          id: "next-fault",
          disabled: !faults.some((fault) => line.indexOf(fault) > here),
        }),
        isFault(node) ? button(t("tryAgain"), () => tryAgain(node), { id: "try-again", class: "main" }) : "",
      )
    : "";
  if (!isFault(node)) {
    const n = faults.length;
    const words = app.state.review ? n && t("faultsSoFar", { n }) : t(n ? "faultsBelow" : "noFaults", { n });
    return [words ? el("p", { class: "quiet" }, words) : "", steps];
  }
  const better = node.parent.children.find((other) => other !== node && other.move === node.judged.best);
  const remarks = node.judged.remarks?.[settings.notation] ?? [];
  const fault = t("review.fault", { grade: t(`grade.${node.judged.grade}`), loss: (node.judged.loss / 100).toFixed(2) });
  const betterLine = better ? [better, ...app.tree.mainLine(better)].map((step) => textOf(step.texts)).join(" ") : "";
  return [
    el(
      "p",
      {},
      el(
        "strong",
        { class: node.judged.grade },
        `${node.number}${app.tree.turn(node) ? "." : "…"} ${textOf(node.texts)} ${node.mark ?? ""} `,
      ),
      el("span", { class: "grade" }, sentences(fault, ...remarks.map(said))),
    ),
    better ? button(t("better", { line: betterLine }), () => goTo(better), { class: "line-move", id: "better" }) : "",
    steps,
  ];
}

/** Another try at a mistake: the answer is hidden until it is asked for. */
function retried() {
  const { tried, fault } = app.retry;
  const node = app.tree.get(fault);
  const played = { move: textOf(node.texts) };
  const right = tried && !tried.grade;
  const side = t((cursor()?.turn ?? app.tree.turn(app.view)) ? "side.black" : "side.red");
  return [
    el("p", { class: "retry" }, t("retry", { side, ...played })),
    tried
      ? [
          el("p", { class: `big ${right ? "good" : "bad"}` }, right ? `✓ ${t("correct")}` : `✗ ${t("tryAgain")}`),
          right
            ? ""
            : el("p", {}, t("notThisOne", { move: textOf(tried.texts), grade: t(`grade.${tried.grade}`), loss: (tried.loss / 100).toFixed(2) })),
        ]
      : "",
    el(
      "div",
      { class: "buttons" },
      button(t("showAnswer"), () => goTo(node), { id: "show-answer" }),
      button(`${t("nextFault")} ▶`, () => ((app.view = node), nextFault(1)), { id: "next-fault", class: right ? "main" : "" }),
    ),
  ];
}

/** @param {import("../page").Tried} message */
export function takeTried(message) {
  if (!app.retry || app.view?.id !== message.node) return;
  app.retry.tried = message;
  if (message.grade) app.passing.pending = null;
  else app.passing.pending = message.move;
  redraw();
}
