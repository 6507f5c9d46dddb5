// The list of games: those that are open and those of the archive; the board shows the last position of the chosen one.

import { app, ask, picture, previewed, redraw, set, showRoom, sure } from "/static/app.js";
import { button, byId, el, show, smallTable } from "/static/dom.js";
import { showExport } from "/static/files.js";
import { UNKNOWN, boardOf } from "/static/game.js";
import { said, t } from "/static/i18n.js";
import { newGame } from "/static/new_game.js";
import { head } from "/static/place_play.js";
import { isPerson, playerName } from "/static/players.js";
import { goToReview } from "/static/review.js";

/** @typedef {import("../page").GameEntry} GameEntry */

/** The address of a room, to open it in another tab. */
const addressOf = (room) => `/#${app.connection.token}.${room}`;

/** A text of a file without what stands for nothing: `?`, `????.??.??`. */
export const meaning = (text) => (/^[?.\s/-]*$/.test(text) ? "" : text.replace(/[.-]\?\?/g, ""));

/** @param {GameEntry} game */
function nameOf(game) {
  const players = [game.red, game.black];
  const title = meaning(game.title);
  if (players.every((player) => said(player) === UNKNOWN)) return title || t("unnamed");
  const names = players.every(isPerson) ? t("human") : players.map((player) => playerName(player) || "–").join(" – ");
  return title ? `${title} (${names})` : names;
}

let wanted = ""; // what is searched for
let only = ""; // a result
const marked = new Set();
/** @type {string | null} */
let renamed = null;

export function showGames() {
  app.screen = "games";
  app.hovered = null;
  marked.clear();
  ask("rooms");
  redraw();
}

/** @param {import("../page").GameList} message */
export function takeGames(message) {
  app.games = message;
  renamed = null;
  for (const id of [...marked]) if (!message.games.some((game) => game.id === id)) marked.delete(id);
  if (!message.games.some((game) => game.id === app.chosen)) app.chosen = message.games[0]?.id ?? null;
}

/** Goes to a game, and does there what is wanted. */
function open(id, then = () => {}) {
  if (id === app.state.room) {
    showRoom();
    return then();
  }
  app.entering = then;
  ask("enter", { room: id });
}

export function enteredRoom() {
  app.entering?.();
  app.entering = null;
}

/** A game that was begun here goes on where it is played. */
function playOn() {
  if (!app.state.study && app.state.mode === "analyse") ask("mode", { mode: "play" });
}

/** What the board draws: the last position of a game. */
export function previewPicture() {
  const game = previewed();
  return game?.fen ? { ...picture(), board: boardOf(game.fen), last: null, check: null, own: [], arrows: [] } : picture();
}

export function gamesView() {
  const games = app.games?.games ?? [];
  const text = wanted.trim().toLowerCase();
  const shown = games.filter(
    (game) =>
      (!only || game.result === only) &&
      `${nameOf(game)} ${said(game.opening)} ${game.date} ${game.result}`.toLowerCase().includes(text),
  );
  const results = ["", "1-0", "0-1", "1/2-1/2", "*"];
  return [
    head(),
    el(
      "section",
      { class: "panel games", id: "panel-games" },
      el("h2", {}, t("gamesTitle")),
      el(
        "div",
        { class: "toolbar", "data-key": "tools" },
        el("input", {
          type: "search",
          id: "games-search",
          placeholder: t("search"),
          "aria-label": t("search"),
          value: wanted,
          oninput: (event) => {
            wanted = event.target.value;
            redraw();
          },
        }),
        el(
          "select",
          { "aria-label": t("results"), id: "games-result", value: only, onchange: (event) => ((only = event.target.value), redraw()) },
          results.map((result) => el("option", { value: result }, result === "" ? t("anyResult") : result === "*" ? t("unfinished") : result)),
        ),
        button(t("newGame"), newGame, { id: "games-new" }),
        marked.size ? deleteButton() : "",
      ),
      shown.length
        ? el("div", { class: "scroll", "data-key": "table" }, smallTable(["", t("players"), t("result"), t("nMovesHead"), t("date")], shown.map(row), { id: "games", onmouseleave: () => set({ hovered: null }) }))
        : el("p", { class: "quiet", id: "no-games" }, t(games.length ? "nothingFound" : "noGames")),
      app.games?.damaged.length ? el("p", { class: "bad", id: "damaged" }, t("damaged", { files: app.games.damaged })) : "",
    ),
  ];
}

function deleteButton() {
  const text = app.sure === "forget" ? t("really") : t("deleteGames", { n: marked.size });
  return button(text, () => sure("forget") && ask("forget", { games: [...marked] }), { id: "games-delete" });
}

/** @param {GameEntry} game */
function row(game) {
  const name = nameOf(game);
  const here = game.id === app.state.room;
  const chosen = game.id === app.chosen;
  const entry =
    renamed === game.id
      ? renaming(game)
      : button(name, () => open(game.id), {
          class: "entry-name",
          "aria-current": here ? "true" : null,
          onfocus: () => set({ chosen: game.id }),
        });
  const mark = el("input", {
    type: "checkbox",
    checked: marked.has(game.id),
    disabled: here,
    "aria-label": `${t("mark")}: ${name}`,
    onchange: (event) => {
      if (event.target.checked) marked.add(game.id);
      else marked.delete(game.id);
      redraw();
    },
  });
  const attributes = {
    "data-key": game.id,
    "data-game": game.id,
    class: chosen ? "chosen" : "",
    onmouseenter: () => set({ hovered: game.id }),
    onclick: (event) => event.target.closest("button, label, input") || set({ chosen: game.id }),
  };
  return [
    el(
      "tr",
      attributes,
      el("td", {}, el("label", { class: "mark-game" }, mark)),
      el("td", { class: "name-cell" }, entry, game.opening ? el("span", { class: "quiet" }, said(game.opening)) : ""),
      el("td", {}, game.result === "*" ? "" : game.result),
      el("td", { class: "moves-cell" }, String(Math.ceil(game.moves / 2))),
      el("td", { class: "date-cell" }, meaning(game.date).slice(0, 10).replaceAll(".", "-")),
    ),
    chosen ? el("tr", { "data-key": `tools ${game.id}`, class: "chosen" }, el("td", { colspan: "5" }, tools(game, name))) : "",
  ];
}

/**
 * What can be done with the chosen game.
 * @param {GameEntry} game
 * @param {string} name
 */
function tools(game, name) {
  const unfinished = game.result === "*" && [game.red, game.black].some(isPerson);
  const tool = (id, text, run, disabled = false) => button(text, run, { id, disabled, "aria-label": `${text}: ${name}` });
  return el(
    "div",
    { class: "buttons", id: "game-tools" },
    tool("game-open", t(unfinished ? "goOn" : "open"), () => open(game.id, unfinished ? playOn : undefined)),
    tool("game-review", t("review"), () => open(game.id, goToReview), unfinished), // it would give the game away
    tool("game-save", t("export"), () => open(game.id, showExport)),
    tool("game-rename", t("rename"), () => rename(game.id)),
    el("a", { href: addressOf(game.id), target: "_blank", rel: "noopener", class: "button", "aria-label": `${t("openTab")}: ${name}` }, t("openTab")),
  );
}

function rename(id) {
  renamed = id;
  redraw();
  requestAnimationFrame(() => requestAnimationFrame(() => byId("rename-field")?.focus()));
}

function renaming(game) {
  return el(
    "form",
    {
      class: "typed",
      onsubmit: (event) => {
        event.preventDefault();
        ask("rename", { game: game.id, title: event.target.elements[0].value });
      },
    },
    el("input", { id: "rename-field", value: game.title, maxlength: "200", "aria-label": t("rename") }),
    el("button", { type: "submit" }, t("saveComment")),
  );
}

/** As long as the game cannot be written to disk, it is offered as a file. */
export function drawUnsaved() {
  const { unsaved } = app.state;
  const banner = byId("unsaved");
  banner.hidden = !unsaved;
  show(
    banner,
    unsaved ? [el("span", {}, t("unsaved", { reason: said(unsaved) })), " ", button(t("saveAsFile"), showExport, { id: "save-unsaved" })] : "",
  );
}
