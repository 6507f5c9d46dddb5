"""What is missing here, and the command that brings it: libraries of an extra, and extensions that are not compiled."""

from __future__ import annotations

import os
import re
import sys
from importlib import invalidate_caches
from importlib.util import find_spec

# library, as it is imported: the extra of pyproject.toml that has it
EXTRAS = {
    "chess": "chess", "cryptography": "cluster", "dask": "cluster", "distributed": "cluster",
    "matplotlib": "match", "numpy": "tune", "PIL.Image": "pictures", "prompt_toolkit": "play", "pyarrow": "table",
    "resvg_py": "pictures", "scipy": "tune",
    "tomli": "match", "tornado": "web", "tqdm": "match",
}  # fmt: skip


def have(library: str) -> bool:
    """Whether a library can be imported; where a command may install what it needs, this installs its extra first."""
    if find_spec(library) is not None:
        return True
    if not may_install():
        return False
    import subprocess

    wanted = requirements(EXTRAS[library])
    print(f"chuhe: installing {', '.join(wanted)} (once) …", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--retries=1", *wanted]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    invalidate_caches()
    return ended.returncode == 0


def mended(error: ImportError) -> bool:
    """Whether a failed import may be tried again, since its library was missing and is now installed."""
    library = (error.name or "").split(".")[0]
    return library in EXTRAS and find_spec(library) is None and have(library)


def may_install() -> bool:
    """Only in the environment that `make play` has made for Chuhe alone. A development install has every extra."""
    game, development = (os.path.exists(os.path.join(sys.prefix, stamp)) for stamp in (".game", ".installed"))
    return game and not development


def needs(what: str, library: str) -> str:
    """The sentence for a library that is missing, with the command that installs it into this environment."""
    return f"{what} needs {library}: {install_hint(EXTRAS[library])}"


def install_hint(extra: str) -> str:
    """The command that brings the libraries of an extra."""
    if getattr(sys, "frozen", False):
        return "this packed Chuhe does not have it"
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return " ".join([python, "-m pip install", *(f'"{requirement}"' for requirement in requirements(extra))])


def requirements(extra: str) -> list[str]:
    """The libraries of an extra that this Python needs, as pyproject.toml lists them."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        listed = requires("chuhe") or []
    except PackageNotFoundError:  # neither installed nor linked: the names alone
        return [library for library, its_extra in EXTRAS.items() if its_extra == extra and library != "tomli"]
    found = []
    for line in listed:
        requirement, _, condition = line.partition(";")
        older = re.search(r"python_version < ['\"]3\.(\d+)", condition)
        outdated = older is not None and sys.version_info[1] >= int(older[1])
        if re.search(rf"extra == ['\"]{extra}['\"]", condition) and not outdated:
            found.append(requirement.strip())
    return found


def explain_missing(what: str, error: ImportError) -> str | None:
    """The sentence for an import that failed; None if it is not one of those that a user can mend."""
    name = error.name or ""
    if re.fullmatch(r"chuhe(\.\w+)*\._\w+", name):
        return f"{what} needs {name}, which is not compiled: make build, in the source directory of Chuhe"
    library = name.split(".")[0]
    return needs(what, library) if library in EXTRAS else None
