// The board: an SVG picture, and over it ninety cells that mouse, touch, keyboard and screen readers use.

import { byId, el, svg } from "/static/dom.js";
import { isRed, nameOf, squareOf } from "/static/game.js";
import { pointName, t } from "/static/i18n.js";
import { settings } from "/static/settings.js";

const CELL = 100;
const MARGIN = 90;
const DRAG_START = 5; // pixels before a press becomes a drag
const EDGE = 46;
const ARM = 15;

/** Loads the drawings of pieces and boards, the same as in our static pictures. */
export async function loadDrawings() {
  const answer = await fetch("/drawing.svg");
  const picture = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  byId("drawing").append(document.importNode(picture.documentElement.querySelector("defs"), true));
}

const pieceId = (letter, pieces = settings.pieces) =>
  `#${pieces}-${isRed(letter) ? "red" : "black"}-${letter.toLowerCase()}`;

/** The drawings of the board and of the labels at its edge. */
function boardIds(flipped) {
  const river = settings.pieces === "simplified" ? "simplified" : "traditional";
  const figures = ["letters", "western"].includes(settings.pieces) ? "western" : "traditional";
  return [`#board-${river}`, `#edge-${figures}-${flipped ? "black" : "red"}-${settings.labels}`];
}

/** A piece on its own, for lists and palettes. */
export const pieceIcon = (letter, pieces = settings.pieces) =>
  svg(
    "svg",
    { viewBox: "-50 -50 100 102", class: "piece-icon", "aria-hidden": "true" },
    svg("use", { href: pieceId(letter, pieces) }),
  );

/** A position as a picture of its own, for the clipboard. */
export function pictureOf(board) {
  const [width, height] = [8 * CELL + 2 * MARGIN, 9 * CELL + 2 * MARGIN];
  const ids = new Set([...board.values()].map((letter) => pieceId(letter)));
  const boards = boardIds(false);
  const drawings = [...ids, ...boards].map((id) => byId("drawing").querySelector(id).cloneNode(true));
  const pieces = [...board].map(([square, letter]) =>
    svg("use", { href: pieceId(letter), x: CELL * (square % 9), y: CELL * (9 - Math.floor(square / 9)) }),
  );
  const viewBox = `${-MARGIN} ${-MARGIN} ${width} ${height}`;
  const picture = svg("svg", { viewBox, width, height }, svg("defs", {}, drawings), boards.map((href) => svg("use", { href })), pieces);
  return new XMLSerializer().serializeToString(picture);
}

export class BoardView {
  /**
   * `asks.mayMove(square)`: whether the piece there may be picked up; `asks.targets(square)`: where it may go;
   * `asks.move(from, to)`; `asks.press(square)`: true if it handled the press itself (set-up); `asks.carry(from, to)`: a
   * piece is dragged while setting up, `to` is null off the board; `asks.mark(from, to)`: drawn with the right button;
   * `asks.refuse(square)`: a press that nothing can follow.
   */
  constructor(container, asks) {
    this.asks = asks;
    this.flipped = false;
    this.selected = null;
    this.focused = 4;
    this.visited = false; // whether the keyboard has been on the board since it was turned
    /** @type {Map<number, { letter: string, node: SVGElement, placed: boolean }>} */
    this.pieces = new Map();
    this.shown = { board: new Map(), last: null, check: null, arrows: [] };
    this.layers = Object.fromEntries(
      ["grid", "marks", "pieces", "dots", "arrows", "held"].map((name) => [name, svg("g", { class: `layer ${name}` })]),
    );
    this.picture = svg(
      "svg",
      {
        viewBox: `${-MARGIN} ${-MARGIN} ${8 * CELL + 2 * MARGIN} ${9 * CELL + 2 * MARGIN}`,
        class: "picture",
        "aria-hidden": "true",
      },
      Object.values(this.layers),
    );
    this.cells = el("div", { class: "cells", role: "grid" });
    container.append(this.picture, this.cells);
    this.cells.addEventListener("pointerdown", (event) => this.press(event));
    this.cells.addEventListener("pointermove", (event) => this.drag(event));
    this.cells.addEventListener("pointerup", (event) => this.release(event));
    this.cells.addEventListener("pointercancel", () => this.letGo());
    this.cells.addEventListener("keydown", (event) => this.key(event));
    this.cells.addEventListener("contextmenu", (event) => event.preventDefault());
    this.restyle();
  }

  /** Pieces, language or the side at the bottom have changed. */
  restyle() {
    this.layers.grid.replaceChildren(
      ...boardIds(this.flipped).map((href) => svg("use", { href })),
    );
    for (const { node } of this.pieces.values()) node.remove();
    this.pieces.clear();
    this.makeCells();
    this.draw(this.shown, false);
  }

  flip(flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.visited = false;
    this.restyle();
  }

  // --- places

  /** @returns {[number, number]} */
  point(square) {
    const [rank, file] = [Math.floor(square / 9), square % 9];
    return this.flipped ? [CELL * (8 - file), CELL * rank] : [CELL * file, CELL * (9 - rank)];
  }

  squareAt(event) {
    const box = this.cells.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * 9);
    const row = Math.floor(((event.clientY - box.top) / box.height) * 10);
    return this.squareOn(row, column);
  }

  squareOn(row, column) {
    if (row < 0 || row > 9 || column < 0 || column > 8) return null;
    return this.flipped ? 9 * row + 8 - column : 9 * (9 - row) + column;
  }

  /**
   * The pointer's position in the picture's units.
   * @returns {[number, number]}
   */
  place(event) {
    const box = this.cells.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * 900 - 50, ((event.clientY - box.top) / box.height) * 1000 - 50];
  }

  makeCells() {
    this.cells.setAttribute("aria-label", t("grid"));
    this.cellOf = new Map();
    const rows = [];
    for (let row = 0; row < 10; row++) {
      const cells = [];
      for (let column = 0; column < 9; column++) {
        const square = this.squareOn(row, column);
        const cell = el("div", { role: "gridcell", "data-square": nameOf(square), tabindex: "-1" });
        cell.addEventListener("focus", () => this.focusOn(square));
        this.cellOf.set(square, cell);
        cells.push(cell);
      }
      rows.push(el("div", { role: "row" }, cells));
    }
    this.cells.replaceChildren(...rows);
    this.cellOf.get(this.focused).tabIndex = 0;
    this.labels = new Map();
  }

  // --- drawing

  /** Shows a position: {board, last, check, arrows: [[move, weight, kind]]}. */
  draw(shown, animate = settings.animation) {
    if (shown.board !== this.shown.board || (this.selected !== null && !this.asks.mayMove(this.selected))) this.selected = null;
    this.shown = shown;
    this.drawPieces(shown.board, animate);
    this.drawMarks();
    this.drawArrows(shown.arrows ?? []);
    this.drawTargets();
  }

  drawPieces(board, animate) {
    const freed = new Map(); // letter: entries whose point has changed
    for (const [square, entry] of this.pieces) {
      if (board.get(square) !== entry.letter) {
        this.pieces.delete(square);
        freed.set(entry.letter, [...(freed.get(entry.letter) ?? []), entry]);
      }
    }
    for (const [square, letter] of board) {
      if (this.pieces.has(square)) continue;
      const entry = freed.get(letter)?.shift() ?? this.newPiece(letter);
      this.pieces.set(square, entry);
      this.put(entry.node, this.point(square), animate && entry.placed);
      entry.placed = true;
    }
    for (const entry of [...freed.values()].flat()) entry.node.remove();
  }

  newPiece(letter) {
    const node = svg("use", { href: pieceId(letter), class: "on-board" });
    this.layers.pieces.append(node);
    return { letter, node, placed: false };
  }

  put(node, [x, y], animate) {
    node.classList.toggle("gliding", animate);
    if (animate) this.layers.pieces.append(node); // above the pieces it passes
    node.style.transform = `translate(${x}px, ${y}px)`;
  }

  drawMarks() {
    const { last, check, own } = this.shown;
    const marks = (own ?? []).map((square) => {
      const [cx, cy] = this.point(square);
      return svg("circle", { cx, cy, r: 50, class: "own-mark" });
    });
    if (last) for (const square of [squareOf(last), squareOf(last.slice(2))]) marks.push(this.brackets(square, "last"));
    if (check !== null && check !== undefined) {
      const [cx, cy] = this.point(check);
      marks.push(svg("circle", { cx, cy, r: 50, class: "check" }));
    }
    this.layers.marks.replaceChildren(...marks);
  }

  brackets(square, kind) {
    const [x, y] = this.point(square);
    const arms = [-1, 1].flatMap((across) =>
      [-1, 1].map(
        (down) => `M${x + across * EDGE} ${y + down * (EDGE - ARM)}V${y + down * EDGE}H${x + across * (EDGE - ARM)}`,
      ),
    );
    return svg("path", { d: arms.join(""), class: kind });
  }

  drawTargets() {
    const dots = [];
    const targets = this.selected === null ? [] : this.asks.targets(this.selected);
    if (this.selected !== null) dots.push(this.brackets(this.selected, "selected"));
    for (const square of targets) {
      const [cx, cy] = this.point(square);
      const taken = this.shown.board.has(square);
      dots.push(svg("circle", { cx, cy, r: taken ? 47 : 15, class: taken ? "target taken" : "target" }));
    }
    this.layers.dots.replaceChildren(...dots);
    this.nameCells(new Set(targets));
  }

  nameCells(targets) {
    for (const [square, cell] of this.cellOf) {
      const piece = this.shown.board.get(square);
      const label = `${pointName(square)}: ${piece ? t(`piece.${piece}`) : t("empty")}${targets.has(square) ? `, ${t("target")}` : ""}`;
      if (this.labels.get(square) !== label) {
        cell.setAttribute("aria-label", label);
        this.labels.set(square, label);
      }
      const selected = square === this.selected;
      if (selected !== (cell.getAttribute("aria-selected") === "true")) cell.setAttribute("aria-selected", selected);
    }
  }

  drawArrows(arrows) {
    this.layers.arrows.replaceChildren(
      ...[...arrows].reverse().map(([move, weight, kind]) => {
        const shape = arrowPath(this.point(squareOf(move)), this.point(squareOf(move.slice(2))), 8 + 14 * weight);
        return svg("path", { d: shape, class: `arrow ${kind ?? ""}`, "fill-opacity": 0.35 + 0.45 * weight });
      }),
    );
  }

  // --- mouse and touch

  press(event) {
    const square = this.squareAt(event);
    if (event.button === 2 && square !== null) this.marking = square;
    if (event.button !== 0 || this.held || square === null) return;
    event.preventDefault();
    this.asks.mark(null, null);
    if (this.asks.setsUp() && this.shown.board.has(square)) {
      this.held = { square, setup: true, x: event.clientX, y: event.clientY, moved: false };
      this.cells.setPointerCapture?.(event.pointerId);
      return;
    }
    if (this.asks.press(square)) return;
    if (this.selected !== null && square !== this.selected && !this.asks.mayMove(square)) {
      const from = this.selected;
      this.select(null);
      this.asks.move(from, square);
      return;
    }
    if (!this.asks.mayMove(square)) {
      this.asks.refuse(square);
      return this.select(null);
    }
    const again = square === this.selected;
    this.select(square);
    this.held = { square, again, x: event.clientX, y: event.clientY, moved: false };
    this.cells.setPointerCapture?.(event.pointerId);
  }

  drag(event) {
    const held = this.held;
    if (!held) return;
    if (!held.moved && Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG_START) return;
    const entry = this.pieces.get(held.square);
    if (!entry) return;
    if (!held.moved) {
      held.moved = true;
      this.cells.classList.add("dragging");
      this.layers.held.append(entry.node);
    }
    this.put(entry.node, this.place(event), false);
  }

  release(event) {
    const target = this.squareAt(event);
    if (event.button === 2 && this.marking !== undefined && target !== null) this.asks.mark(this.marking, target);
    const held = this.held;
    if (!held || event.button !== 0) return;
    this.letGo();
    if (held.setup) {
      if (held.moved && target !== held.square) this.asks.carry(held.square, target);
      else this.asks.press(held.square);
      return;
    }
    if (held.moved) {
      if (target !== null && target !== held.square) {
        this.select(null);
        this.asks.move(held.square, target);
      }
    } else if (held.again) this.select(null);
  }

  /** Puts the piece back on its point. */
  letGo() {
    const held = this.held;
    this.held = null;
    this.cells.classList.remove("dragging");
    const entry = held && this.pieces.get(held.square);
    if (entry && held.moved) {
      this.layers.pieces.append(entry.node);
      this.put(entry.node, this.point(held.square), false);
    }
  }

  select(square) {
    this.selected = square;
    this.drawTargets();
  }

  // --- keyboard

  focusOn(square) {
    this.visited = true;
    this.cellOf.get(this.focused).tabIndex = -1;
    this.focused = square;
    this.cellOf.get(square).tabIndex = 0;
  }

  /** Goes to the point that had the focus last; the first time in a game, to the given one. */
  focus(first) {
    this.cellOf.get(this.visited ? this.focused : (first ?? this.focused)).focus();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (event.key in steps) {
      const [down, right] = steps[event.key];
      const [x, y] = this.point(this.focused);
      const next = this.squareOn(y / CELL + down, x / CELL + right);
      if (next !== null) this.cellOf.get(next).focus();
    } else if (event.key === "Enter" || event.key === " ") this.enter();
    else if (event.key === "Escape") {
      if (this.selected !== null) this.select(null);
      else /** @type {HTMLElement} */ (document.activeElement).blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  enter() {
    const square = this.focused;
    if (this.asks.press(square)) return;
    if (this.selected === square) this.select(null);
    else if (this.asks.mayMove(square)) this.select(square);
    else if (this.selected !== null) {
      const from = this.selected;
      this.select(null);
      this.asks.move(from, square);
    }
  }
}

function arrowPath([x1, y1], [x2, y2], thickness) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  thickness = Math.min(thickness, length * 0.14);
  const [cos, sin] = [(x2 - x1) / length, (y2 - y1) / length];
  const [half, head, tip] = [thickness / 2, thickness * 1.5, length - 12];
  const neck = tip - thickness * 2.2;
  const corners = [
    [18, -half],
    [neck, -half],
    [neck, -head],
    [tip, 0],
    [neck, head],
    [neck, half],
    [18, half],
  ];
  return `M${corners.map(([along, aside]) => `${x1 + along * cos - aside * sin} ${y1 + along * sin + aside * cos}`).join("L")}Z`;
}
