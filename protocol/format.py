"""Formatting values as lines, for both protocols. Pure functions; the session writes the lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chuhe.engine.values import BestMove, Info, Score
from chuhe.protocol.options import OPTIONS, Option, OptionValues, announce
from chuhe.protocol.units import score_to_ucci

if TYPE_CHECKING:
    from chuhe.engine.values import TableEntry

MoveText = Callable[[Any], str]

ID_AUTHOR = "the Chuhe developers"

HELP = """\
Chuhe speaks UCCI and UCI. The first word chooses: ucci, uci, ucicyclone.
  position {startpos | fen FEN} [moves M1 M2 …]   set the position
  go [ponder | draw] [depth N | nodes N | movetime MS | infinite | mate N | a clock] [searchmoves M1 …]
     UCCI clock: time T [movestogo N | increment I] [opptime T [oppmovestogo N | oppincrement I]]
     UCI clock:  wtime MS btime MS [winc MS] [binc MS] [movestogo N]
  go perft N      count the leaves of the move tree, by first move
  stop, ponderhit [draw], banmoves M1 …, probe {startpos | fen FEN} [moves …]
  setoption X Y, setoption name X value Y         `chuhe options` lists them
  isready, ucinewgame, debug {on | off}, quit
  d               the board, its FEN and key, and who gives check
  eval            the evaluation, term by term
  bench [ARGS]    node count and speed on fixed positions
  flip            the same position seen from the other side
  help            this text"""


def greeting(protocol: str, name: str, defaults: OptionValues, takes: Callable[[Option], bool]) -> list[str]:
    """The answer to `ucci` or `uci`, with the supported options."""
    lines = [f"id name {name}", f"id author {ID_AUTHOR}"]
    if protocol == "ucci":
        lines += ["id copyright GPL-3.0-or-later", "id user everyone"]
    for option in OPTIONS:
        line = announce(option, protocol, defaults[option.key]) if takes(option) else ""
        if line:
            lines.append(line)
    return [*lines, "ucciok" if protocol == "ucci" else "uciok"]


def message(text: str, protocol: str) -> str:
    """A message for the user, always on one line."""
    return f"info {'message' if protocol == 'ucci' else 'string'} {' '.join(text.split())}"


def info_lines(
    info: Info, protocol: str, move_text: MoveText, *, multipv: bool = False, wdl: bool = False
) -> list[str]:
    """The lines of a search report; none if the protocol cannot express it."""
    if protocol == "ucci":
        return _ucci_info(info, move_text, multipv)
    return [_uci_info(info, move_text, wdl)]


def _ucci_info(info: Info, move_text: MoveText, multipv: bool) -> list[str]:
    if info.currmove is not None:
        return [f"info currmove {move_text(info.currmove)}"]
    if not info.pv or (info.bound == "upper" and not info.final):  # UCCI has no bounds, and a fail low has no line
        return []
    which = f" multipv {info.multipv}" if multipv else ""
    pv = " ".join(move_text(move) for move in info.pv)
    return [
        f"info time {info.time} nodes {info.nodes}" + (f" tbhits {info.tbhits}" if info.tbhits else ""),
        f"info depth {info.depth}{which} score {score_to_ucci(info.score)} pv {pv}",
    ]


def _uci_info(info: Info, move_text: MoveText, wdl: bool) -> str:
    if info.currmove is not None:
        return f"info depth {info.depth} currmove {move_text(info.currmove)} currmovenumber {info.currmovenumber}"
    words = [f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv} score {uci_score(info.score)}"]
    if info.bound != "exact":
        words.append(f"{info.bound}bound")
    if wdl and info.wdl is not None:
        words.append("wdl {} {} {}".format(*info.wdl))
    words.append(f"nodes {info.nodes} nps {info.nps} hashfull {info.hashfull}")
    if info.tbhits is not None:
        words.append(f"tbhits {info.tbhits}")
    words.append(f"time {info.time}")
    if info.pv:
        words.append("pv " + " ".join(move_text(move) for move in info.pv))
    return " ".join(words)


def uci_score(score: Score) -> str:
    return f"mate {score.mate}" if score.mate is not None else f"cp {score.cp}"


def static_score(score: Score, protocol: str) -> str:
    """The answer to UCCI's `go depth 0`."""
    return f"info depth 0 score {score_to_ucci(score) if protocol == 'ucci' else uci_score(score)}"


def summary(best: BestMove, protocol: str) -> list[str]:
    """The last line before the move: total time and nodes."""
    if protocol == "ucci":
        return [f"info time {best.time} nodes {best.nodes}"] if best.move is not None else []
    if best.move is None:
        return [f"info depth 0 score {uci_score(best.score)}"]
    nps = best.nodes * 1000 // max(1, best.time)
    return [f"info depth {best.depth} nodes {best.nodes} nps {nps} time {best.time}"]


def no_move(protocol: str) -> str:
    """The answer to `go` where there is no move to play."""
    return "nobestmove" if protocol == "ucci" else "bestmove (none)"


def best_move(
    move: Any, ponder: Any, protocol: str, move_text: MoveText, *, draw: bool = False, resign: bool = False
) -> str:
    """The answer to `go`."""
    if move is None:
        return no_move(protocol)
    line = f"bestmove {move_text(move)}"
    if ponder is not None:
        line += f" ponder {move_text(ponder)}"
    if protocol == "ucci" and (draw or resign):
        line += " resign" if resign else " draw"
    return line


def pophash(entry: TableEntry | None, move_text: MoveText) -> str:
    """UCCI's answer to `probe`; an exact score is both bounds."""
    if entry is None:
        return "pophash"
    line = "pophash"
    if entry.move is not None:
        line += f" bestmove {move_text(entry.move)}"
    value = score_to_ucci(entry.score)
    if entry.bound in ("lower", "exact"):
        line += f" lowerbound {value} depth {entry.depth}"
    if entry.bound in ("upper", "exact"):
        line += f" upperbound {value} depth {entry.depth}"
    return line


def diagram(fen: str, ranks_from: int = 0) -> list[str]:
    """The board as text, the first player at the bottom.

    >>> print("\\n".join(diagram("4k4/9/9/9/9/9/9/9/9/4K4 w")[:2]))
     9  . . . . k . . . .
     8  . . . . . . . . .
    """
    rows = "".join("." * int(each) if each.isdigit() else each for each in fen.split()[0]).split("/")
    lines = [f"{rank:>2}  {' '.join(row)}" for rank, row in enumerate(reversed(rows), ranks_from)]
    return [*reversed(lines), "    " + " ".join("abcdefghi"[: len(rows[0])])]
