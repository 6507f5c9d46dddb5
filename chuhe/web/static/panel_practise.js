// Practice: puzzles, one's own mistakes and endgames, on the board of the room; the server judges every move.

import { app, ask } from "/static/app.js";
import { button, byId, el, select } from "/static/dom.js";
import { namesOf, said, t } from "/static/i18n.js";
import { settings } from "/static/settings.js";

/** @type {{ source: string, theme: string | null, difficulty: number }} */
const wanted = { source: "puzzles", theme: null, difficulty: 0 };

export function buildPractise() {
  const panel = byId("panel-practise");
  const source = select(
    t("practice.what"),
    ["puzzles", "mine", "endgames"].map((name) => [name, t(`practice.source.${name}`)]),
    wanted.source,
    (name) => (wanted.source = name),
    { id: "practice-source" },
  );
  const theme = select(
    t("practice.theme-choice"),
    [["", t("practice.any")], ...namesOf("motif").map((code) => [code, t(`motif.${code}`)])],
    wanted.theme ?? "",
    (code) => (wanted.theme = code || null),
    { id: "practice-theme" },
  );
  const difficulty = select(
    t("practice.difficulty"),
    [[0, t("practice.any")], ...[1, 2, 3].map((level) => [level, t(`practice.level.${level}`)])],
    wanted.difficulty,
    (level) => (wanted.difficulty = Number(level)),
    { id: "practice-difficulty" },
  );
  const start = button(t("practice.start"), () => ask("practise", wanted), { id: "practise", class: "main" });
  const next = button(t("practice.next"), () => ask("exercise"), { id: "exercise", class: "main" });
  const clue = button(t("practice.clue"), () => ask("clue"), { id: "clue" });
  const reveal = button(t("practice.reveal"), () => ask("reveal"), { id: "reveal" });
  const goal = el("p", { class: "verdict", id: "practice-goal", role: "status", "aria-live": "polite" });
  const words = el("p", { class: "facts", id: "practice-said", role: "status", "aria-live": "polite" });
  const summary = el("p", { class: "quiet", id: "practice-summary" });
  const chooser = el("details", {}, el("summary", {}, t("practise")), el("div", { class: "fields" }, source, theme, difficulty), start);
  panel.replaceChildren(chooser, goal, words, el("div", { class: "buttons" }, next, clue, reveal), summary);
  return () => {
    panel.hidden = app.screen !== "play" || !app.state;
    if (panel.hidden) return;
    const { practice } = app.state;
    goal.hidden = words.hidden = summary.hidden = next.hidden = clue.hidden = reveal.hidden = !practice;
    if (!practice) return;
    const level = practice.level ? `${t(`practice.level.${practice.level}`)}: ` : "";
    goal.textContent = level + said(practice.goal);
    words.textContent = (practice.said[settings.notation] ?? []).map(said).join(" ");
    summary.textContent = said(practice.summary);
    clue.disabled = reveal.disabled = practice.over;
  };
}
