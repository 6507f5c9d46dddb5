// Keyboard shortcuts of the whole page. The board has its own while it has the focus.

import { app, ask, goBack, goFirst, goLast, goOn, goTo, mayPlay, shownNode, shownTree } from "/static/app.js";
import { showHelp } from "/static/dialogs.js";
import { byId, dialogIsOpen } from "/static/dom.js";
import { playBest, toggleAnalysis } from "/static/panel_analysis.js";
import { nextFault, startReview } from "/static/panel_moves.js";
import { newGame } from "/static/panel_play.js";
import { change, settings } from "/static/settings.js";

const sibling = (step) => goTo(shownTree().sibling(shownNode(), step));

function space() {
  if (app.screen === "analyse") playBest();
  else if (mayPlay()) ask("hint");
}

const KEYS = {
  ArrowLeft: goBack,
  ArrowRight: goOn,
  ArrowUp: () => sibling(-1),
  ArrowDown: () => sibling(1),
  Home: goFirst,
  End: goLast,
  " ": space,
  f: () => app.flip(),
  l: toggleAnalysis,
  x: () => change({ arrows: !settings.arrows }),
  b: () => app.board.focus(),
  m: () => byId("typed").focus(),
  n: () => app.screen === "play" && newGame(),
  u: () => app.screen === "play" && ask("undo"),
  v: startReview,
  e: () => nextFault(1),
  E: () => nextFault(-1),
  "?": showHelp,
};

export function listenForKeys() {
  // a clicked button loses the focus, or the space bar would press it again
  addEventListener(
    "click",
    (event) => {
      const pressed = /** @type {Element} */ (event.target).closest?.("button");
      if (event.detail > 0 && pressed) /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    },
    true,
  );
  let typing = false; // in a field, which may go away under the fingers: what follows is no hotkey
  addEventListener("pointerdown", () => (typing = false), true);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !app.state || dialogIsOpen())
      return;
    const place = /** @type {HTMLInputElement} */ (event.target);
    if (event.key === "Tab" || event.key === "Escape") typing = false;
    else if (/^(INPUT|TEXTAREA|SELECT)$/.test(place.tagName) && place.type !== "checkbox") typing = true;
    else if (place !== document.body) typing = false;
    if (typing) return;
    if (event.key === " " && /^(BUTTON|SUMMARY|INPUT|A)$/.test(place.tagName)) return; // it presses the button
    const action = KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
