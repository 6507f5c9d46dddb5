"""`chuhe serve`: starts the server on this machine and opens the browser."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path

from chuhe.common.command_line import Parser, add_book_options, add_resource_options, fault_text, whole_number
from chuhe.common.extras import have, needs
from chuhe.files.directories import user_directory
from chuhe.files.writing import OutputError
from chuhe.protocol.programs import find_program, split_command
from chuhe.text.message import LANGUAGES, Language
from chuhe.text.system_language import Speaker, take_language
from chuhe.web.serve import PORT, SERVER_OPTIONS, already_running, complain, keep_token, serve, take_lock


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
            complain(say("serve.no-program", command=command))
            return 2
    if options.match is not None and not options.match.is_dir():
        complain(say("serve.no-match", path=str(options.match)))
        return 2
    directory = options.data or Path(user_directory("data"))
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        token = keep_token(directory)
        lock = take_lock(directory)
    except (OSError, OutputError) as error:
        complain(fault_text(error, language))
        return 2
    if lock is None:
        ignored = [name for name in SERVER_OPTIONS if getattr(options, name) != top.get_default(name)]
        return already_running(directory, token, options.no_browser, ignored, say)
    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(serve(options, directory, token, say))
    return 0
