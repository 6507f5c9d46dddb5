"""A misbehaving engine for the client's tests: `python rude_engine.py HABIT`."""

from __future__ import annotations

import os
import sys
import time

UNITS = {"bare-seconds": 1.0, "bare": 0.001}  # the clock's unit, in seconds
UNITLESS = ("refuses", "bare-seconds", "bare", "bare-crash")  # do not announce usemillisec
UCCI_ONLY = ("bare-seconds", "bare", "bare-crash")
LONG = 10.0  # seconds: longer than a test waits


def say(text: str) -> None:
    print(text, flush=True)


def greet(word: str, habit: str) -> None:
    say("id name Rude 1")
    if word == "ucci":
        if habit not in UNITLESS:
            say("option usemillisec type check default false")
        say("option hashsize type spin min 0 max 64 default 16")
        say("option newgame type button")
        say("ucciok")
    else:
        say("option name Hash type spin default 16 min 1 max 64")
        say("option name Style type combo default calm var calm var very wild")
        say("uciok")


def search(habit: str, words: list[str]) -> None:
    if habit in UNITS and "time" in words:
        given = int(words[words.index("time") + 1])
        say(f"info depth 1 score 0 nodes {given} pv h2e2")
        if given * UNITS[habit] > LONG:
            return  # keeps thinking until `stop`
    if habit.endswith("crash"):
        print("segmentation fault, so to speak", file=sys.stderr, flush=True)
        os._exit(7)
    if habit == "garbage":
        say("info depth x score cp y pv \x01\x02")
        say("bestmove \x01\x02nonsense")
    elif habit == "flood":
        for number in range(2000):
            say(f"info depth {number} score cp {number} nodes {number} time 1 pv h2e2")
        say("bestmove h2e2")
    elif habit == "long":
        while True:
            print("x" * 65536, end="")
    elif habit == "none":
        say("bestmove (none)")
    elif habit == "resign":
        say("info depth 4 score -120 pv h2e2")
        say("bestmove h2e2 ponder h9g7 resign")
    elif habit not in ("hang", "deaf"):
        say("bestmove h2e2")


def main(habit: str) -> None:
    if habit == "mute":
        time.sleep(60)
    for line in sys.stdin:
        words = line.split()
        word = words[0]
        if word == "uci" and habit in UCCI_ONLY:
            say("unknown command")
        elif word in ("ucci", "uci") and not (habit == "uci-only" and word == "ucci"):
            greet(word, habit)
        elif word == "ucci":
            say("Unknown command: ucci")
        elif word == "isready" and habit != "unready":
            say("readyok")
        elif word == "go":
            search(habit, words)
        elif words[0] == "setoption" and habit == "dies-of-options":
            os._exit(5)
        elif words[:2] == ["setoption", "usemillisec"] and habit in ("refuses", "announces-and-refuses"):
            say("No such option: usemillisec")
        elif word == "stop" and (habit == "hang" or habit in UNITS):
            say("bestmove h2e2")
        elif word == "quit" and habit != "deaf":
            return


main(sys.argv[1])
