"""Serving the page until a signal: the token, the lock, the browser."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import secrets
import signal
import sys
import threading
import webbrowser
from pathlib import Path

from chuhe.common.command_line import fault_text
from chuhe.files.reading import read_input
from chuhe.files.writing import OutputError, lock_file, write_file
from chuhe.text.message import message_of, printable
from chuhe.text.system_language import Speaker

PORT = 8907
SERVER_OPTIONS = (
    "engine",
    "match",
    "book",
    "red_book",
    "black_book",
    "hash",
    "threads",
    "port",
)  # without effect on a server that runs


def keep_token(directory: Path) -> str:
    """The secret of this user's server: created once and stored, so that an open page can reconnect after a restart."""
    path = directory / "token"
    with contextlib.suppress(OSError, ValueError):
        token = read_input(path).decode("ascii").strip()
        if len(token) >= 32:
            return token
    token = secrets.token_urlsafe(32)
    write_file(path, token, private=True)
    return token


def take_lock(directory: Path) -> int | None:
    """Two servers must not write the same games. The lock ends with the process; None if another process holds it."""
    file = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    if lock_file(file):
        return file
    os.close(file)
    return None


def open_page(directory: Path, url: str) -> None:
    """Open the browser. Other users can read its command line, so a private file holds the address with the key."""
    path = directory / "open.html"
    page = (
        f'<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={url}"><title>Chuhe</title>'
    )
    try:
        write_file(path, page, private=True)
    except OutputError as error:
        complain(str(error))
    else:
        webbrowser.open(path.absolute().as_uri())


def complain(fault: str) -> None:
    print(f"chuhe serve: {printable(fault)}", file=sys.stderr)


def already_running(directory: Path, token: str, quiet: bool, ignored: list[str], say: Speaker) -> int:
    """Another server is using the games: shows its address instead."""
    try:
        port = int(read_input(directory / "port"))
    except (OSError, ValueError):
        complain(say("serve.in-use", path=str(directory)))
        return 2
    url = f"http://127.0.0.1:{port}/#{token}"
    print(url, flush=True)
    print(say("serve.running"), file=sys.stderr)
    if ignored:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in ignored)
        print(say("serve.ignored", options=names), file=sys.stderr)
    if not quiet:
        open_page(directory, url)
    return 0


async def serve(options: argparse.Namespace, directory: Path, token: str, say: Speaker) -> int:
    from chuhe.engine import Settings
    from chuhe.engine.errors import LimitError
    from chuhe.records.books.book import BookError, BookFiles, SideBooks
    from chuhe.web.server import MAX_HASH_MB, Service

    try:
        book = SideBooks(BookFiles(options.book, options.red_book, options.black_book))
        settings = Settings(hash_mb=options.hash, threads=options.threads)
        service = Service(
            directory, token, settings, book, tuple(options.engine), options.match,
            max_hash=max(MAX_HASH_MB, options.hash),
        )  # fmt: skip
    except (BookError, LimitError, ValueError) as error:
        complain(fault_text(error, say.language))
        return 2
    stopped = _stop_signal()  # before the address is printed
    try:
        await service.start(PORT if options.port is None else options.port)
    except OSError as error:
        if options.port is not None:
            complain(say("serve.port", port=options.port, fault=message_of(error)))
            return 2
        await service.start(0)
    with contextlib.suppress(OutputError):  # only a second `chuhe serve` asks for it
        write_file(directory / "port", str(service.port), private=True)
    print(service.url, flush=True)
    if not options.no_browser:
        threading.Thread(target=open_page, args=(directory, service.url), daemon=True).start()
    await stopped.wait()
    await service.stop()
    return 0


def _stop_signal() -> asyncio.Event:
    """Set when the process is asked to end."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # no signal handlers on this system's loop
            loop.add_signal_handler(number, stopped.set)
    return stopped
