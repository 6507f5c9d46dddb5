"""How to get a library that is not installed. Chuhe is on no package index, so extras are installed from its source."""

from __future__ import annotations


def install_hint(extra: str) -> str:
    """The command that brings the libraries of an extra of pyproject.toml.

    >>> install_hint("play")
    'pip install ".[play]" in the source directory of Chuhe'
    """
    return f'pip install ".[{extra}]" in the source directory of Chuhe'
