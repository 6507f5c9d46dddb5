// The graph of Red's score over the game; it fills while the review runs.

import { svg } from "/static/dom.js";
import { t } from "/static/i18n.js";

const WIDTH = 600;
const HEIGHT = 120;
const LIMIT = 500;

/** @typedef {import("/static/game.js").TreeNode} TreeNode */

/**
 * @param {TreeNode[]} line the main line
 * @param {TreeNode} current the node shown
 * @param {(node: TreeNode) => void} onGo
 */
export function graph(line, current, onGo) {
  const x = (index) => (WIDTH * (index + 1)) / Math.max(1, line.length);
  const y = (value) => HEIGHT / 2 - ((HEIGHT / 2 - 4) * Math.max(-LIMIT, Math.min(LIMIT, value))) / LIMIT;
  const known = [...line.entries()].filter(([, node]) => node.judged);
  /** @type {[number, number][][]} */
  const runs = [];
  known.forEach(([index, node], position) => {
    if (!position || known[position - 1][0] !== index - 1) runs.push([]);
    runs.at(-1).push([x(index), y(node.judged.value)]);
  });
  const parts = runs.flatMap((points) => {
    const path = points.map(([left, top]) => `${left.toFixed(1)} ${top.toFixed(1)}`).join("L");
    const area = `M${points[0][0].toFixed(1)} ${HEIGHT / 2}L${path}L${points.at(-1)[0].toFixed(1)} ${HEIGHT / 2}Z`;
    return [svg("path", { d: area, class: "area" }), svg("path", { d: `M${path}`, class: "curve" })];
  });
  const faults = known
    .filter(([, node]) => node.judged.grade)
    .map(([index, { judged }]) => svg("circle", { cx: x(index), cy: y(judged.value), r: 5, class: `fault ${judged.grade}` }));
  const here = line.indexOf(current);
  const go = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const index = Math.round(((event.clientX - box.left) / box.width) * line.length) - 1;
    const node = line[Math.max(0, Math.min(line.length - 1, index))];
    if (node) onGo(node);
  };
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", preserveAspectRatio: "none", "aria-label": t("graph"), onclick: go },
    parts,
    svg("path", { d: `M0 ${HEIGHT / 2}H${WIDTH}`, class: "zero" }),
    faults,
    here >= 0 ? svg("path", { d: `M${x(here)} 0V${HEIGHT}`, class: "here" }) : "",
  );
}
