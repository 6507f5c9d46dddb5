// Settings and the keys.

import { app, ask } from "/static/app.js";
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
    { id: name },
  );

export function showSettings() {
  dialog(
    t("settings"),
    (body) => {
      const about = app.about ?? { threads: 1, hash: 64, maxThreads: 1, maxHash: 64, version: "" };
      const sizes = [16, 64, 128, 256, 512, 1024, 2048].filter((size) => size <= about.maxHash);
      if (!sizes.includes(about.hash)) sizes.push(about.hash);
      const threads = select(
        t("threads"),
        Array.from({ length: about.maxThreads }, (_, index) => [index + 1, String(index + 1)]),
        about.threads,
        apply,
        { id: "threads" },
      );
      const hash = select(
        t("hash"),
        sizes.sort((a, b) => a - b).map((size) => [size, String(size)]),
        about.hash,
        apply,
        { id: "hash" },
      );
      function apply() {
        const number = (field) => Number(field.querySelector("select").value);
        ask("resources", { threads: number(threads), hash: number(hash) });
      }
      body.append(
        el("h3", {}, t("view")),
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
          choice("pieces", t("pieces"), (value) => t(`pieces.${value}`)),
          choice("notation", t("notation"), (value) => t(`notation.${value}`)),
          choice("labels", t("labels"), (value) => t(`labels.${value}`)),
          choice("theme", t("theme"), (value) => t(`theme.${value}`)),
          check(t("arrows"), settings.arrows, (arrows) => change({ arrows })),
          check(t("animation"), settings.animation, (animation) => change({ animation })),
          check(t("sounds"), settings.sounds, (sounds) => change({ sounds }), { id: "sounds" }),
        ),
        el("h3", {}, t("engine")),
        el("div", { class: "fields" }, threads, hash),
        el("p", { class: "quiet" }, `Chuhe ${about.version}`),
      );
    },
    t("close"),
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
    t("helpTitle"),
    (body) => {
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
      body.append(el("table", { class: "keys" }, el("tbody", {}, rows)), el("p", { class: "quiet" }, t("helpMore")));
    },
    t("close"),
  );
}
