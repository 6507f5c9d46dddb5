"""A session that is spoken to from the test's own thread."""

from __future__ import annotations

from chuhe.protocol.session import Session


def say(session: Session, *lines: str) -> bool:
    """Handle lines as the session's thread would; after `stop`, also the answer. False after `quit`."""
    went_on = True
    for line in lines:
        went_on = session.handle(line)
        while session.search is not None and session.search.ending:
            session.handle(session.events.get())
    return went_on


def hear(session: Session) -> None:
    """Handle what searches have said so far."""
    while not session.events.empty():
        session.handle(session.events.get())
