"""A match on a Dask cluster of two workers on this machine, one of which is killed in the middle."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import kill_match
import pytest
from paths import ROOT
from toys import TOY, toy, toy_match
from waiting import PATIENCE

from chuhe.bench.matches.match_progress import MatchProgress, MatchWatcher
from chuhe.bench.matches.match_values import Adjudication, MatchGame
from chuhe.bench.matches.runner import PGN, run_match
from chuhe.bench.matches.standings import Standings
from chuhe.bench.matches.store import read_results
from chuhe.bench.spread import WorkError, Workers, spread
from chuhe.bench.spread.cluster import OnCluster, checked, signature
from chuhe.bench.spread.cluster_nodes import private_cluster
from chuhe.records.pgn import parse_pgn


def worker_of_an_engine() -> int | None:
    """The parent of a running toy engine: a worker that is playing a game."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            grandparent = int(Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if str(TOY).encode() in words and _descends(grandparent, os.getpid()):
            return parent
    return None


def _descends(process: int, ancestor: int) -> bool:
    while process > 1:
        if process == ancestor:
            return True
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return False


class Killer(MatchProgress):
    """Kills a playing worker after the third finished game."""

    victim: int | None = None
    warning = ""

    def warn(self, text: str) -> None:
        super().warn(text)
        self.warning = text

    def game(self, record: MatchGame, standings: Standings) -> None:
        super().game(record, standings)
        if len(standings.games) >= 3 and self.victim is None:
            self.victim = worker_of_an_engine()
            if self.victim is not None:
                os.kill(self.victim, signal.SIGKILL)


def test_a_worker_that_dies_loses_only_its_running_game(tmp_path: Path) -> None:
    engines = [toy("a", think=0.01), toy("b", seed=2, think=0.01)]
    settings = toy_match(tmp_path, *engines, games=16, concurrency=2, adjudication=Adjudication(max_moves=10))
    killer = Killer()
    standings = run_match(settings, workers=Workers(cluster="local"), progress=killer)
    assert killer.victim is not None
    numbers = [game.number for game in read_results(settings.output)[1]]
    assert sorted(numbers) == list(range(1, 17))
    assert len(standings.games) == 16
    assert {game.reason for game in standings.games} == {"move count"}
    assert standings.warnings == [killer.warning]
    assert re.fullmatch(r"worker tls://\S+ is gone; 1 piece of its work is done again", killer.warning)


def test_an_interrupt_is_one_message_and_keeps_the_games(tmp_path: Path) -> None:
    """Ctrl-C as a terminal sends it: to the whole process group, workers included."""
    line = [*kill_match.command(tmp_path, games=1000, think=0.01), "--cluster", "local"]
    pipe = subprocess.PIPE
    results = tmp_path / "out" / "results.jsonl"
    with subprocess.Popen(line, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        while process.poll() is None and not (results.exists() and len(results.read_text().splitlines()) > 2):
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (out, err.strip()) == ("", "chuhe match: interrupted; every finished game is kept, --resume continues")
    assert process.returncode == 130
    kept = [game.number for game in read_results(tmp_path / "out")[1]]
    assert len(kept) >= 2
    written = parse_pgn((tmp_path / "out" / PGN).read_text())
    assert [int(game.tags["Round"]) for game in written] == kept


def test_no_scheduler_is_said_soon_and_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.bench.spread.cluster.SOON", 0.01)
    settings = toy_match(tmp_path, toy("a"), toy("b"))
    watcher = Listener()
    with pytest.raises(WorkError, match="no Dask scheduler at tcp://127"):
        run_match(settings, workers=Workers(cluster="tcp://127.0.0.1:9", wait=0.3), progress=watcher)
    assert watcher.heard == ["waiting for the Dask scheduler at tcp://127.0.0.1:9, 0.3 s at most (--wait)"]


def test_another_server_at_the_address_is_one_message(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    server.accept()[0].sendall(b"HTTP/1.1 400 Bad Request, and no scheduler\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(WorkError, match=f"no Dask scheduler at {address}"):
            run_match(toy_match(tmp_path, toy("a"), toy("b")), workers=Workers(cluster=address, wait=0.3))


def test_a_scheduler_that_does_not_answer_is_waited_for_then_the_work_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.bench.spread.cluster.POLL", 0.05)
    heard: list[str] = []

    def silent(*_: object, callback_timeout: float) -> None:
        raise asyncio.TimeoutError

    with private_cluster(0) as empty, empty.get_client() as client:
        with monkeypatch.context() as stopped:
            stopped.setattr("chuhe.bench.spread.cluster.SOON", 0.01)
            stopped.setattr(client, "sync", silent)
            hands = OnCluster(client, abs, 1, 0.5, lambda message: heard.append(str(message)))
            hands.give(0, -1)
            with pytest.raises(WorkError, match=r"has not answered for 0\.5 s"):
                hands.result()
        hands.close()
    assert heard == ["the Dask scheduler does not answer; waiting for it, 0.5 s at most (--wait)"]


class Listener(MatchWatcher):
    """Keeps what is said about workers."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def warn(self, text: str) -> None:
        self.heard.append(text)


def test_without_a_worker_the_work_waits_then_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.bench.spread.cluster.SOON", 0.01)
    monkeypatch.setattr("chuhe.bench.spread.cluster.POLL", 0.05)
    heard: list[str] = []
    with private_cluster(0) as empty, empty.get_client() as client:
        hands = OnCluster(client, abs, 1, 0.5, lambda message: heard.append(str(message)))
        hands.give(0, -1)
        with pytest.raises(WorkError, match=r"no worker for 0\.5 s"):
            hands.result()
    assert heard == ["the cluster has no worker; waiting for one, 0.5 s at most (--wait)"]


def test_a_worker_with_another_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checked(signature(), abs, -3) == 3
    ours = signature()
    monkeypatch.setattr("chuhe.bench.spread.cluster.signature", lambda: "1.0/123")
    with (
        pytest.raises(WorkError, match=f"bench number {ours}, here 1.0/123"),
        spread(abs, range(3), Workers(1, "local")) as results,
    ):
        list(results)


def listening() -> list[tuple[str, int]]:
    """The addresses on which this process and its children listen."""
    psutil: Any = import_module("psutil")  # comes with Dask
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    sockets = [socket for process in processes for socket in process.net_connections("inet")]
    return [socket.laddr for socket in sockets if socket.status == psutil.CONN_LISTEN]


async def greeting_of(address: tuple[str, int], said: bytes) -> bytes:
    """The reply on a plain connection; empty if it is closed."""
    reader, writer = await asyncio.open_connection(*address)
    try:
        writer.write(said)
        return await asyncio.wait_for(reader.read(100), PATIENCE)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def test_a_local_cluster_is_ours_alone() -> None:
    """No dashboard, no port on the network, and no answer without our certificate."""

    before = set(listening())
    with private_cluster(1) as cluster, cluster.get_client() as client:
        client.wait_for_workers(1)
        assert client.scheduler.address.startswith("tls://127.0.0.1:")
        opened = sorted(set(listening()) - before)
        assert len(opened) == 3  # scheduler, nanny, worker
        assert {host for host, _ in opened} == {"127.0.0.1"}
        for address in opened:
            assert b"HTTP" not in asyncio.run(greeting_of(address, b"GET / HTTP/1.0\r\n\r\n"))
        port = opened[0][1]
        strangers = ssl.create_default_context()
        strangers.check_hostname, strangers.verify_mode = False, ssl.CERT_NONE
        with pytest.raises((ssl.SSLError, ConnectionError)):
            asyncio.run(answer_to_a_stranger(port, strangers))
        assert client.submit(sum, [1, 2]).result() == 3


async def answer_to_a_stranger(port: int, context: ssl.SSLContext) -> bytes:
    """TLS 1.3 lets a client without a certificate write before it is rejected."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    try:
        writer.write(b"x" * 100)
        answer = await asyncio.wait_for(reader.read(100), PATIENCE)
        if not answer:
            raise ConnectionError("closed")
        return answer
    finally:
        writer.close()


def test_missing_cryptography_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    settings = toy_match(tmp_path, toy("a"), toy("b"))
    with pytest.raises(WorkError, match=r"-m pip install .*distributed"):
        run_match(settings, workers=Workers(cluster="local"))


def test_an_address_that_needs_certificates_is_one_line(tmp_path: Path) -> None:
    settings = toy_match(tmp_path, toy("a"), toy("b"))
    with pytest.raises(WorkError, match="no certificates"):
        run_match(settings, workers=Workers(cluster="tls://127.0.0.1:9"))
