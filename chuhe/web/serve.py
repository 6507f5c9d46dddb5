"""`chuhe serve`: starts the server on this machine and opens the browser."""

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

from chuhe.common.command_line import Parser, add_book_options, add_resource_options, fault_text, whole_number
from chuhe.common.extras import have, needs
from chuhe.files.directories import user_directory
from chuhe.files.reading import read_input
from chuhe.files.writing import OutputError, lock_file, write_file
from chuhe.protocol.programs import find_program, split_command
from chuhe.text.message import LANGUAGES, Language, message_of, printable
from chuhe.text.system_language import Speaker, take_language

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


def parser(language: Language = "en") -> Parser:
    say = Speaker(language)
    result = Parser(prog="chuhe serve", description=say("serve-help.description"), language=language)
    result.add_argument("--port", type=whole_number(0, 65535, language), help=say("serve-help.port", default=PORT))
    result.add_argument("--no-browser", action="store_true", help=say("serve-help.no-browser"))
    result.add_argument("--engine", action="append", default=[], metavar="COMMAND", help=say("serve-help.engine"))
    result.add_argument("--match", type=Path, metavar="DIR", help=say("serve-help.match"))
    add_book_options(result, say)
    add_resource_options(result, say)
    result.add_argument("--data", type=Path, metavar="DIR", help=say("serve-help.data"))
    result.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    return result


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


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    top, say = parser(language), Speaker(language)
    options = top.parse_args(arguments)
    if not have("tornado"):
        print(needs("chuhe serve", "tornado"), file=sys.stderr)
        return 2
    for command in options.engine:
        words = split_command(command)
        if not words or find_program(words[0]) is None:
            _complain(say("serve.no-program", command=command))
            return 2
    if options.match is not None and not options.match.is_dir():
        _complain(say("serve.no-match", path=str(options.match)))
        return 2
    directory = options.data or Path(user_directory("data"))
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        token = keep_token(directory)
        lock = take_lock(directory)
    except (OSError, OutputError) as error:
        _complain(fault_text(error, language))
        return 2
    if lock is None:
        ignored = [name for name in SERVER_OPTIONS if getattr(options, name) != top.get_default(name)]
        return _already_running(directory, token, options.no_browser, ignored, say)
    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(_serve(options, directory, token, say))
    return 0


def _complain(fault: str) -> None:
    print(f"chuhe serve: {printable(fault)}", file=sys.stderr)


def _already_running(directory: Path, token: str, quiet: bool, ignored: list[str], say: Speaker) -> int:
    """Another server is using the games: shows its address instead."""
    try:
        port = int(read_input(directory / "port"))
    except (OSError, ValueError):
        _complain(say("serve.in-use", path=str(directory)))
        return 2
    url = f"http://127.0.0.1:{port}/#{token}"
    print(url, flush=True)
    print(say("serve.running"), file=sys.stderr)
    if ignored:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in ignored)
        print(say("serve.ignored", options=names), file=sys.stderr)
    if not quiet:
        webbrowser.open(url)
    return 0


async def _serve(options: argparse.Namespace, directory: Path, token: str, say: Speaker) -> int:
    from chuhe.engine import Settings
    from chuhe.engine.errors import LimitError
    from chuhe.records.books.book import BookError, BookFiles, Library
    from chuhe.web.server import MAX_HASH_MB, Service

    try:
        book = Library(BookFiles(options.book, options.red_book, options.black_book))
        settings = Settings(hash_mb=options.hash, threads=options.threads)
        service = Service(
            directory, token, settings, book, tuple(options.engine), options.match,
            max_hash=max(MAX_HASH_MB, options.hash),
        )  # fmt: skip
    except (BookError, LimitError, ValueError) as error:
        _complain(fault_text(error, say.language))
        return 2
    stopped = _stop_signal()  # before the address is printed
    try:
        await service.start(PORT if options.port is None else options.port)
    except OSError as error:
        if options.port is not None:
            _complain(say("serve.port", port=options.port, fault=message_of(error)))
            return 2
        await service.start(0)
    with contextlib.suppress(OutputError):  # only a second `chuhe serve` asks for it
        write_file(directory / "port", str(service.port))
    print(service.url, flush=True)
    if not options.no_browser:
        threading.Thread(target=webbrowser.open, args=(service.url,), daemon=True).start()
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
