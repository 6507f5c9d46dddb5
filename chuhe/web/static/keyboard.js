// Keyboard shortcuts of the whole page. The board has its own while it has the focus.

import { app, ask, flip, flipped, goBack, goFirst, goLast, goOn, goTo, mayPlay, refutation, shownNode, shownTree, backToExercise } from "/static/app.js";
import { typeMove } from "/static/bar.js";
import { dialogIsOpen } from "/static/dom.js";
import { kingOf } from "/static/game.js";
import { newGame } from "/static/new_game.js";
import { playBest, toggleAnalysis } from "/static/place_analyse.js";
import { people } from "/static/players.js";
import { nextFault, startReview } from "/static/review.js";
import { change, settings } from "/static/settings.js";
import { showHelp } from "/static/settings_dialog.js";

const sibling = (step) => goTo(shownTree().sibling(shownNode(), step));

function space() {
  if (app.screen === "analyse") playBest();
  else if (app.screen === "play" && mayPlay()) ask("hint");
  else if (refutation().length) backToExercise();
  else if (app.screen === "practise" && app.state.practice?.over) ask("exercise");
}

/** The side of the person, wherever it is on the board; without one, the side below. */
function ownSide() {
  const [red, black] = people();
  return Number(app.screen === "play" && red !== black ? black : flipped());
}

const analysing = (action) => () => app.screen === "analyse" && action();

const KEYS = {
  ArrowLeft: goBack,
  ArrowRight: goOn,
  ArrowUp: () => sibling(-1),
  ArrowDown: () => sibling(1),
  Home: goFirst,
  End: goLast,
  " ": space,
  f: flip,
  l: toggleAnalysis,
  x: () => change({ arrows: !settings.arrows }),
  b: () => app.board.focus(kingOf(app.board.shown.board, ownSide())),
  m: typeMove,
  n: () => (app.screen === "practise" ? ask("exercise") : newGame()),
  u: () => app.screen === "play" && ask("undo"),
  v: startReview,
  e: analysing(() => nextFault(1)),
  E: analysing(() => nextFault(-1)),
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
    if (app.screen === "setup" && event.key !== "f" && event.key !== "b" && event.key !== "?") return;
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
