// The list of moves: the main line in two columns, variations indented below the move they replace.

import { button, el } from "/static/dom.js";
import { t } from "/static/i18n.js";
import { textOf } from "/static/settings.js";

const GRADES = { "??": "blunder", "?": "mistake", "?!": "inaccuracy" };

export class MoveList {
  /** `onGo(node)` when a move is clicked. */
  constructor(container, onGo) {
    this.container = container;
    this.onGo = onGo;
    /** @type {Map<number, HTMLElement>} */
    this.buttons = new Map();
    this.current = null;
    new ResizeObserver(() => this.reveal()).observe(container);
  }

  /** Redraws the whole tree. */
  draw(tree) {
    this.tree = tree;
    this.buttons.clear();
    const parts = [];
    if (tree.root.comment) parts.push(el("p", { class: "comment" }, tree.root.comment));
    if (!tree.root.children.length) parts.push(el("p", { class: "quiet" }, t("noMoves")));
    this.container.replaceChildren(...parts, ...this.mainLine(tree.root));
    this.current = null;
  }

  /** Rows of a number and two moves; comments and variations interrupt them. */
  mainLine(start) {
    const parts = [];
    let row = null;
    for (let node = start; node.children.length; node = node.children[0]) {
      const [move, ...others] = node.children;
      const red = this.tree.turn(node) === 0;
      if (row === null || red) {
        row = el("div", { class: "row" }, el("span", { class: "number" }, `${move.number}.`));
        if (!red) row.append(el("span", { class: "gap" }, "…"));
        parts.push(row);
      }
      row.append(this.moveButton(move));
      if (move.comment || others.length || move.better) {
        parts.push(
          el(
            "div",
            { class: "aside" },
            move.comment ? el("p", { class: "comment" }, move.comment) : null,
            others.map((other) => this.variation(other)),
          ),
        );
        row = null;
      }
    }
    return parts;
  }

  /** A variation as running text, including nested ones. */
  variation(first) {
    const box = el("div", { class: "variation" });
    let numbered = false;
    for (let node = first; node; node = node.children[0]) {
      const red = this.tree.turn(node) === 1; // it was Red who moved
      if (red || !numbered) box.append(el("span", { class: "number" }, `${node.number}${red ? "." : "…"}`));
      numbered = true;
      box.append(this.moveButton(node));
      if (node.comment) {
        box.append(el("span", { class: "comment" }, node.comment));
        numbered = false;
      }
      const others = node === first ? [] : node.parent.children.filter((other) => other !== node);
      if (others.length) {
        box.append(...others.map((other) => this.variation(other)));
        numbered = false;
      }
    }
    return box;
  }

  moveButton(node) {
    const made = button("", () => this.onGo(node), { class: "move", "data-node": node.id });
    this.buttons.set(node.id, made);
    this.fill(made, node);
    return made;
  }

  fill(made, node) {
    const grade = GRADES[node.mark];
    made.className = `move${grade ? ` ${grade}` : ""}${made.classList.contains("current") ? " current" : ""}`;
    const value = node.judged?.score ?? node.score;
    const score = value ? el("span", { class: "move-score" }, value) : null;
    made.replaceChildren(textOf(node.texts), node.mark ? el("span", { class: "mark" }, node.mark) : "", node.glyphs ? el("span", { class: "glyphs" }, node.glyphs) : "", score ?? "");
    const judged = grade ? t("review.fault", { grade: t(`grade.${grade}`), loss: (node.judged?.loss / 100 || 0).toFixed(2) }) : "";
    if (grade && node.judged) made.title = judged;
  }

  /** One move has been judged. */
  update(node) {
    const made = this.buttons.get(node.id);
    if (made) this.fill(made, node);
  }

  /** Marks the current move and scrolls to it without moving the rest of the page. */
  setCurrent(node) {
    const old = this.buttons.get(this.current);
    old?.classList.remove("current");
    old?.removeAttribute("aria-current");
    this.current = node.id;
    const made = this.buttons.get(node.id);
    const box = this.container;
    if (!made) {
      box.scrollTop = 0;
      return;
    }
    made.classList.add("current");
    made.setAttribute("aria-current", "true");
    requestAnimationFrame(() => this.reveal()); // the panels around it take their room first
  }

  /** Scrolls to the current move, also when the list has become smaller. */
  reveal() {
    const made = this.buttons.get(this.current);
    if (!made) return;
    const box = this.container;
    const [outer, inner] = [box.getBoundingClientRect(), made.getBoundingClientRect()];
    box.scrollTop += Math.min(0, inner.top - outer.top - 8) + Math.max(0, inner.bottom - outer.bottom + 8);
    box.scrollLeft += Math.min(0, inner.left - outer.left - 8) + Math.max(0, inner.right - outer.right + 8);
  }
}
