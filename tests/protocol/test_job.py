"""Background jobs: they can be stopped and silenced, and run even if no thread can be started."""

from __future__ import annotations

import threading

import pytest

from chuhe.protocol.job import Job


def no_thread(_: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_stop_interrupts_once_and_waits() -> None:
    heard = threading.Event()
    calls: list[str] = []

    def interrupt() -> None:
        calls.append("interrupt")
        heard.set()

    def work(_: Job) -> None:
        heard.wait()
        calls.append("done")

    job = Job(work, interrupt)
    job.start()
    job.stop()
    assert calls == ["interrupt", "done"]
    assert job.stopped
    assert not job.silent


def test_silence() -> None:
    job = Job(lambda job: None, lambda: None)
    job.start()
    job.stop(silent=True)
    assert job.silent


def test_work_with_an_end_is_done_without_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", no_thread)
    done: list[Job] = []
    job = Job(done.append, lambda: None, ends=True)
    job.start()
    job.join()
    assert done == [job]


def test_endless_work_needs_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", no_thread)
    job = Job(lambda job: pytest.fail("it would never end"), lambda: None, ends=False)
    with pytest.raises(RuntimeError, match="no thread"):
        job.start()
