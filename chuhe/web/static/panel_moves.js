// The moves with their buttons, and the review with its graph.

import { app, ask, goBack, goFirst, goLast, goOn, goTo, mayPlay, redraw, sendMove, shownNode, shownTree } from "/static/app.js";
import { button, byId, el, icon, select } from "/static/dom.js";
import { Graph, summary } from "/static/graph.js";
import { said, t } from "/static/i18n.js";
import { MoveList } from "/static/moves.js";
import { settings, textOf } from "/static/settings.js";

let list = null;

export function buildMoves() {
  const panel = byId("panel-moves");
  const box = el("div", { class: "moves", id: "moves", tabindex: "0", role: "region", "aria-label": t("moves") });
  const opening = el("p", { class: "quiet", id: "opening" });
  list = new MoveList(box, goTo);
  const steps = [
    ["M6 5V19M19 5L9 12L19 19Z", "first", goFirst],
    ["M16 5L7 12L16 19Z", "previous", goBack],
    ["M8 5L17 12L8 19Z", "next", goOn],
    ["M18 5V19M5 5L15 12L5 19Z", "last", goLast],
  ].map(([sign, key, action]) =>
    button(icon(sign), action, { "aria-label": t(`go.${key}`), title: t(`go.${key}`), id: `go-${key}`, class: "step" }),
  );
  const tools = {
    promote: button(t("promote"), () => ask("promote", { node: app.view.id }), { id: "promote" }),
    remove: button(t("remove"), () => ask("delete", { node: app.view.id }), { id: "delete" }),
    comment: button(t("comment"), () => editComment(), { id: "comment" }),
  };
  const typed = el("input", {
    id: "typed",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: "40",
    placeholder: t("typeExample"),
    "aria-label": t("typeMove"),
  });
  const form = el("form", { class: "typed" }, typed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = typed.value.trim();
    if (!text) return;
    if (!mayPlay()) {
      app.message = t("notNow"); // what was typed stays
      return redraw();
    }
    sendMove(text);
    typed.value = "";
  });
  const editor = el("form", { class: "editor", hidden: true });
  let edited = null; // {game, node, text}
  const drafts = new Map(); // what was written and not saved, by game and node
  panel.replaceChildren(
    el("h2", { class: "hidden-title" }, t("moves")),
    opening,
    box,
    editor,
    el(
      "div",
      { class: "steps" },
      steps,
      button(t("flip"), () => app.flip(), { id: "flip" }),
    ),
    el("div", { class: "buttons tree-tools" }, Object.values(tools)),
    form,
  );

  const keyOf = ({ game, node }) => `${game} ${node}`;

  function editComment() {
    putAside();
    const place = { game: app.state.game, node: app.view.id };
    const text = el("textarea", {
      rows: "3",
      maxlength: "4000",
      "aria-label": t("commentHere"),
      value: drafts.get(keyOf(place)) ?? app.view.comment ?? "",
    });
    edited = { ...place, text };
    editor.replaceChildren(
      text,
      el(
        "div",
        { class: "buttons" },
        button(t("saveComment"), keep, { id: "save-comment" }),
        button(t("cancel"), closeEditor),
      ),
    );
    editor.hidden = false;
    text.focus();
    function keep() {
      const sent = ask("comment", () => {
        if (app.state.game === place.game) return { node: place.node, text: text.value };
        drafts.set(keyOf(place), text.value);
        return null;
      });
      if (sent) closeEditor();
    }
  }

  function closeEditor() {
    drafts.delete(keyOf(edited));
    editor.hidden = true;
    edited = null;
  }

  /** The editor belongs to one move of one game: elsewhere it is closed, and what was written waits for its return. */
  function putAside() {
    if (!edited) return;
    const { text, ...place } = edited;
    closeEditor();
    drafts.set(keyOf(place), text.value);
  }

  let drawn = null;
  return () => {
    const [tree, node] = [shownTree(), shownNode()];
    panel.hidden = app.screen === "setup" || !tree;
    if (panel.hidden) return;
    const stamp = `${settings.notation}${settings.language}`;
    if (drawn?.tree !== tree || drawn.stamp !== stamp) {
      list.draw(tree);
      drawn = { tree, stamp };
    }
    if (list.current !== node.id) list.setCurrent(node);
    const name = app.screen === "match" ? null : app.state.cursor.opening;
    opening.hidden = !name;
    opening.textContent = said(name);
    steps[0].disabled = steps[1].disabled = !node.parent;
    steps[2].disabled = steps[3].disabled = !node.children.length;
    const editing = app.screen === "analyse";
    tools.promote.hidden = tools.remove.hidden = tools.comment.hidden = !editing;
    tools.promote.disabled = !inVariation(node);
    tools.remove.disabled = !node.parent;
    form.hidden = app.screen === "match";
    if (edited && (edited.game !== app.state.game || !app.tree.nodes.has(edited.node))) putAside();
  };
}

function inVariation(node) {
  for (; node.parent; node = node.parent) if (node.parent.children[0] !== node) return true;
  return false;
}

/** A judgement has arrived. */
export const judgedMove = (node) => list?.update(node);

// --- review

const isFault = (node) => ["blunder", "mistake", "inaccuracy"].includes(node.judged?.grade);

export function nextFault(step) {
  const line = app.tree.mainLine();
  const here = line.indexOf(app.view);
  const order = step > 0 ? line.slice(here + 1) : line.slice(0, here < 0 ? 0 : here).reverse();
  goTo(order.find(isFault));
}

export const startReview = () => ask("review", { on: true, movetime: reviewTime });
let reviewTime = 300;

export function buildReview() {
  const panel = byId("panel-review");
  const start = button(t("reviewGame"), startReview, { id: "review", class: "main" });
  const stop = button(t("stopReview"), () => ask("review", { on: false, movetime: reviewTime }), { id: "stop-review" });
  const time = select(
    t("perMove"),
    [100, 300, 1000, 3000].map((ms) => [ms, t("seconds", { n: ms / 1000 })]),
    reviewTime,
    (ms) => (reviewTime = Number(ms)),
    { id: "review-time" },
  );
  const bar = el("progress", { id: "review-progress", "aria-label": t("review") });
  const count = el("p", { class: "facts" });
  const graphBox = el("div", { class: "graph-box" });
  const graph = new Graph(graphBox, goTo);
  const faults = el(
    "div",
    { class: "buttons" },
    button(`◀ ${t("previousFault")}`, () => nextFault(-1), { id: "previous-fault" }),
    button(`${t("nextFault")} ▶`, () => nextFault(1), { id: "next-fault" }),
  );
  const table = el("div");
  const verdict = el("p", { class: "verdict", id: "verdict" });
  panel.replaceChildren(
    el("h2", {}, t("review")),
    el("div", { class: "toolbar" }, start, stop, time),
    el("p", { class: "quiet" }, t("forRed")),
    bar,
    count,
    graphBox,
    verdict,
    faults,
    table,
  );
  return () => {
    const { state, tree } = app;
    const line = tree?.mainLine() ?? [];
    const possible = state && line.length > 0 && (app.screen === "analyse" || (app.screen === "play" && state.ending));
    panel.hidden = !possible;
    if (panel.hidden) return;
    const { review } = state;
    start.hidden = Boolean(review);
    stop.hidden = bar.hidden = count.hidden = !review;
    if (review) {
      bar.max = review.total;
      bar.value = review.done;
      count.textContent = review.displaced ? t("waitsFor", { by: t(`by.${review.displaced}`) }) : t("reviewing", { done: review.done, total: review.total });
    }
    const known = line.some((node) => node.judged);
    graphBox.hidden = faults.hidden = table.hidden = !known;
    if (!known) {
      verdict.textContent = "";
      return;
    }
    graph.draw(line, app.view);
    table.replaceChildren(summary(line, tree));
    verdict.replaceChildren(...describe(app.view));
  };
}

/** The mistake shown, with the better line. */
function describe(node) {
  if (!isFault(node)) return [];
  const better = node.parent.children.find((other) => other !== node && other.move === node.judged.best) ?? null;
  const words = [
    el(
      "strong",
      { class: node.judged.grade },
      `${node.mark} ${t("review.fault", { grade: t(`grade.${node.judged.grade}`), loss: (node.judged.loss / 100).toFixed(2) })}`,
    ),
  ];
  const remarks = node.judged.remarks?.[settings.notation] ?? [];
  if (remarks.length) words.push(" ", el("span", { class: "remarks" }, remarks.map(said).join(" ")));
  if (better) {
    const line = [better, ...app.tree.mainLine(better)].map((step) => textOf(step.texts));
    words.push(
      " ",
      button(t("better", { line: line.join(" ") }), () => goTo(better), { class: "line-move" }),
    );
  }
  return words;
}
