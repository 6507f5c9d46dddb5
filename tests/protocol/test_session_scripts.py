"""Every question gets one answer, whatever comes in between; tests/tools/session_stress.py plays many more scripts."""

from __future__ import annotations

import random

from session_scripts import Player, random_script


def test_every_go_and_isready_of_a_random_script_is_answered_once() -> None:
    rng, player = random.Random(33), Player()
    for _ in range(300):
        player.play(random_script(rng))
