// The column beside a game: what is going on, the end of it, the moves.

import { app, ask, say, mayPlay, sendMove, set } from "/static/app.js";
import { button, el } from "/static/dom.js";
import { said, sentences, t } from "/static/i18n.js";
import { newGame, rematch } from "/static/new_game.js";
import { people, statusText, verdict } from "/static/players.js";
import { accuracies, goToReview } from "/static/review.js";
import { settings } from "/static/settings.js";

/** The parts at the head of every column: the state of things for people and screen readers, and a notice. */
export function head() {
  const { notice } = app;
  const shown = app.retry || (app.screen === "play" && app.state.ending); // below, in larger type
  return [
    el("p", { id: "status", class: shown ? "hidden-title" : "", role: "status", "aria-live": "polite" }, statusText()),
    el(
      "div",
      { id: "message", class: "message", role: "alert" },
      notice ? [el("span", {}, notice.text()), button("✕", () => set({ notice: null }), { class: "round", "aria-label": t("close") })] : "",
    ),
    el("div", { id: "discarded", class: "notice", role: "status" }, discarded()),
  ];
}

/** What was just discarded can be brought back with one click. */
function discarded() {
  const { discarded: what } = app.state;
  if (!what || app.screen === "games" || app.screen === "setup") return "";
  return [
    el("span", {}, t(what === "new" ? "discardedGame" : "discardedMoves")),
    button(t("bringBack"), () => ask("restore"), { id: "bring-back" }),
  ];
}

/** The list of moves; `MoveList` fills it. */
export const moves = () =>
  el("div", {
    id: "moves",
    class: "moves",
    "data-own": true,
    tabindex: "0",
    role: "region",
    "aria-label": t("moves"),
  });

export const opening = () => {
  const name = app.screen === "match" ? null : app.state.cursor.opening;
  return name ? el("p", { class: "quiet", id: "opening" }, said(name)) : "";
};

/** The field to type a move into, once it has been asked for. */
export function typedMove() {
  if (!app.typing || app.screen === "match") return "";
  return el(
    "form",
    {
      class: "typed",
      onsubmit: (event) => {
        event.preventDefault();
        const field = event.target.elements[0];
        const text = field.value.trim();
        if (!text) return;
        if (!mayPlay()) return say(() => t("notNow")); // what was typed stays
        sendMove(text);
        field.value = "";
      },
    },
    el("input", {
      id: "typed",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: "40",
      placeholder: t("typeExample"),
      "aria-label": t("typeMove"),
    }),
  );
}

export function playView() {
  const { state } = app;
  return [
    head(),
    state.ending ? over() : "",
    thinking(),
    opening(),
    moves(),
    typedMove(),
  ];
}

/** What the program thinks, for those who want to know; the hint. */
function thinking() {
  const { thought, passing, state } = app;
  const parts = [];
  if (settings.spoilers && thought && state.thinking) parts.push(`${t("depth", { n: thought.depth })}, ${thought.score}`);
  if (passing.hint) {
    const move = passing.hint.texts[settings.notation]?.[0] ?? passing.hint.moves[0];
    parts.push(settings.spoilers ? t("hintIs", { move, score: passing.hint.score }) : t("hintMove", { move }));
    parts.push(said(passing.hint.merit[settings.notation]));
  }
  return el("p", { class: "facts", id: "thinking", role: "status" }, sentences(...parts));
}

function over() {
  const { state } = app;
  const [red, black] = people();
  const accuracy = accuracies();
  return el(
    "section",
    { id: "panel-over", class: "panel over" },
    el(
      "h2",
      { id: "verdict-of-game" },
      verdict(),
      el("span", { class: "quiet" }, t("nMoves", { n: Math.ceil(app.tree.get(state.head).ply / 2) })),
    ),
    accuracy ? el("p", { class: "facts" }, t("accuracyOf", accuracy)) : "",
    el(
      "div",
      { class: "buttons" },
      app.tree.root.children.length
        ? button(t("review"), goToReview, { id: "review-after", class: "main" })
        : "",
      button(t("rematch"), () => rematch(), { id: "rematch" }),
      red !== black ? button(t("otherSide"), () => rematch({ swapped: true }), { id: "rematch-other" }) : "",
      button(t("newGame"), newGame, { id: "new-after" }),
    ),
  );
}

