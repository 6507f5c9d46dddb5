// Display settings. What a person has chosen is stored in the browser; the rest follows from the language.

const KEY = "chuhe";
export const NOTATIONS = ["iccs", "wxf", "chinese", "traditional", "rows"];
const wanted = (navigator.language || "en").toLowerCase();
const language = !wanted.startsWith("zh") ? "en" : /tw|hk|mo|hant/.test(wanted) ? "zh-Hant" : "zh-Hans";

const DEFAULTS = {
  language,
  arrows: true,
  sounds: true,
  theme: "system",
  board: "wood",
  labels: "numbers",
  animation: true,
  larger: false,
  spoilers: false, // what the program thinks, during a game
  multipv: 3,
  reviewTime: 300, // milliseconds for each move of a review
  /** @type {import("/static/new_game.js").Choice | null} */
  game: null, // the last new game; null: the page has never been used
  practice: { source: "puzzles", theme: null, difficulty: 0 },
};
const BY_LANGUAGE = {
  en: { notation: "wxf", pieces: "traditional" },
  "zh-Hans": { notation: "chinese", pieces: "simplified" },
  "zh-Hant": { notation: "traditional", pieces: "traditional" },
};
export const CHOICES = {
  language: ["en", "zh-Hans", "zh-Hant"],
  pieces: ["traditional", "simplified", "letters", "western"],
  notation: NOTATIONS,
  theme: ["system", "light", "dark"],
  board: ["wood", "paper", "slate"],
  labels: ["numbers", "coordinates", "none"],
  multipv: [1, 2, 3, 4, 5],
  reviewTime: [100, 300, 1000, 3000],
};

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
    const all = { ...DEFAULTS, ...BY_LANGUAGE.en };
    const good = ([name, value]) =>
      name in all &&
      (CHOICES[name]?.includes(value) ?? (all[name] === null ? typeof value === "object" : typeof value === typeof all[name]));
    return Object.fromEntries(Object.entries(found).filter(good));
  } catch {
    return {}; // nothing stored, or storage not allowed
  }
}

let chosen = read();
const current = () => ({ ...DEFAULTS, ...BY_LANGUAGE[chosen.language ?? language], ...chosen });
export const settings = current();
const listeners = new Set();

export function change(changes) {
  const before = { ...settings };
  chosen = { ...chosen, ...changes };
  Object.assign(settings, current());
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // still applies to this page
  }
  const changed = Object.keys(settings).filter((name) => settings[name] !== before[name]);
  for (const listener of listeners) listener(new Set(changed));
}

/** `listener` gets the names of the settings that have changed. */
export const onSettings = (listener) => listeners.add(listener);

/** The move's text in the chosen notation. */
export const textOf = (texts) => texts[NOTATIONS.indexOf(settings.notation)];
