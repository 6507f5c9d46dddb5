"""Work beside the reader: a stop is never lost, an answer is held until it is wanted."""

from __future__ import annotations

import threading

from protocol.job import Job


def test_a_stop_before_the_work_can_hear_it() -> None:
    heard = threading.Event()
    deaf = [True] * 5

    def interrupt() -> None:
        if deaf:
            deaf.pop()  # the first calls come too early
        else:
            heard.set()

    def work(_: Job) -> None:
        heard.wait()

    job = Job(work, interrupt)
    job.start()
    job.stop()
    assert heard.is_set()
    assert job.stopped


def test_a_held_answer_waits_for_the_release() -> None:
    answered = threading.Event()

    def work(job: Job) -> None:
        job.wait_until_wanted()
        answered.set()

    job = Job(work, lambda: None, hold=True)
    job.start()
    assert not answered.wait(0.05)
    assert job.ready
    job.release()
    job.join()
    assert answered.is_set()


def test_silence() -> None:
    job = Job(lambda job: job.wait_until_wanted(), lambda: None, hold=True)
    job.start()
    job.stop(silent=True)
    assert job.silent
