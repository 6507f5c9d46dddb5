// The editor of a comment. It belongs to one move of one game: elsewhere it is closed, and what was written waits.

import { app, ask, redraw } from "/static/app.js";
import { button, byId, el } from "/static/dom.js";
import { t } from "/static/i18n.js";

/** @type {{ game: string, node: number } | null} */
let edited = null;
const drafts = new Map(); // what was written and not saved, by game and node

const keyOf = ({ game, node }) => `${game} ${node}`;

export function editComment() {
  edited = { game: app.state.game, node: app.view.id };
  if (!drafts.has(keyOf(edited))) drafts.set(keyOf(edited), app.view.comment ?? "");
  redraw();
  requestAnimationFrame(() => requestAnimationFrame(() => byId("comment-text")?.focus()));
}

function close() {
  if (edited) drafts.delete(keyOf(edited));
  edited = null;
  redraw();
}

function keep() {
  const place = edited;
  const text = drafts.get(keyOf(place));
  const sent = ask("comment", () => {
    if (app.state.game === place.game) return { node: place.node, text };
    drafts.set(keyOf(place), text);
    return null;
  });
  if (sent) close();
}

export function commentEditor() {
  if (edited && (edited.game !== app.state.game || !app.tree.nodes.has(edited.node))) edited = null;
  if (!edited || app.screen !== "analyse") return "";
  const place = keyOf(edited);
  return el(
    "form",
    { class: "editor", "data-key": `comment ${place}`, onsubmit: (event) => event.preventDefault() },
    el("textarea", {
      id: "comment-text",
      rows: "3",
      maxlength: "4000",
      "aria-label": t("commentHere"),
      value: drafts.get(place),
      oninput: (event) => drafts.set(place, event.target.value),
    }),
    el("div", { class: "buttons" }, button(t("saveComment"), keep, { id: "save-comment" }), button(t("cancel"), close)),
  );
}
