// A match of `chuhe match` while it runs: table, Elo, SPRT, the games one by one.

import { app, ask } from "/static/app.js";
import { button, byId, el, smallTable } from "/static/dom.js";
import { Tree } from "/static/game.js";
import { said, t } from "/static/i18n.js";

export function takeMatchGame(message) {
  const old = app.matchGame;
  const tree = new Tree({ fen: message.fen, nodes: message.nodes });
  const same = old?.number === message.number;
  const follow = same ? old.follow : message.running;
  const view = follow ? tree.end() : same ? tree.get(old.view.id) : tree.root;
  app.matchGame = { ...message, tree, view, follow };
}

/** Shows a running game, and after it the next one, unless the person looks at something else. */
export function takeMatch(match) {
  app.match = match;
  const next = match.running?.[0] ?? (app.matchGame ? null : match.finished?.[0]);
  const free = !app.matchGame || (app.matchGame.follow && app.matchGame.result !== "*");
  if (next && free) choose(next.number);
}

const choose = (number) => ask("watch", { game: number });

export function buildMatch() {
  const panel = byId("panel-match");
  const body = el("div");
  panel.replaceChildren(el("h2", {}, t("match")), body);
  let drawn = null;
  return () => {
    panel.hidden = app.screen !== "match";
    if (panel.hidden || !app.match) return;
    const key = JSON.stringify([app.match, app.matchGame?.number, document.documentElement.lang]);
    if (key === drawn) return;
    drawn = key;
    body.replaceChildren(...(app.match.waiting ? [el("p", {}, t("waitingMatch"))] : describe(app.match)));
  };
}

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
        `${pairing.elo} [${pairing.low}, ${pairing.high}]`,
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

function table(head, rows) {
  const cells = rows.map(([first, ...rest]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, String(first)),
      rest.map((value) => el("td", {}, String(value))),
    ),
  );
  return el("div", { class: "scroll" }, smallTable(head, cells));
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
