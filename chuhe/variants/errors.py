"""Errors that the other games share."""

from __future__ import annotations


class BoardError(ValueError):
    """A board of draughts or Squatter as text that cannot be read; the text says where, and what was expected."""
