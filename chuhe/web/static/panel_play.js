// The panel beside a game: players, time control, and the person's actions.

import { app, ask, mayPlay } from "/static/app.js";
import { button, byId, check, el, select } from "/static/dom.js";
import { t } from "/static/i18n.js";

const MOVETIMES = [100, 300, 1000, 3000, 10000];
const CUSTOM = "custom";
const CLOCKS = { none: null, "5+0": [5, 0, 0], "10+5": [10, 5, 0], "20+10": [20, 10, 0], "15~30": [15, 0, 30] };

function clockOf(key) {
  const found = CLOCKS[key];
  if (!found) return null;
  const [minutes, increment, byoyomi] = found;
  return { base: minutes * 60000, increment: increment * 1000, byoyomi: byoyomi * 1000 };
}

const keyOfClock = (clock) =>
  Object.keys(CLOCKS).find((key) => JSON.stringify(clockOf(key)) === JSON.stringify(clock)) ?? CUSTOM;

/** A seat as one word, and back. */
const wordOf = (seat) =>
  seat.kind === "engine" ? `level-${seat.level}` : seat.kind === "external" ? `engine-${seat.index}` : seat.kind;

function seatOf(word) {
  const [kind, number] = word.split("-");
  if (kind === "level") return { kind: "engine", level: Number(number) };
  if (kind === "engine") return { kind: "external", index: Number(number) };
  return { kind };
}

function opponents() {
  const levels = Array.from({ length: app.about?.levels ?? 0 }, (_, index) => [`level-${index + 1}`, t("player.level", { level: index + 1 })]);
  const engines = (app.about?.engines ?? []).map((name, index) => [`engine-${index}`, name]);
  return [...levels, ...engines, ["s0", t("oldProgram", { style: "S0" })], ["s1", t("oldProgram", { style: "S1" })], ["human", t("human")]];
}

/** The current players and clock, with the changes applied. */
function describe(changes = {}) {
  const table = app.state.table;
  const human = table.red.kind === "human" ? "red" : table.black.kind === "human" ? "black" : "none";
  const program = human === "red" ? table.black : table.red;
  const wanted = {
    opponent: wordOf(program),
    side: human,
    clock: table.clock,
    movetime: table.movetime,
    ponder: table.ponder,
    book: table.book,
    ...changes,
  };
  const seat = seatOf(wanted.opponent);
  const person = { kind: "human" };
  const [red, black] =
    wanted.side === "none" ? [seat, seat] : wanted.side === "black" ? [seat, person] : [person, seat];
  return { red, black, clock: wanted.clock, movetime: wanted.movetime, ponder: wanted.ponder, book: wanted.book };
}

const change = (changes) => ask("players", () => describe(changes));

/** Another game between the same players; `swapped`: with the colours changed. */
export function newGame({ swapped = false } = {}) {
  ask("new", () => {
    const { red, black, ...rest } = describe();
    return { ...rest, red: swapped ? black : red, black: swapped ? red : black, fen: null };
  });
}

export function buildPlay() {
  const panel = byId("panel-play");
  const fields = {
    opponent: select(t("opponent"), opponents(), "level-5", (word) => change({ opponent: word }), { id: "opponent" }),
    side: select(
      t("side"),
      [
        ["red", t("side.red")],
        ["black", t("side.black")],
        ["none", t("programs")],
      ],
      "red",
      (side) =>
        change({
          side,
          ...(side === "none" && describe().red.kind === "human" && describe().black.kind === "human"
            ? { opponent: "level-5" }
            : {}),
        }),
      { id: "side-choice" },
    ),
    movetime: select(
      t("movetime"),
      MOVETIMES.map((ms) => [ms, t("seconds", { n: ms / 1000 })]),
      1000,
      (ms) => change({ movetime: Number(ms) }),
      { id: "movetime" },
    ),
    clock: select(
      t("clock"),
      [...Object.keys(CLOCKS).map((key) => [key, key === "none" ? t("noClock") : key]), [CUSTOM, t("clockCustom")]],
      "none",
      (key) => change({ clock: key === CUSTOM ? { base: 600000, increment: 10000, byoyomi: 0 } : clockOf(key) }),
      { id: "clock" },
    ),
  };
  const custom = customClock();
  const strength = el("p", { class: "quiet", id: "level-words" });
  const ponder = check(t("ponder"), false, (on) => change({ ponder: on }), { id: "ponder" });
  const book = check(t("useBook"), true, (on) => change({ book: on }), { id: "use-book" });
  const resign = button(t("resign"), () => confirmed(resign, () => ask("resign")), { id: "resign" });
  const buttons = {
    fresh: button(t("newGame"), () => newGame(), { id: "new-game", class: "main" }),
    undo: button(t("undo"), () => ask("undo"), { id: "undo" }),
    redo: button(t("redo"), () => ask("redo"), { id: "redo" }),
    hint: button(t("hint"), () => ask("hint"), { id: "hint" }),
    threat: button(t("threat"), () => ask("threat"), { id: "threat" }),
    now: button(t("moveNow"), () => ask("now"), { id: "now" }),
    draw: button(t("draw"), () => ask("draw"), { id: "draw" }),
    resign,
    swap: button(t("swap"), () => ask("swap"), { id: "swap" }),
    go: button(t("continueHere"), () => ask("continue", { node: app.view.id }), { id: "continue" }),
  };
  panel.replaceChildren(
    el("h2", { class: "hidden-title" }, t("play")),
    el("div", { class: "buttons" }, Object.values(buttons)),
    el(
      "details",
      { open: true },
      el("summary", {}, t("options")),
      el("div", { class: "fields" }, Object.values(fields), ponder, book),
      strength,
      custom,
      el("p", { class: "quiet" }, t("clockHelp")),
    ),
  );
  return () => {
    update(panel, fields, ponder, book, buttons);
    if (panel.hidden) return;
    const { table } = app.state;
    const level = table.black.level ?? table.red.level;
    strength.textContent = level ? t(`level.${level}`) : "";
    custom.hidden = keyOfClock(table.clock) !== CUSTOM;
    if (!custom.hidden && !custom.contains(document.activeElement)) fillClock(custom, table.clock);
  };
}

const CLOCK_PARTS = { base: 60000, increment: 1000, byoyomi: 1000 };

/** Minutes, seconds a move, and seconds a move once the minutes are used up. */
function customClock() {
  const form = el(
    "form",
    { class: "toolbar", id: "custom-clock" },
    Object.keys(CLOCK_PARTS).map((name) =>
      el(
        "label",
        { class: "field" },
        el("span", {}, t(`clock.${name}`)),
        el("input", { name, type: "number", min: "0", max: "600", step: "any" }),
      ),
    ),
  );
  form.addEventListener("change", () => {
    const { base, byoyomi } = form.elements;
    base.setCustomValidity(Number(base.value) || Number(byoyomi.value) ? "" : t("clockNeeded"));
    if (!form.reportValidity()) return;
    const read = ([name, unit]) => [name, Math.round(Number(form.elements[name].value) * unit)];
    change({ clock: Object.fromEntries(Object.entries(CLOCK_PARTS).map(read)) });
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}

function fillClock(form, clock) {
  for (const [name, unit] of Object.entries(CLOCK_PARTS)) form.elements[name].value = String(clock[name] / unit);
}

/** The first click asks for confirmation; a second one within a few seconds confirms. */
function confirmed(made, action) {
  if (made.dataset.sure) {
    delete made.dataset.sure;
    made.textContent = t("resign");
    action();
    return;
  }
  made.dataset.sure = "yes";
  made.textContent = t("really");
  setTimeout(() => {
    delete made.dataset.sure;
    made.textContent = t("resign");
  }, 3000);
}

function update(panel, fields, ponder, book, buttons) {
  const { state } = app;
  panel.hidden = app.screen !== "play" || !state;
  if (panel.hidden) return;
  const { table } = state;
  const human = table.red.kind === "human" ? "red" : table.black.kind === "human" ? "black" : "none";
  const program = human === "red" ? table.black : table.red;
  const set = (field, value) => {
    const chosen = field.querySelector("select");
    if (document.activeElement !== chosen || chosen.value !== String(value)) chosen.value = String(value);
  };
  set(fields.opponent, wordOf(program));
  set(fields.side, human);
  set(fields.movetime, table.movetime);
  set(fields.clock, keyOfClock(table.clock));
  ponder.querySelector("input").checked = table.ponder;
  book.querySelector("input").checked = table.book;
  const over = Boolean(state.ending);
  const latest = app.view.id === state.head;
  buttons.undo.disabled = !state.canUndo;
  buttons.redo.disabled = !state.canRedo;
  buttons.hint.disabled = buttons.threat.disabled = !mayPlay();
  buttons.now.hidden = !(state.thinking || state.due);
  buttons.now.textContent = t(state.due ? "goOn" : "moveNow");
  buttons.draw.disabled = buttons.resign.disabled = over || !state.canUndo;
  buttons.swap.disabled = over;
  buttons.go.hidden = latest;
}
