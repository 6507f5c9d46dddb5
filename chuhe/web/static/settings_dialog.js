// Settings and the keys.

import { app, ask } from "/static/app.js";
import { pieceIcon } from "/static/board.js";
import { check, dialog, el, select } from "/static/dom.js";
import { LANGUAGES, t } from "/static/i18n.js";
import { CHOICES, change, settings } from "/static/settings.js";

/** A setting with a few values. */
const choice = (name, label, word) =>
  select(
    label,
    CHOICES[name].map((value) => [value, word(value)]),
    settings[name],
    (value) => change({ [name]: value }),
    { id: name === "board" ? "board-theme" : name }, // the board itself has that name
  );

const flag = (name, code, tip) =>
  check(t(code), settings[name], (value) => change({ [name]: value }), { id: `set-${name}`, title: tip ? t(tip) : null });

/** The sets of pieces, each shown by its horse and its cannon. */
export const pieceSets = () =>
  el(
    "fieldset",
    { class: "segments sets" },
    el("legend", {}, t("pieces")),
    CHOICES.pieces.map((name) =>
      el(
        "label",
        { "data-key": name, title: t(`pieces.${name}`) },
        el("input", {
          type: "radio",
          name: "pieces",
          value: name,
          "aria-label": t(`pieces.${name}`),
          checked: settings.pieces === name,
          onchange: () => change({ pieces: name }),
        }),
        el("span", {}, pieceIcon("N", name), pieceIcon("c", name)),
      ),
    ),
  );

export function showSettings() {
  dialog(
    () => t("settings"),
    () => {
      const about = app.about ?? { threads: 1, hash: 64, maxThreads: 1, maxHash: 64, version: "" };
      const sizes = [16, 64, 128, 256, 512, 1024, 2048].filter((size) => size <= about.maxHash && size !== about.hash);
      const apply = (changes) => ask("resources", { threads: about.threads, hash: about.hash, ...changes });
      return [
        el("h3", {}, t("view")),
        pieceSets(),
        el(
          "div",
          { class: "fields" },
          select(
            t("language"),
            Object.entries(LANGUAGES),
            settings.language,
            (language) => change({ language }),
            { id: "language" },
          ),
          choice("notation", t("notation"), (value) => t(`notation.${value}`)),
          choice("labels", t("labels"), (value) => t(`labels.${value}`)),
          choice("board", t("boardTheme"), (value) => t(`board.${value}`)),
          choice("theme", t("theme"), (value) => t(`theme.${value}`)),
          flag("larger", "largerType"),
          flag("arrows", "arrows"),
          flag("animation", "animation"),
          flag("sounds", "sounds"),
          flag("spoilers", "spoilers", "spoilersTip"),
        ),
        el("h3", {}, t("engine")),
        el(
          "div",
          { class: "fields" },
          select(
            t("threads"),
            Array.from({ length: about.maxThreads }, (_, index) => [index + 1, String(index + 1)]),
            about.threads,
            (threads) => apply({ threads: Number(threads) }),
            { id: "threads" },
          ),
          select(
            t("hash"),
            [...sizes, about.hash].sort((a, b) => a - b).map((size) => [size, String(size)]),
            about.hash,
            (hash) => apply({ hash: Number(hash) }),
            { id: "hash" },
          ),
          select(
            t("reviewTime"),
            CHOICES.reviewTime.map((ms) => [ms, t("seconds", { n: ms / 1000 })]),
            settings.reviewTime,
            (ms) => change({ reviewTime: Number(ms) }),
            { id: "review-time" },
          ),
        ),
        el("p", { class: "quiet" }, `${t("name")} ${about.version}`),
      ];
    },
    () => t("close"),
  );
}

export function showHelp() {
  const keys = [
    ["← → ↑ ↓", "arrows"],
    ["Home End", "home"],
    ["Space", "space"],
    ["f", "f"],
    ["l", "l"],
    ["x", "x"],
    ["b", "b"],
    ["m", "m"],
    ["n", "n"],
    ["u", "u"],
    ["v", "v"],
    ["e", "e"],
    ["?", "help"],
  ];
  dialog(
    () => t("helpTitle"),
    () => {
      const rows = keys.map(([key, text]) =>
        el(
          "tr",
          {},
          el(
            "th",
            { scope: "row" },
            key.split(" ").map((one) => el("kbd", {}, one)),
          ),
          el("td", {}, t(`k_${text}`)),
        ),
      );
      return [el("table", { class: "keys" }, el("tbody", {}, rows)), el("p", { class: "quiet" }, t("helpMore"))];
    },
    () => t("close"),
  );
}
