// The games that are open, the archive of those that are not, and what is done so that none is lost.

import { app, ask } from "/static/app.js";
import { button, byId, dialog, el } from "/static/dom.js";
import { showExport } from "/static/files.js";
import { UNKNOWN } from "/static/game.js";
import { said, t } from "/static/i18n.js";

/** The address of a room, to open it in another tab. */
const addressOf = (room) => `/#${app.connection.token}.${room}`;

const isPerson = (player) => player.code === "player.human";
const named = (player) => (isPerson(player) ? t("you") : said(player));

/** @param {import("../page").RoomEntry} game */
function nameOf(game) {
  const players = [game.red, game.black];
  if (players.every((player) => said(player) === UNKNOWN)) return game.title || t("unnamed");
  const names = players.every(isPerson) ? t("human") : players.map(named).join(" – ");
  return game.title ? `${game.title} (${names})` : names;
}

/** @param {import("../page").RoomEntry & { date?: string }} game */
const facts = (game, ...more) =>
  [t("nMoves", { n: Math.ceil(game.moves / 2) }), game.result === "*" ? "" : game.result, said(game.opening), game.date, ...more]
    .filter(Boolean)
    .join(" · ");

/** @param {import("../page").Rooms} message */
export function showRooms({ rooms, archive, damaged }) {
  dialog(
    t("gamesTitle"),
    (body, box) => {
      body.append(
        el(
          "div",
          { class: "buttons" },
          button(t("newRoom"), () => (ask("room"), box.close()), { id: "new-room", class: "main" }),
          el("a", { href: addressOf("new"), target: "_blank", rel: "noopener", class: "button" }, `${t("openTab")} ↗`),
        ),
        el(
          "ul",
          { class: "entries", id: "rooms" },
          rooms.map((room) => openGame(room, box)),
        ),
        ...(archive.length ? archiveList(archive, box) : []),
        damaged.length ? el("p", { class: "bad", id: "damaged" }, t("damaged", { files: damaged })) : "",
      );
    },
    t("close"),
  );
}

function openGame(room, box) {
  const here = room.id === app.state.room;
  const enter = button("", () => (ask("enter", { room: room.id }), box.close()), {
    class: "entry",
    "aria-current": here ? "true" : null,
  });
  enter.append(
    el("strong", {}, nameOf(room)),
    el("span", { class: "quiet" }, facts(room, here ? t("current") : "")),
  );
  const away = el(
    "a",
    {
      href: addressOf(room.id),
      target: "_blank",
      rel: "noopener",
      class: "button",
      title: t("openTab"),
      "aria-label": t("openTab"),
    },
    "↗",
  );
  const gone = button("✕", () => ask("close", { room: room.id }), {
    class: "round",
    "aria-label": t("toArchive"),
    title: t("toArchive"),
    disabled: here,
  });
  return el("li", { class: "with-tools" }, enter, away, gone);
}

/** The archive: search, open, rename, delete the marked ones. */
function archiveList(archive, box) {
  const marked = new Set();
  const list = el("ul", { class: "entries", id: "archive" });
  const search = el("input", { type: "search", id: "archive-search", placeholder: t("search"), "aria-label": t("search") });
  const remove = button("", () => sure(), { id: "archive-delete", hidden: true });

  function sure() {
    if (remove.dataset.sure) ask("forget", { games: [...marked] });
    remove.dataset.sure = "yes";
    remove.textContent = t("really");
  }
  function drawTools() {
    delete remove.dataset.sure;
    remove.hidden = marked.size === 0;
    remove.textContent = t("deleteGames", { n: marked.size });
  }
  function draw() {
    const wanted = search.value.trim().toLowerCase();
    const rows = archive.filter((game) => `${nameOf(game)} ${facts(game)}`.toLowerCase().includes(wanted));
    list.replaceChildren(...rows.map(row));
    drawTools();
  }
  function row(game) {
    const mark = el("input", { type: "checkbox", checked: marked.has(game.id), "aria-label": nameOf(game) });
    mark.addEventListener("change", () => {
      if (mark.checked) marked.add(game.id);
      else marked.delete(game.id);
      drawTools();
    });
    const open = button("", () => (ask("reopen", { game: game.id }), box.close()), { class: "entry" });
    open.append(el("strong", {}, nameOf(game)), el("span", { class: "quiet" }, facts(game)));
    const line = el("li", { class: "with-tools" });
    const rename = button("✎", () => rewrite(), {
      class: "round",
      "aria-label": t("rename"),
      title: t("rename"),
    });
    line.append(mark, open, rename);
    function rewrite() {
      const form = renaming(game);
      line.replaceChildren(form);
      form.querySelector("input").focus();
    }
    return line;
  }
  search.addEventListener("input", draw);
  draw();
  return [el("h3", {}, t("archive")), el("div", { class: "toolbar" }, search, remove), list];
}

function renaming(game) {
  const title = el("input", { value: game.title, maxlength: "200", "aria-label": t("rename") });
  const form = el("form", { class: "typed" }, title, el("button", { type: "submit" }, t("saveComment")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask("rename", { game: game.id, title: title.value });
  });
  return form;
}

/** As long as the game cannot be written to disk, it is offered as a file. */
export function showUnsaved() {
  const banner = byId("unsaved");
  const { unsaved } = app.state;
  banner.hidden = !unsaved;
  if (unsaved && !banner.firstChild)
    banner.append(el("span", {}, ""), " ", button(t("saveAsFile"), showExport, { id: "save-unsaved" }));
  if (unsaved) banner.firstChild.textContent = t("unsaved", { reason: said(unsaved) });
}

/** What was just discarded can be brought back with one click. */
export function showDiscarded() {
  const notice = byId("discarded");
  const { discarded } = app.state;
  notice.hidden = !discarded;
  if (notice.dataset.shown === (discarded ?? "")) return;
  notice.dataset.shown = discarded ?? "";
  if (discarded)
    notice.replaceChildren(
      discarded === "new" ? t("discardedGame") : t("discardedMoves"),
      " ",
      button(t("bringBack"), () => ask("restore"), { id: "bring-back" }),
    );
}
