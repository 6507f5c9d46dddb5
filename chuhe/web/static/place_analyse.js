// The column beside an analysis: the engine's lines, the review, the moves; the book and the evaluation behind tabs.

import { app, ask, cursor, flipped, redraw, sendMove, set } from "/static/app.js";
import { commentEditor } from "/static/comments.js";
import { button, byId, check, el, select, show, smallTable } from "/static/dom.js";
import { said, t } from "/static/i18n.js";
import { head, moves, opening, typedMove } from "/static/place_play.js";
import { reviewShown, reviewView } from "/static/review.js";
import { change, settings, textOf } from "/static/settings.js";

const large = (number) =>
  number >= 1e9
    ? `${(number / 1e9).toFixed(1)} G`
    : number >= 1e6
      ? `${(number / 1e6).toFixed(1)} M`
      : number >= 1e3
        ? `${Math.round(number / 1e3)} k`
        : String(number);

/** Switches the engine on or off, on the page at once. */
export function analyse(on = true) {
  if (ask("analyse", { on, multipv: settings.multipv }) && app.state) app.state.analysis.on = on;
  redraw();
}

export const toggleAnalysis = () => ["play", "analyse"].includes(app.screen) && analyse(!app.state.analysis.on);

export function analyseView() {
  const review = reviewShown();
  return [
    head(),
    review ? reviewView() : "",
    app.retry ? "" : lines(),
    app.retry ? el("p", { class: "quiet" }, t("movesHidden")) : [tabs(), body()],
  ];
}

function body() {
  if (app.tab === "book") return el("div", { class: "tab-body", id: "book", tabindex: "0", role: "region", "aria-label": t("book") }, book());
  if (app.tab === "evaluation")
    return el("div", { class: "tab-body", id: "evaluation", tabindex: "0", role: "region", "aria-label": t("evaluation") }, evaluation());
  return [opening(), moves(), commentEditor(), typedMove()];
}

const tabs = () =>
  el(
    "div",
    { class: "tabs", role: "group", "data-key": "tabs" },
    [
      ["moves", "moves"],
      ["book", "book"],
      ["evaluation", "evaluation"],
    ].map(([name, code]) =>
      button(t(/** @type {any} */ (code)), () => set({ tab: name }), { id: `tab-${name}`, "aria-pressed": String(app.tab === name) }),
    ),
  );

// --- the engine's lines

function lines() {
  const { analysis } = app.state;
  const found = analysis.on && app.lines?.node === app.view.id ? app.lines : null;
  const count = select(
    t("lines"),
    [1, 2, 3, 4, 5].map((number) => [number, String(number)]),
    settings.multipv,
    (number) => {
      change({ multipv: Number(number) });
      analyse(analysis.on);
    },
    { id: "multipv" },
  );
  return el(
    "section",
    { id: "panel-analysis", class: "panel" },
    el("h2", { class: "hidden-title" }, t("analysis")),
    el(
      "div",
      { class: "toolbar", "data-key": "tools" },
      check(t("engineOn"), analysis.on, (on) => analyse(on), { id: "engine-on", role: "switch" }),
      count,
      check(t("arrows"), settings.arrows, (arrows) => change({ arrows }), { id: "arrows" }),
    ),
    el("p", { class: "facts", id: "facts" }, facts(found)),
    found?.chances ? chances(found.chances) : "",
    el(
      "div",
      { class: "lines", id: "lines", style: analysis.on ? { minHeight: `${settings.multipv * 1.75}rem` } : {}, onmouseleave: () => preview(null) },
      found ? found.lines.map((line, index) => lineRow(line, found.node, index)) : "",
    ),
    el("p", { class: "facts", id: "merit" }, said(found?.merit[settings.notation])),
  );
}

/** @param {import("../page").Lines | null} found */
function facts(found) {
  const { analysis } = app.state;
  const outcome = cursor()?.outcome;
  if (analysis.on && analysis.displaced) return t("waitsFor", { by: t(`by.${analysis.displaced}`) });
  if (!found) {
    if (outcome && !cursor().moves.length) return t("noMovesHere", { text: said(outcome.message) });
    return analysis.on ? t("noLines") : "";
  }
  const known = tableMessage();
  const parts = [known ? `${t("source.table")}: ${said(known)}` : "", t("depth", { n: found.depth }), t("nodes", { n: large(found.nodes) })];
  parts.push(t("speed", { n: large(found.nps) }));
  return parts.filter(Boolean).join(" · ");
}

/** How likely each result is, as a bar: Red wins, draw, Black wins. */
function chances(shares) {
  const [w, d, l] = percentages(shares);
  return resultBar([w, d, l], t("chances", { w, d, l }), (share) => `${share} %`, { id: "chances" });
}

/**
 * Won by Red, drawn, won by Black as parts of a bar.
 * @param {number[]} counts
 * @param {string} label
 * @param {(count: number) => string} word for a part that is wide enough
 */
function resultBar(counts, label, word, attributes = {}) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const parts = ["won", "drawn", "lost"].map((kind, index) =>
    el("span", { class: kind, style: { flexGrow: counts[index] } }, counts[index] / total > 0.1 ? word(counts[index]) : ""),
  );
  return el("div", { class: "results", role: "img", "aria-label": label, title: label, ...attributes }, parts);
}

/** Shares of a thousand as whole percentages that add up to a hundred. */
export function percentages(shares) {
  const whole = shares.map((share) => Math.floor(share / 10));
  const order = shares.map((share, index) => [share % 10, index]).sort((a, b) => b[0] - a[0]);
  const missing = 100 - whole.reduce((sum, each) => sum + each, 0);
  for (const [, index] of order.slice(0, missing)) whole[index]++;
  return whole;
}

function lineRow(line, node, key) {
  const texts = line.texts[settings.notation] ?? line.moves;
  const made = texts.map((text, index) => {
    const upTo = line.moves.slice(0, index + 1);
    return button(text, () => ask("line", { node, moves: upTo.join(" ") }), {
      class: "line-move",
      onmouseenter: () => preview(upTo),
      onfocus: () => preview(upTo),
      onblur: () => preview(null),
    });
  });
  return el(
    "div",
    { class: "line", "data-key": key },
    el("strong", { class: line.value >= 0 ? "plus" : "minus" }, line.score),
    el("span", { class: "line-moves" }, made),
  );
}

function preview(line) {
  app.passing.preview = line;
  redraw();
}

/** Plays the best move. */
export function playBest() {
  const best = app.lines?.node === app.view.id ? app.lines.lines[0]?.moves[0] : null;
  if (best && app.state.analysis.on) sendMove(best);
}

// --- the bar beside the board

export function drawBar() {
  const bar = byId("bar");
  bar.hidden = app.screen !== "analyse";
  if (bar.hidden) return;
  const found = app.retry ? null : scoreHere();
  bar.className = `${found ? "" : "empty"}${flipped() ? " turned" : ""}`;
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", found ? t("score", { score: found.score }) : t("noLines"));
  show(
    bar,
    el("div", { class: "bar-red", style: { height: `${found ? redShare(found) : 0}%` } }),
    el("span", { class: "bar-score" }, found?.score ?? ""),
  );
}

function redShare({ value, score }) {
  if (score.startsWith("#")) return value > 0 ? 100 : 0;
  return 100 / (1 + Math.exp(-value * 0.004));
}

/** What the endgame tables say of the position shown, as a score; null without tables. */
function tableScore() {
  const message = tableMessage();
  if (!message) return null;
  if (message.code === "table.drawn") return { value: 0, score: "=" };
  const red = /** @type {import("../page").MessageData} */ (message.args.side).code === "side.red";
  return { value: red ? 1 : -1, score: red ? "#" : "#−" };
}

const tableMessage = () => cursor()?.evaluation.opinions.find(({ source }) => source === "table")?.message ?? null;

function scoreHere() {
  const known = tableScore();
  if (known) return known;
  if (app.state.analysis.on && app.lines?.node === app.view.id) return app.lines.lines[0];
  return app.view.judged ?? null;
}

// --- the evaluation in words

function evaluation() {
  if (!cursor()) return "";
  const { terms, words, opinions } = cursor().evaluation;
  const signed = (number) => (number > 0 ? `+${number}` : String(number));
  const rows = terms.map(({ name, red, black }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, said(name)),
      el("td", {}, signed(red[0] - black[0])),
      el("td", {}, signed(red[1] - black[1])),
    ),
  );
  return [
    el(
      "p",
      { class: "quiet" },
      said(words),
      opinions.map(({ source, message }) => [el("br"), `${t(`source.${source}`)}: ${said(message)}`]),
    ),
    smallTable([t("term"), t("middle"), t("end")], rows),
  ];
}

// --- the opening book

function book() {
  const rows = cursor() ? app.state.book : [];
  if (!rows.length) return el("p", { class: "quiet" }, t("unknown"));
  return smallTable([t("bookMove"), t("weight"), t("results")], rows.map(bookRow), { class: "small book" });
}

/** @param {import("../page").BookMove} row */
function bookRow(row) {
  const [wins, draws, losses] = row.results ?? [0, 0, 0];
  const total = wins + draws + losses;
  const text = t("resultsText", { w: wins, d: draws, l: losses });
  const played = button(textOf(row.texts), () => sendMove(row.move), {
    class: "line-move",
    onmouseenter: () => preview([row.move]),
    onmouseleave: () => preview(null),
  });
  return el(
    "tr",
    { "data-key": row.move },
    el("td", {}, played),
    el("td", {}, row.weight ? `${row.weight} (${row.share} %)` : "–"),
    el("td", {}, total ? resultBar([wins, draws, losses], text, String) : "–"),
  );
}
