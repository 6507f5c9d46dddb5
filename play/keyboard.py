"""Single keys from the terminal, and the terminal's control sequences: what differs between Windows and the others."""

from __future__ import annotations

import os
import sys
import time

POLL = 0.02  # seconds between two looks at the keyboard on Windows, which cannot wait for it
SPECIAL = ("\0", "\xe0")  # on Windows, function and arrow keys arrive as one of these and a second character

if sys.platform == "win32":
    import msvcrt

    def read_key(seconds: float | None = None) -> str:
        """The key pressed within the time (None: wait for ever); empty if there is none."""
        end = None if seconds is None else time.perf_counter() + seconds
        while not msvcrt.kbhit():
            if end is not None and time.perf_counter() >= end:
                return ""
            time.sleep(POLL)
        key = msvcrt.getwch()
        if key == "\x03":
            raise KeyboardInterrupt
        return key + msvcrt.getwch() if key in SPECIAL else key

    def allow_control_sequences() -> bool:
        """Let the console interpret colours and cursor movements; False if it cannot."""
        import ctypes

        kernel, mode = ctypes.windll.kernel32, ctypes.c_ulong()
        output = ctypes.c_void_p(kernel.GetStdHandle(-11))
        enabled = 0x4  # ENABLE_VIRTUAL_TERMINAL_PROCESSING
        return bool(
            kernel.GetConsoleMode(output, ctypes.byref(mode)) and kernel.SetConsoleMode(output, mode.value | enabled)
        )

else:
    import select
    import termios
    import tty

    def read_key(seconds: float | None = None) -> str:
        """The key pressed within the time (None: wait for ever); empty if there is none."""
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor)  # keys arrive one by one and are not shown
            ready, _, _ = select.select([descriptor], [], [], seconds)
            return os.read(descriptor, 1024).decode(errors="replace") if ready else ""
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    def allow_control_sequences() -> bool:
        """Let the terminal interpret colours and cursor movements; every terminal of these systems does."""
        return True
