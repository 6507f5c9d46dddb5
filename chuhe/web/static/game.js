// The game in the page: the tree that the server sent, and the boards that its moves lead to.
// There are no rules here: a move takes a piece from one point to another, and the server says which moves are legal.

/** @typedef {Map<number, string>} Board FEN's pieces by square: 0 is a0, 89 is i9 */
/**
 * A move of the tree, and the position after it; the root has no move.
 * @typedef {Omit<import("../page").NodeData, "parent"> & { parent: TreeNode | null, children: TreeNode[], ply: number }} TreeNode
 */

export const UNKNOWN = "?"; // a player whom a file does not name

export const squareOf = (name) => "abcdefghi".indexOf(name[0]) + 9 * Number(name[1]);
export const nameOf = (square) => "abcdefghi"[square % 9] + Math.floor(square / 9);
export const isRed = (piece) => piece === piece.toUpperCase();

/**
 * @param {string} fen
 * @returns {Board}
 */
export function boardOf(fen) {
  const board = new Map();
  fen
    .split(" ")[0]
    .split("/")
    .forEach((row, index) => {
      let file = 0;
      for (const letter of row) {
        if (/\d/.test(letter)) file += Number(letter);
        else board.set(9 * (9 - index) + file++, letter);
      }
    });
  return board;
}

/** The board part of a FEN. */
export function fenOf(board) {
  const rows = [];
  for (let rank = 9; rank >= 0; rank--) {
    let row = "";
    let empty = 0;
    for (let file = 0; file < 9; file++) {
      const piece = board.get(9 * rank + file);
      if (!piece) empty++;
      else {
        row += (empty || "") + piece;
        empty = 0;
      }
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}

export function play(board, move) {
  const after = new Map(board);
  const from = squareOf(move);
  after.set(squareOf(move.slice(2)), after.get(from));
  after.delete(from);
  return after;
}

export class Tree {
  /** @param {Pick<import("../page").TreeData, "fen" | "nodes"> & { tags?: Record<string, string> }} data */
  constructor(data) {
    this.fen = data.fen;
    this.tags = data.tags ?? {};
    this.firstTurn = data.fen.split(" ")[1] === "b" ? 1 : 0;
    /** @type {Map<number, TreeNode>} */
    this.nodes = new Map();
    for (const row of data.nodes) {
      const parent = row.parent === null ? null : this.nodes.get(row.parent);
      /** @type {TreeNode} */
      const node = { ...row, parent, children: [], ply: parent ? parent.ply + 1 : 0 };
      parent?.children.push(node);
      this.nodes.set(row.id, node);
    }
    this.root = this.nodes.get(0);
    this.boards = new Map([[0, boardOf(this.fen)]]);
  }

  /** @returns {TreeNode} */
  get(id) {
    return this.nodes.get(id) ?? this.root;
  }

  /**
   * @param {TreeNode} node
   * @returns {Board}
   */
  board(node) {
    let found = this.boards.get(node.id);
    if (!found) {
      found = play(this.board(node.parent), node.move);
      this.boards.set(node.id, found);
    }
    return found;
  }

  /**
   * Whose move it is after a node: 0 Red, 1 Black.
   * @param {TreeNode} node
   */
  turn(node) {
    return (this.firstTurn + node.ply) % 2;
  }

  mainLine(node = this.root) {
    const line = [];
    while (node.children.length) line.push((node = node.children[0]));
    return line;
  }

  /** @param {TreeNode} [node] */
  end(node = this.root) {
    return this.mainLine(node).at(-1) ?? node;
  }

  sibling(node, step) {
    const siblings = node.parent?.children ?? [node];
    return siblings[siblings.indexOf(node) + step] ?? node;
  }
}

/** Where the king of a side stands. */
export const kingOf = (board, turn) => [...board].find(([, piece]) => piece === (turn === 0 ? "K" : "k"))?.[0] ?? null;

/** The position with left and right exchanged. */
export const mirrored = (board) =>
  new Map([...board].map(([square, piece]) => [9 * Math.floor(square / 9) + 8 - (square % 9), piece]));
