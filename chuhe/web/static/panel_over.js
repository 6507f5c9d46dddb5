// The end of a game: who won and why, and what can be done next.

import { app } from "/static/app.js";
import { button, byId, el } from "/static/dom.js";
import { showExport } from "/static/files.js";
import { said, t } from "/static/i18n.js";
import { startReview } from "/static/panel_moves.js";
import { newGame } from "/static/panel_play.js";

// the reasons in a word; the status line has the whole sentence
/** @type {Record<string, string>} */
const WORDS = {
  "outcome.material": "insufficient-material",
  "game.resigns": "resignation",
  "game.draw-agreed": "draw-agreed",
  "game.loses-on-time": "time-forfeit",
};

/** @param {import("../page").MessageData} message */
function inAWord(message) {
  const word = WORDS[message.code] || message.code.replace(/^outcome\./, "");
  return word === message.code ? said(message) : said({ code: `reason.${word}` });
}

/** @param {import("../page").State} state */
export function verdict({ ending, table }) {
  const human = [table.red.kind === "human", table.black.kind === "human"];
  const winner = { "1-0": 0, "0-1": 1 }[ending.result];
  const reason = inAWord(ending.message);
  if (winner === undefined) return t("endDrawn", { reason });
  if (human[0] !== human[1]) return t(human[winner] ? "endWon" : "endLost", { reason });
  return t("endWins", { side: t(winner ? "side.black" : "side.red"), reason });
}

export function buildOver() {
  const panel = byId("panel-over");
  const title = el("h2", { id: "verdict-of-game" });
  const other = button(t("otherSide"), () => newGame({ swapped: true }), { id: "rematch-other" });
  panel.replaceChildren(
    title,
    el(
      "div",
      { class: "buttons" },
      button(t("rematch"), () => newGame(), { id: "rematch", class: "main" }),
      other,
      button(t("reviewGame"), startReview, { id: "review-after" }),
      button(t("export"), showExport, { id: "save-after" }),
    ),
  );
  return () => {
    const { state } = app;
    panel.hidden = app.screen !== "play" || !state.ending;
    if (panel.hidden) return;
    title.textContent = verdict(state);
    other.hidden = (state.table.red.kind === "human") === (state.table.black.kind === "human");
  };
}
