// Settings, the list of games, and the keys.

import { app, ask } from "/static/app.js";
import { button, check, dialog, el, select } from "/static/dom.js";
import { said, t } from "/static/i18n.js";
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
            [
              ["en", "English"],
              ["zh", "中文"],
            ],
            settings.language,
            (language) => change({ language }),
            { id: "language" },
          ),
          select(
            t("pieces"),
            ["traditional", "simplified", "western"].map((style) => [style, t(style)]),
            settings.pieces,
            (pieces) => change({ pieces }),
            { id: "pieces" },
          ),
          select(
            t("notation"),
            NOTATIONS.map((name) => [name, t(`n_${name}`)]),
            settings.notation,
            (notation) => change({ notation }),
            { id: "notation" },
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

/** The address of a room, to open it in another tab. */
export const addressOf = (room) => `/#${app.connection.token}.${room}`;

export function showRooms({ rooms }) {
  dialog(
    t("gamesTitle"),
    (body, box) => {
      const rows = rooms.map((room) => {
        const here = room.id === app.state.room;
        const enter = button("", () => (ask("enter", { room: room.id }), box.close()), {
          class: "entry",
          "aria-current": here ? "true" : null,
        });
        const facts = [
          t("nMoves", { n: Math.ceil(room.moves / 2) }),
          room.result === "*" ? "" : room.result,
          room.event,
          here ? t("current") : "",
        ];
        enter.append(
          el("strong", {}, `${named(room.red)} – ${named(room.black)}`),
          el("span", { class: "quiet" }, facts.filter(Boolean).join(" · ")),
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
          "aria-label": t("remove"),
          title: t("remove"),
          disabled: here,
        });
        return el("li", { class: "with-tools" }, enter, away, gone);
      });
      body.append(
        el(
          "div",
          { class: "buttons" },
          button(t("newRoom"), () => (ask("room"), box.close()), { id: "new-room", class: "main" }),
          el("a", { href: addressOf("new"), target: "_blank", rel: "noopener", class: "button" }, `${t("openTab")} ↗`),
        ),
        el("ul", { class: "entries", id: "rooms" }, rows),
      );
    },
    t("close"),
  );
}

const named = (player) => (player === "human" ? t("you") : said(player));

export function showHelp() {
  const keys = [
    ["← → ↑ ↓", "k_arrows"],
    ["Home End", "k_home"],
    ["Space", "k_space"],
    ["f", "k_f"],
    ["l", "k_l"],
    ["x", "k_x"],
    ["b", "k_b"],
    ["m", "k_m"],
    ["n", "k_n"],
    ["u", "k_u"],
    ["v", "k_v"],
    ["e", "k_e"],
    ["?", "k_help"],
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
          el("td", {}, t(text)),
        ),
      );
      body.append(el("table", { class: "keys" }, el("tbody", {}, rows)), el("p", { class: "quiet" }, t("helpMore")));
    },
    t("close"),
  );
}
