// A match of `chuhe match` while it runs: table, Elo, SPRT, the games one by one.

import { app, ask } from "/static/app.js";
import { button, el, smallTable } from "/static/dom.js";
import { Tree } from "/static/game.js";
import { said, t } from "/static/i18n.js";
import { head, moves } from "/static/place_play.js";

/** @param {import("../page").MatchGameData} message */
export function takeMatchGame(message) {
  const old = app.matchGame;
  const tree = new Tree({ fen: message.fen, nodes: message.nodes });
  const same = old?.number === message.number;
  const follow = same ? old.follow : message.running;
  const view = follow ? tree.end() : same ? tree.get(old.view.id) : tree.root;
  app.matchGame = { ...message, tree, view, follow };
}

/** Shows a running game, and after it the next one, unless the person looks at something else. */
/** @param {import("../page").Match} match */
export function takeMatch(match) {
  app.match = match;
  const next = match.running?.[0] ?? (app.matchGame ? null : match.finished?.[0]);
  const free = !app.matchGame || (app.matchGame.follow && app.matchGame.result !== "*");
  if (next && free) choose(next.number);
}

const choose = (number) => ask("watch", { game: number });

export const matchView = () => [
  head(),
  moves(),
  el(
    "section",
    { class: "panel", id: "panel-match" },
    el("h2", {}, t("match")),
    !app.match ? "" : "games" in app.match ? describe(app.match) : el("p", {}, t("waitingMatch")),
  ),
];

/** Before enough games were played, the interval has no end. */
const interval = ({ low, high }) => (/inf|nan/.test(`${low} ${high}`) ? "" : ` [${low}, ${high}]`);
const known = (text) => (/inf|nan/.test(text) ? "–" : text);

/** @param {import("../page").Match} match */
function describe(match) {
  const parts = [
    el(
      "p",
      {},
      el("strong", {}, match.name),
      ` · ${match.control.map(said).join(t("list.comma"))} · ${t("ofGames", { n: match.games, total: match.total })}`,
    ),
    el("progress", {
      max: match.total,
      value: match.games,
      "aria-label": t("ofGames", { n: match.games, total: match.total }),
    }),
    table(
      [t("pairing"), "+", "=", "−", t("elo"), t("los")],
      match.pairings.map((pairing) => [
        pairing.engines.join(" – "),
        pairing.wins,
        pairing.draws,
        pairing.losses,
        known(pairing.elo) + interval(pairing),
        `${(100 * pairing.los).toFixed(1)} %`,
      ]),
    ),
  ];
  if (match.ratings.length) {
    parts.push(
      table(
        [t("engineName"), t("elo"), "±", t("points"), t("gamesPlayed")],
        match.ratings.map((rating) => [rating.name, rating.elo, rating.error ?? "∞", rating.points, rating.games]),
      ),
    );
  }
  if (match.bounds) parts.push(...sprt(match.bounds));
  parts.push(
    el("h3", {}, t("running")),
    match.running.length ? list(match.running) : el("p", { class: "quiet" }, t("noLive")),
  );
  parts.push(el("h3", {}, t("finished")), list(match.finished), el("p", { class: "quiet" }, t("forRed")));
  return parts;
}

function sprt(bounds) {
  const text = t("sprt", { ...bounds, verdict: t(`sprt.${bounds.verdict}`) });
  const share = (bounds.llr - bounds.lower) / (bounds.upper - bounds.lower);
  return [
    el("p", { id: "sprt" }, text),
    el("meter", { min: 0, max: 1, value: Math.max(0, Math.min(1, share)), "aria-label": text }),
  ];
}

function table(titles, rows) {
  const cells = rows.map(([first, ...rest]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, String(first)),
      rest.map((value) => el("td", {}, String(value))),
    ),
  );
  return el("div", { class: "scroll" }, smallTable(titles, cells));
}

function list(games) {
  return el(
    "ul",
    { class: "entries short" },
    games.map((game) => {
      const entry = button("", () => choose(game.number), {
        class: "entry",
        "data-game": game.number,
        "aria-current": game.number === app.matchGame?.number ? "true" : null,
      });
      const facts = [game.result, said(game.reason), t("nMoves", { n: Math.ceil(game.moves / 2) })]
        .filter(Boolean)
        .join(" · ");
      entry.append(
        el("strong", {}, `${game.number}. ${game.red} – ${game.black}`),
        el("span", { class: "quiet" }, facts),
      );
      return el("li", {}, entry);
    }),
  );
}
