"""Watch a search to depth 12, and leave it as soon as its move has not changed for three iterations."""

from __future__ import annotations

import chuhe


def main() -> None:
    position = chuhe.Position()
    same, best = 0, None
    limits = chuhe.Limits(depth=12)
    with chuhe.Engine(chuhe.Settings(hash_mb=16)) as engine, engine.analysis(position, limits) as analysis:
        for info in analysis:
            if not info.pv or info.bound != "exact":
                continue
            same = same + 1 if info.pv[0] == best else 0
            best = info.pv[0]
            print(info.depth, info.score, position.wxf(best))
            if same >= 3:
                break
    print("played:", analysis.wait().move)


if __name__ == "__main__":
    main()
