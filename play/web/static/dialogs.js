// Settings and the keys.

import { app, ask } from "/static/app.js";
import { check, dialog, el, select } from "/static/dom.js";
import { LANGUAGES, t } from "/static/i18n.js";
import { NOTATIONS, change, settings } from "/static/settings.js";

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
          select(
            t("pieces"),
            ["traditional", "simplified", "western"].map((pieces) => [pieces, t(`pieces.${pieces}`)]),
            settings.pieces,
            (pieces) => change({ pieces }),
            { id: "pieces" },
          ),
          select(
            t("notation"),
            NOTATIONS.map((name) => [name, t(`notation.${name}`)]),
            settings.notation,
            (notation) => change({ notation }),
            { id: "notation" },
          ),
          select(
            t("labels"),
            ["numbers", "coordinates", "none"].map((name) => [name, t(`labels.${name}`)]),
            settings.labels,
            (labels) => change({ labels }),
            { id: "labels" },
          ),
          select(
            t("theme"),
            ["system", "light", "dark"].map((name) => [name, t(`theme.${name}`)]),
            settings.theme,
            (theme) => change({ theme }),
            { id: "theme" },
          ),
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
