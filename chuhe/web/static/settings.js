// Display settings, stored in the browser. The server is told only the notation.

const KEY = "chuhe";
const NOTATIONS = ["iccs", "wxf", "chinese", "traditional", "rows"];
const chinese = (navigator.language || "en").toLowerCase().startsWith("zh");
const tradition = /tw|hk|mo|hant/i.test(navigator.language || "");

const DEFAULTS = {
  language: chinese ? (tradition ? "zh-Hant" : "zh-Hans") : "en",
  pieces: chinese && !tradition ? "simplified" : "traditional",
  notation: chinese ? (tradition ? "traditional" : "chinese") : "wxf",
  flipped: false,
  arrows: true,
  sounds: true,
  theme: "system",
  labels: "numbers",
  animation: true,
  multipv: 3,
};
export const CHOICES = {
  language: ["en", "zh-Hans", "zh-Hant"],
  pieces: ["traditional", "simplified", "western"],
  notation: NOTATIONS,
  theme: ["system", "light", "dark"],
  labels: ["numbers", "coordinates", "none"],
  multipv: [1, 2, 3, 4, 5],
};

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
    const known = Object.entries(DEFAULTS).map(([name, value]) => {
      const kept = found[name];
      const good = typeof kept === typeof value && (!CHOICES[name] || CHOICES[name].includes(kept));
      return [name, good ? kept : value];
    });
    return Object.fromEntries(known);
  } catch {
    return { ...DEFAULTS }; // nothing stored, or storage not allowed
  }
}

export const settings = read();
const listeners = new Set();

export function change(changes) {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // still applies to this page
  }
  for (const listener of listeners) listener(changes);
}

export const onSettings = (listener) => listeners.add(listener);

/** The move's text in the chosen notation. */
export const textOf = (texts) => texts[NOTATIONS.indexOf(settings.notation)];

export { NOTATIONS };
