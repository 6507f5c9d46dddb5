// The graph of Red's score over the game; it fills while the review runs.

import { el, smallTable, svg } from "/static/dom.js";
import { t } from "/static/i18n.js";

const WIDTH = 600;
const HEIGHT = 120;
const LIMIT = 1000;
const COLOURS = { blunder: "blunder", mistake: "mistake", inaccuracy: "inaccuracy" };

export class Graph {
  constructor(container, onGo) {
    this.onGo = onGo;
    this.picture = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "graph",
      role: "img",
      preserveAspectRatio: "none",
    });
    container.append(this.picture);
    this.picture.addEventListener("click", (event) => this.click(event));
    this.line = [];
  }

  /** `line`: the nodes of the main line; `current`: the node shown. */
  draw(line, current) {
    this.line = line;
    const x = (index) => (WIDTH * (index + 1)) / Math.max(1, line.length);
    const y = (value) => HEIGHT / 2 - ((HEIGHT / 2 - 4) * Math.max(-LIMIT, Math.min(LIMIT, value))) / LIMIT;
    const known = line.map((node, index) => [index, node.judged]).filter(([, judged]) => judged);
    const parts = [svg("title", {}, t("graph"))];
    let run = [];
    const runs = [];
    known.forEach(([index, judged], position) => {
      if (position && known[position - 1][0] !== index - 1) {
        runs.push(run);
        run = [];
      }
      run.push([x(index), y(judged.value)]);
    });
    if (run.length) runs.push(run);
    for (const points of runs) {
      const path = points.map(([left, top]) => `${left.toFixed(1)} ${top.toFixed(1)}`).join("L");
      const area = `M${points[0][0].toFixed(1)} ${HEIGHT / 2}L${path}L${points.at(-1)[0].toFixed(1)} ${HEIGHT / 2}Z`;
      parts.push(svg("path", { d: area, class: "area" }), svg("path", { d: `M${path}`, class: "curve" }));
    }
    parts.push(svg("path", { d: `M0 ${HEIGHT / 2}H${WIDTH}`, class: "zero" }));
    for (const [index, judged] of known) {
      if (judged.grade) {
        const place = { cx: x(index), cy: y(judged.value), r: 5, class: `fault ${COLOURS[judged.grade]}` };
        parts.push(svg("circle", place));
      }
    }
    const here = line.indexOf(current);
    if (here >= 0) parts.push(svg("path", { d: `M${x(here)} 0V${HEIGHT}`, class: "here" }));
    this.picture.replaceChildren(...parts);
  }

  click(event) {
    const box = this.picture.getBoundingClientRect();
    const index = Math.round(((event.clientX - box.left) / box.width) * this.line.length) - 1;
    const node = this.line[Math.max(0, Math.min(this.line.length - 1, index))];
    if (node) this.onGo(node);
  }
}

/** Mistakes by side, as a small table. */
export function summary(line, tree) {
  const grades = ["inaccuracy", "mistake", "blunder"];
  const rows = [0, 1].map((colour) => {
    const own = line.filter((node) => node.judged && tree.turn(node) === 1 - colour);
    const average = own.reduce((sum, node) => sum + node.judged.loss, 0) / (own.length || 1) / 100;
    const counts = grades.map((grade) => own.filter((node) => node.judged.grade === grade).length);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, t(colour ? "side.black" : "side.red")),
      counts.map((count) => el("td", {}, String(count))),
      el("td", {}, average.toFixed(2)),
    );
  });
  const head = ["", ...grades.map((grade) => t(`grade.${grade}`)), t("averageLoss")];
  return smallTable(head, rows);
}
