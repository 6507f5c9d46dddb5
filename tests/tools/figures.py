"""Writes the figures of `docs/lab/figures.json`, and what the bundled network is, into the documents.

    python tests/tools/figures.py

A figure stands in one place. A document has room for it between `<!-- figures: … -->` or `<!-- network: … -->` and
`<!-- end -->`. `tests/chuhe/test_figures.py` fails if what stands there is not what this script would write.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from chuhe.engine.network import DEFAULT, read

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "docs/lab/figures.json"
BLOCK = re.compile(r"(<!-- (figures|network): [^\n]* -->\n).*?(<!-- end -->)", re.DOTALL)

WORDS = {
    "en": {
        "bundled": "The bundled network is number {}, with {} neurons. What it and those before it scored:",
        "head": "| network | opponent | for each move | games | won, drawn, lost | score | Elo, 95 % interval |",
        "fairy-stockfish": "Debian's fairy-stockfish",
        "0.1.0": "Chuhe 0.1.0 (network 3)",
        "ms": "{} ms",
        "s": "{} s",
        "nodes": "{:,} nodes",
        "network": "Chuhe with network {}",
        "more": "more than {:+}",
    },
    "zh": {
        "bundled": "自带的是网络 {}，有 {} 个神经元。它和前几代的成绩：",
        "head": "| 网络 | 对手 | 每步 | 局数 | 胜、和、负 | 得分率 | Elo 及 95 % 置信区间 |",
        "fairy-stockfish": "Debian 的 fairy-stockfish",
        "0.1.0": "楚河 0.1.0（网络 3）",
        "ms": "{} 毫秒",
        "s": "{} 秒",
        "nodes": "{} 个节点",
        "network": "用网络 {} 的楚河",
        "more": "超过 {:+}",
    },
}
DOCUMENTS = {
    "README.md": "en",
    "README.zh-CN.md": "zh",
    "docs/lab/strength.md": "en",
    "docs/network.md": "en",
}


def signed(number: int) -> str:
    return f"{number:+}".replace("-", "−")


def figures(data: dict[str, Any], language: str) -> str:
    """The matches as a table."""
    words = WORDS[language]
    bundled = words["bundled"].format(data["network"], read(DEFAULT).hidden)
    rows = [bundled, "", words["head"], "|---|---|---|---|---|---|---|"]
    for match in data["matches"]:
        wins, draws, losses = match["results"]
        games = wins + draws + losses
        unit = "nodes" if "nodes" in match else "milliseconds"
        limit = match[unit]
        if unit == "milliseconds":
            unit, limit = ("s", limit // 1000) if limit >= 1000 else ("ms", limit)
        opponent = match["opponent"]
        if opponent.startswith("network "):
            opponent = words["network"].format(opponent.removeprefix("network "))
        else:
            opponent = words[opponent]
        elo, low, high = match["elo"]
        one_sided = wins == games
        rating = words["more"].format(low) if one_sided else f"{signed(elo)} [{signed(low)}, {signed(high)}]"
        score = f"{100 * (wins + draws / 2) / games:.1f}".removesuffix(".0")
        result = f"+{wins} ={draws} −{losses}"
        cells = (
            match["network"],
            opponent,
            words[unit].format(limit),
            games,
            result,
            f"{score} %",
            rating,
        )
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(rows) + "\n"


def network(data: dict[str, Any]) -> str:
    """What the bundled network is, from its file."""
    net = read(DEFAULT)
    buckets = [
        "–".join(str(count) for count in sorted({min(counts), max(counts)}))
        for bucket in range(max(net.bucket_of) + 1)
        if (counts := [count for count, at in enumerate(net.bucket_of) if at == bucket])
    ]
    return (
        "| number | neurons of a side | input buckets (the opponent's rooks, knights and cannons) | output buckets |\n"
        "|---|---|---|---|\n"
        f"| {data['network']} | {net.hidden} | {len(buckets)}: {', '.join(buckets)} | {net.buckets} |\n"
    )


def filled(text: str, language: str, data: dict[str, Any]) -> str:
    """A document with its figures as they should be."""

    def block(found: re.Match[str]) -> str:
        return found[1] + (figures(data, language) if found[2] == "figures" else network(data)) + found[3]

    return BLOCK.sub(block, text)


def checksum() -> str:
    """Of the bundled network, as `figures.json` has it."""
    return read(DEFAULT).checksum


def main() -> int:
    data = json.loads(SOURCE.read_text(encoding="utf-8"))
    for name, language in DOCUMENTS.items():
        path = ROOT / name
        path.write_text(filled(path.read_text(encoding="utf-8"), language, data), encoding="utf-8")
    if data["network_crc"] != checksum():
        print(f"the bundled network is another one ({checksum()}): edit {SOURCE.relative_to(ROOT)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
