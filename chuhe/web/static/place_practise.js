// Practice: a puzzle, one's own mistake or an endgame on the board, beside it what is to be done and whether it was.

import { app, ask, refutation, backToExercise } from "/static/app.js";
import { el, select } from "/static/dom.js";
import { namesOf, said, sentences, t } from "/static/i18n.js";
import { icon } from "/static/icons.js";
import { head } from "/static/place_play.js";
import { change, settings } from "/static/settings.js";

export const practise = () => ask("practise", settings.practice);

/** The sentences of the last answer, without what the large word beside it says already. */
const PLAIN = { "practice.right": "practice.line", "practice.goes-on": "practice.line" };
const sentence = (message) => said(message.code in PLAIN ? { ...message, code: PLAIN[message.code] } : message);

export function practiseView() {
  const { practice } = app.state;
  return [
    head(),
    practice ? exercise(practice) : "",
    chooser(practice),
  ];
}

/** @param {import("../page").Practice} practice */
function exercise(practice) {
  const { over, verdict } = practice;
  const word = { right: over ? "correct" : "goesOn", wrong: over ? "notSolved" : "notRight", shown: "solution" }[verdict];
  const words = practice.said[settings.notation] ?? [];
  const figure = (code, value) => el("span", { class: "figure" }, el("strong", {}, String(value)), ` ${t(code)}`);
  return el(
    "section",
    { class: "panel exercise", id: "exercise" },
    el(
      "h2",
      { id: "practice-goal" },
      said(practice.goal),
      practice.level ? el("span", { class: "tag" }, t(`practice.level.${practice.level}`)) : "",
    ),
    el(
      "div",
      { role: "status", "aria-live": "polite", "data-key": "answer" },
      verdict
        ? el("p", { id: "practice-verdict", class: `big ${verdict === "right" ? "good" : verdict === "wrong" ? "bad" : ""}` },
            `${{ right: "✓ ", wrong: "✗ ", shown: "" }[verdict]}${t(word)}`)
        : "",
      el("p", { id: "practice-said" }, sentences(...words.map(sentence))),
    ),
    refutation().length
      ? el("button", { type: "button", class: "main large", id: "retry-exercise", onclick: backToExercise }, icon("undo"), t("tryAgain"))
      : "",
    over
      ? el(
          "button",
          { type: "button", class: "main large", id: "next-exercise", onclick: () => ask("exercise") },
          t("practice.next"),
          " ",
          icon("exercise"),
        )
      : "",
    practice.summary
      ? [
          el("p", { class: "figures", id: "practice-figures" },
            figure("practice.streak", practice.streak),
            figure("practice.today", practice.today),
            figure("practice.due", practice.due)),
          el("p", { class: "quiet", id: "practice-summary" }, said(practice.summary)),
        ]
      : "",
  );
}

function chooser(practice) {
  const { source, theme, difficulty } = settings.practice;
  const put = (changes) => {
    change({ practice: { ...settings.practice, ...changes } });
    practise();
  };
  const kind = select(
    t("practice.what"),
    ["puzzles", "mine", "endgames"].map((name) => [name, t(`practice.source.${name}`)]),
    source,
    (name) => put({ source: name }),
    { id: "practice-source" },
  );
  const themes = select(
    t("practice.theme-choice"),
    [["", t("practice.any")], ...namesOf("motif").map((code) => [code, t(`motif.${code}`)])],
    theme ?? "",
    (code) => put({ theme: code || null }),
    { id: "practice-theme" },
  );
  const levels = select(
    t("practice.difficulty"),
    [[0, t("practice.any")], ...[1, 2, 3].map((level) => [level, t(`practice.level.${level}`)])],
    difficulty,
    (level) => put({ difficulty: Number(level) }),
    { id: "practice-difficulty" },
  );
  return el(
    "section",
    { class: "panel", id: "practice-choice" },
    el("h3", {}, t("practice.choice")),
    el("div", { class: "fields three" }, kind, source === "endgames" ? "" : [themes, levels]),
    practice ? "" : el("p", { class: "quiet" }, t("practice.nothingYet")),
  );
}
