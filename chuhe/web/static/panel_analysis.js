// The analysis panel: the engine's lines, the bar beside the board, the evaluation's terms, the opening book.

import { app, ask, cursor, redraw, sendMove } from "/static/app.js";
import { button, byId, check, el, select } from "/static/dom.js";
import { said, t } from "/static/i18n.js";
import { change, settings, textOf } from "/static/settings.js";

const large = (number) =>
  number >= 1e9
    ? `${(number / 1e9).toFixed(1)} G`
    : number >= 1e6
      ? `${(number / 1e6).toFixed(1)} M`
      : number >= 1e3
        ? `${Math.round(number / 1e3)} k`
        : String(number);

export const toggleAnalysis = () => ask("analyse", { on: !app.state.analysis.on, multipv: settings.multipv });

export function buildAnalysis() {
  const panel = byId("panel-analysis");
  const engine = check(t("engineOn"), false, (on) => ask("analyse", { on, multipv: settings.multipv }), {
    id: "engine-on",
    role: "switch",
  });
  const count = select(
    t("lines"),
    [1, 2, 3, 4, 5].map((number) => [number, String(number)]),
    settings.multipv,
    (number) => {
      change({ multipv: Number(number) });
      ask("analyse", { on: app.state.analysis.on, multipv: Number(number) });
    },
    { id: "multipv" },
  );
  const arrows = check(t("arrows"), settings.arrows, (on) => change({ arrows: on }), { id: "arrows" });
  const facts = el("p", { class: "facts", id: "facts" });
  const list = el("div", { class: "lines", id: "lines" });
  const merit = el("p", { class: "facts", id: "merit" });
  const go = button(t("continueHere"), () => ask("continue", { node: app.view.id }), { id: "continue-analysis" });
  panel.replaceChildren(
    el("h2", { class: "hidden-title" }, t("analysis")),
    el("div", { class: "toolbar" }, engine, count, arrows, go),
    facts,
    list,
    merit,
  );
  list.addEventListener("mouseleave", () => {
    app.preview = null;
    redraw();
  });
  return () => {
    panel.hidden = app.screen !== "analyse" || !app.state;
    if (panel.hidden) return;
    const { analysis } = app.state;
    engine.querySelector("input").checked = analysis.on;
    arrows.querySelector("input").checked = settings.arrows;
    drawLines(facts, list, analysis);
    const lines = analysis.on && app.lines?.node === app.view.id ? app.lines : null;
    merit.textContent = said(lines?.merit[settings.notation]);
  };
}

let drawn = null;

function drawLines(facts, list, analysis) {
  const lines = app.lines?.node === app.view.id ? app.lines : null;
  const outcome = cursor()?.outcome;
  if (analysis.on && analysis.displaced) facts.textContent = t("waitsFor", { by: t(`by.${analysis.displaced}`) });
  else if (lines && analysis.on) {
    const parts = [
      t("depth", { n: lines.depth }),
      t("nodes", { n: large(lines.nodes) }),
      t("speed", { n: large(lines.nps) }),
    ];
    if (lines.chances) {
      const [w, d, l] = lines.chances.map((chance) => Math.round(chance / 10));
      parts.push(t("chances", { w, d, l }));
    }
    const known = tableMessage();
    if (known) parts.unshift(`${t("source.table")}: ${said(known)}`);
    facts.textContent = parts.join(" · ");
  } else
    facts.textContent =
      outcome && !cursor().moves.length
        ? t("noMovesHere", { text: said(outcome.message) })
        : analysis.on
          ? t("noLines")
          : "";
  const key = analysis.on ? lines : null;
  const stamp = `${settings.notation}${settings.language}`;
  if (drawn?.key === key && drawn.stamp === stamp) return;
  drawn = { key, stamp };
  list.replaceChildren(...(key ? key.lines.map((line) => lineRow(line, key.node)) : []));
}

function lineRow(line, node) {
  const texts = line.texts[settings.notation] ?? line.moves;
  const moves = texts.map((text, index) =>
    button(text, () => ask("line", { node, moves: line.moves.slice(0, index + 1).join(" ") }), {
      class: "line-move",
      onmouseenter: () => preview(node, line.moves.slice(0, index + 1)),
      onfocus: () => preview(node, line.moves.slice(0, index + 1)),
      onblur: () => preview(node, null),
    }),
  );
  return el(
    "div",
    { class: "line" },
    el("strong", { class: line.value >= 0 ? "plus" : "minus" }, line.score),
    el("span", { class: "line-moves" }, moves),
  );
}

function preview(node, moves) {
  app.preview = moves ? { node, moves } : null;
  redraw();
}

/** Plays the best move. */
export function playBest() {
  const best = app.lines?.node === app.view.id ? app.lines.lines[0]?.moves[0] : null;
  if (best && app.state.analysis.on) sendMove(best);
}

// --- the bar

export function drawBar() {
  const bar = byId("bar");
  const found = app.screen === "analyse" ? scoreHere() : null;
  bar.hidden = app.screen !== "analyse";
  if (bar.hidden) return;
  const red = el("div", { class: "bar-red" });
  bar.classList.toggle("empty", !found);
  red.style.height = `${found ? redShare(found) : 0}%`;
  bar.classList.toggle("turned", settings.flipped);
  bar.replaceChildren(red, el("span", { class: "bar-score" }, found?.score ?? ""));
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", found ? t("score", { score: found.score }) : t("noLines"));
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

export function buildEvaluation() {
  const panel = byId("panel-evaluation");
  const words = el("p", { class: "quiet" });
  const body = el("tbody");
  const head = el(
    "tr",
    {},
    [t("term"), t("middle"), t("end")].map((text) => el("th", { scope: "col" }, text)),
  );
  const table = el("table", { class: "small" }, el("thead", {}, head), body);
  const box = el(
    "details",
    { id: "evaluation" },
    el("summary", {}, t("evaluation")),
    words,
    el("div", { class: "scroll" }, table),
  );
  panel.replaceChildren(box);
  box.addEventListener("toggle", redraw);
  return () => {
    panel.hidden = app.screen !== "analyse" || !cursor();
    if (panel.hidden || !box.open) return;
    const { terms, words: text, opinions } = cursor().evaluation;
    words.replaceChildren(
      said(text),
      ...opinions.flatMap(({ source, message }) => [el("br"), `${t(`source.${source}`)}: ${said(message)}`]),
    );
    const signed = (number) => (number > 0 ? `+${number}` : String(number));
    body.replaceChildren(
      ...terms.map(({ name, red, black }) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, said(name)),
          el("td", {}, signed(red[0] - black[0])),
          el("td", {}, signed(red[1] - black[1])),
        ),
      ),
    );
  };
}

// --- the opening book

export function buildBook() {
  const panel = byId("panel-book");
  const body = el("tbody");
  const head = el(
    "tr",
    {},
    [t("bookMove"), t("weight"), t("results")].map((text) => el("th", { scope: "col" }, text)),
  );
  const table = el("table", { class: "small book" }, el("thead", {}, head), body);
  const nothing = el("p", { class: "quiet" }, t("unknown"));
  const box = el("details", { id: "book", open: true }, el("summary", {}, t("book")), table, nothing);
  panel.replaceChildren(box);
  return () => {
    panel.hidden = app.screen !== "analyse" || !app.state;
    if (panel.hidden) return;
    const rows = cursor() ? app.state.book : [];
    table.hidden = !rows.length;
    nothing.hidden = rows.length > 0;
    body.replaceChildren(...rows.map(bookRow));
  };
}

function bookRow(row) {
  const [wins, draws, losses] = row.results ?? [0, 0, 0];
  const total = wins + draws + losses;
  const parts = [
    ["won", wins],
    ["drawn", draws],
    ["lost", losses],
  ].map(([kind, count]) => {
    const part = el("span", { class: kind }, total && count / total > 0.12 ? String(count) : "");
    part.style.flexGrow = count;
    return part;
  });
  const text = t("resultsText", { w: wins, d: draws, l: losses });
  const played = button(textOf(row.texts), () => sendMove(row.move), {
    class: "line-move",
    onmouseenter: () => preview(app.view.id, [row.move]),
    onmouseleave: () => preview(app.view.id, null),
  });
  const bar = total ? el("div", { class: "results", role: "img", "aria-label": text, title: text }, parts) : "–";
  return el(
    "tr",
    {},
    el("td", {}, played),
    el("td", {}, row.weight ? `${row.weight} (${row.share} %)` : "–"),
    el("td", {}, bar),
  );
}
