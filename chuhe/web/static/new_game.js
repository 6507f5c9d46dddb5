// The dialog of a new game: against whom, on which side, with which clock. It begins with the last choice.

import { app, ask, redraw } from "/static/app.js";
import { check, dialog, el, select } from "/static/dom.js";
import { sentences, t } from "/static/i18n.js";
import { change, settings } from "/static/settings.js";
import { pieceSets } from "/static/settings_dialog.js";

/** @typedef {import("../page").SeatData} SeatData */
/** @typedef {import("../page").ClockSetting} ClockSetting */
/**
 * What is chosen; `opponent` is `level-5`, `engine-0`, `s0`, `human` or `programs`.
 * @typedef {{ opponent: string, side: "red" | "black" | "random", clock: ClockSetting | null, movetime: number,
 *   ponder: boolean, book: boolean }} Choice
 */

/** Estimated from the distances that `chuhe ladder` measures (docs/play.md); the first one is a guess. */
const STRENGTHS = [600, 850, 1150, 1350, 1600, 1900, 2100, 2400, 2750, 2900];
const MOVETIMES = [100, 300, 1000, 3000, 10000];
const CUSTOM = "custom";
const CLOCKS = { none: null, "5+0": [5, 0, 0], "10+5": [10, 5, 0], "20+10": [20, 10, 0], "15~30": [15, 0, 30] };
/** @type {Choice} */
const FIRST = { opponent: "level-3", side: "red", clock: null, movetime: 1000, ponder: false, book: true };

function clockOf(key) {
  if (key === CUSTOM) return { base: 600000, increment: 10000, byoyomi: 0 };
  const found = CLOCKS[key];
  if (!found) return null;
  const [minutes, increment, byoyomi] = found;
  return { base: minutes * 60000, increment: increment * 1000, byoyomi: byoyomi * 1000 };
}

const keyOfClock = (clock) =>
  Object.keys(CLOCKS).find((key) => JSON.stringify(clockOf(key)) === JSON.stringify(clock)) ?? CUSTOM;

/** @param {SeatData} seat */
const wordOf = (seat) =>
  seat.kind === "engine" ? `level-${seat.level}` : seat.kind === "external" ? `engine-${seat.index}` : seat.kind;

/** @returns {SeatData} */
function seatOf(word) {
  const [kind, number] = word.split("-");
  if (kind === "level") return { kind: "engine", level: Number(number) };
  if (kind === "engine") return { kind: "external", index: Number(number) };
  return { kind };
}

/** @param {Choice} choice */
function seating({ opponent, side, clock, movetime, ponder, book }) {
  const person = { kind: "human" };
  const program = seatOf(opponent === "programs" ? "level-10" : opponent);
  const black = side === "random" ? Math.random() < 0.5 : side === "black";
  const [red, dark] = opponent === "programs" ? [program, program] : black ? [program, person] : [person, program];
  return { red, black: dark, clock, movetime, ponder, book };
}

/**
 * Who plays in this room.
 * @returns {Choice}
 */
function present() {
  const { red, black, clock, movetime, ponder, book } = app.state.table;
  const [first, second] = [red, black].map(({ kind }) => kind === "human");
  const opponent = !first && !second ? "programs" : wordOf(first ? black : red);
  return { opponent, side: second && !first ? "black" : "red", clock, movetime, ponder, book };
}

// --- the ways in

export const newGame = () => choose("newGame", settings.game ?? FIRST, (table) => ask("new", { ...table, fen: null }));

/** Another game between the same players; `swapped`: with the colours changed. */
export function rematch({ swapped = false } = {}) {
  ask("new", () => {
    const { red, black, ...rest } = app.state.table;
    return { ...rest, red: swapped ? black : red, black: swapped ? red : black, fen: null };
  });
}

export const changePlayers = () => choose("options", present(), (table) => ask("players", table));

/** Plays on from the position shown. */
export const continueFrom = () =>
  choose("continueHere", settings.game ?? FIRST, (table) => {
    const { id: node } = app.view;
    ask("players", table);
    ask("continue", { node });
  });

/**
 * @param {"newGame" | "options" | "continueHere"} title
 * @param {Choice} first
 * @param {(table: ReturnType<typeof seating>) => void} use
 */
function choose(title, first, use) {
  let choice = { ...FIRST, ...first };
  const known = opponents().some(([word]) => word === choice.opponent);
  if (!known) choice.opponent = FIRST.opponent;
  const put = (changes) => {
    choice = { ...choice, ...changes };
    redraw();
  };
  const box = dialog(
    () => t(title),
    (close) =>
      el(
        "form",
        {
          class: "new-game",
          onsubmit: (event) => {
            event.preventDefault();
            change({ game: choice });
            use(seating(choice));
            close();
          },
        },
        view(choice, put),
        el(
          "div",
          { class: "dialog-foot" },
          el("button", { type: "submit", class: "main large", id: "start-game" }, t(title === "options" ? "apply" : "startGame")),
        ),
      ),
    () => t("close"),
    { id: "new-game" },
  );
  /** @type {HTMLElement} */ (box.querySelector("#start-game")).focus();
}

// --- what it looks like

/** All opponents but the levels: word, name, what it is. */
function others() {
  const engines = (app.about?.engines ?? []).map((name, index) => [`engine-${index}`, name, t("opponent.engine")]);
  return [
    ["human", t("human"), t("opponent.human")],
    ...engines,
    ["s0", t("oldProgram.s0"), t("opponent.s0")],
    ["s1", t("oldProgram.s1"), t("opponent.s1")],
    ["programs", t("programs"), t("opponent.programs")],
  ];
}

function opponents() {
  const levels = Array.from({ length: app.about?.levels ?? 0 }, (_, index) => [
    `level-${index + 1}`,
    t(`level-name.${index + 1}`),
    t(`level.${index + 1}`),
    t("strength", { elo: STRENGTHS[index] ?? STRENGTHS.at(-1) }),
  ]);
  return [...levels, ...others()];
}

function view(choice, put) {
  const all = opponents();
  const card = ([word, name, text, strength]) =>
    el(
      "label",
      { class: "card", title: text, "data-key": word },
      el("input", {
        type: "radio",
        name: "opponent",
        value: word,
        checked: word === choice.opponent,
        onchange: () => put({ opponent: word }),
      }),
      el("span", { class: "card-name" }, name),
      strength ? el("span", { class: "quiet" }, strength) : "",
    );
  const levels = all.filter(([word]) => word.startsWith("level-"));
  const rest = all.filter(([word]) => !word.startsWith("level-"));
  const [, , text] = all.find(([word]) => word === choice.opponent) ?? all[0];
  const sides = choice.opponent === "human" || choice.opponent === "programs" ? [] : ["red", "random", "black"];
  return [
    el(
      "fieldset",
      { class: "cards" },
      el("legend", {}, t("opponent")),
      levels.map(card),
    ),
    el(
      "details",
      { id: "more-opponents", open: rest.some(([word]) => word === choice.opponent) },
      el("summary", {}, t("moreOpponents")),
      el("div", { class: "cards" }, rest.map(card)),
    ),
    el("p", { class: "quiet", id: "level-words", role: "status" }, sentences(text, choice.opponent.startsWith("level") && t("strengthHelp"))),
    el(
      "div",
      { class: "two" },
      sides.length
        ? el(
            "fieldset",
            { class: "segments" },
            el("legend", {}, t("side")),
            sides.map((side) =>
              el(
                "label",
                { "data-key": side },
                el("input", { type: "radio", name: "side", value: side, checked: side === choice.side, onchange: () => put({ side }) }),
                el("span", {}, t(`side.${side}`)),
              ),
            ),
          )
        : "",
      select(
        t("clock"),
        [...Object.keys(CLOCKS).map((key) => [key, key === "none" ? t("noClock") : key]), [CUSTOM, t("clockCustom")]],
        keyOfClock(choice.clock),
        (key) => put({ clock: clockOf(key) }),
        { id: "clock", title: t("clockHelp") },
      ),
      pieceSets(),
    ),
    keyOfClock(choice.clock) === CUSTOM ? customClock(choice.clock, put) : "",
    el(
      "details",
      { id: "game-options" },
      el("summary", {}, t("more")),
      el(
        "div",
        { class: "fields" },
        select(
          t("movetime"),
          MOVETIMES.map((ms) => [ms, t("seconds", { n: ms / 1000 })]),
          choice.movetime,
          (ms) => put({ movetime: Number(ms) }),
          { id: "movetime" },
        ),
        check(t("ponder"), choice.ponder, (ponder) => put({ ponder }), { id: "ponder", title: t("ponderTip") }),
        check(t("useBook"), choice.book, (book) => put({ book }), { id: "use-book", title: t("useBookTip") }),
        check(t("spoilers"), settings.spoilers, (spoilers) => change({ spoilers }), { id: "spoilers", title: t("spoilersTip") }),
      ),
    ),
  ];
}

const CLOCK_PARTS = { base: 60000, increment: 1000, byoyomi: 1000 };

/** Minutes, seconds a move, and seconds a move once the minutes are used up. */
function customClock(clock, put) {
  const read = (event) => {
    const fields = event.target.form.elements;
    const needs = Number(fields.base.value) || Number(fields.byoyomi.value) ? "" : t("clockNeeded");
    fields.base.setCustomValidity(needs);
    if (needs || !event.target.form.reportValidity()) return;
    const parts = Object.entries(CLOCK_PARTS).map(([name, unit]) => [name, Math.round(Number(fields[name].value) * unit)]);
    put({ clock: Object.fromEntries(parts) });
  };
  return el(
    "div",
    { class: "fields", id: "custom-clock" },
    Object.entries(CLOCK_PARTS).map(([name, unit]) =>
      el(
        "label",
        { class: "field" },
        el("span", {}, t(`clock.${name}`)),
        el("input", { name, type: "number", min: "0", max: "600", step: "any", value: clock[name] / unit, onchange: read }),
      ),
    ),
  );
}
