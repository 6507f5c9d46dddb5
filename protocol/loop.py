"""Lines from stdin to the session, lines from the session to stdout."""

from __future__ import annotations

import os
import sys
import threading
import time

from chuhe.protocol.log import DialogueLog
from chuhe.protocol.programs import decoded_line
from chuhe.protocol.session import Input, Session

END_SECONDS = 0.2  # how soon after its other lines a script ends: `quit`, and a closed pipe


class Output:
    """Writes lines to stdout at once. Exits when stdout is closed."""

    def __init__(self, log: DialogueLog, descriptor: int = 1) -> None:
        self._log = log
        self._descriptor = descriptor

    def write(self, text: str) -> None:
        data = (text + "\n").encode("utf-8", "replace")
        for line in text.split("\n"):
            self._log.note("<", line)
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:
            self._log.note("#", "stdout is closed")
            self._log.close()
            os._exit(0)


def converse(session: Session, log: DialogueLog) -> None:
    """Run the session until it quits or the input ends."""
    thread = threading.Thread(target=session.run, daemon=True)
    thread.start()
    try:
        read_lines(session, log, thread)
    except KeyboardInterrupt:
        session.events.put("quit")
    thread.join()


def read_lines(session: Session, log: DialogueLog, thread: threading.Thread) -> None:
    """Pass lines on to the session's thread until it quits or the input ends. An unreadable input counts as ended."""
    asked = time.monotonic()
    while raw := _read_line(log):
        at_once = time.monotonic() - asked < END_SECONDS
        line = decoded_line(raw).strip()
        log.note(">", line)
        if line == "quit" and at_once:  # perhaps the last line of a script, not an impatient user
            session.events.put(Input.LAST)
            thread.join(END_SECONDS)
            if not thread.is_alive() or _input_has_ended():
                break
        session.events.put(line)
        if line == "quit":
            return
        asked = time.monotonic()
    session.events.put(Input.END)


def _input_has_ended() -> bool:
    """Does the end of the input follow soon? A GUI keeps its pipe open."""
    import select

    try:
        return bool(select.select([sys.stdin], [], [], END_SECONDS)[0]) and not sys.stdin.buffer.peek(1)  # type: ignore[union-attr]
    except (OSError, ValueError):  # Windows can only wait for sockets
        return False


def _read_line(log: DialogueLog) -> bytes:
    if sys.stdin is None:  # closed by the parent process
        return b""
    try:
        return sys.stdin.buffer.readline()
    except OSError as error:
        log.note("#", f"stdin cannot be read: {error.strerror or error}")
        return b""
