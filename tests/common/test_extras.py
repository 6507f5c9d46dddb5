"""After a small installation: every command works, shows its help, or names in one line what makes it work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from waiting import PATIENCE

from chuhe.cli import COMMANDS
from chuhe.common.extras import EXTRAS, explain_missing, have, install_hint, mended, needs, requirements

LIBRARIES = [*EXTRAS, "pyffish"]
EXTENSIONS = [
    "chuhe.engine._endgame",
    "chuhe.bench.learning._trainer",
    *(f"chuhe.variants.{name}._{name}" for name in ("search", "chess", "draughts", "squatter")),
]
# only the core is compiled and no library is installed: the least that `make play` leaves
SCRIPT = """
import sys
for name in sys.argv.pop(1).split():
    sys.modules[name] = None
from chuhe.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(missing: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """`chuhe` where these modules cannot be imported."""
    command = [sys.executable, "-c", SCRIPT, " ".join(missing), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_its_help_or_says_what_it_needs(command: str) -> None:
    ended = run([*LIBRARIES, *EXTENSIONS], command, "--help")
    if command in ("endgame", "draughts", "squatter"):
        assert ended.returncode == 2
        assert ended.stderr.startswith(f"chuhe {command} needs chuhe.")
        assert ended.stderr.endswith("which is not compiled: make build, in the source directory of Chuhe\n")
        assert ended.stderr.count("\n") == 1
    else:
        assert (ended.returncode, ended.stderr) == (0, "")
        assert ended.stdout.startswith("usage:")


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (("train", "a.games", "--output", "a.net"), "chuhe train needs numpy: "),
        (("tune", "eval", "a.games"), "chuhe tune needs numpy: "),
        (("data", "a.games"), "chuhe data needs numpy: "),
        (("serve",), "chuhe serve needs tornado: "),
        (("--variant", "chess"), "the game of chess needs chess: "),
        (("play", "--variant", "chess"), "the game of chess needs chess: "),
    ],
)
def test_one_line_names_the_library_and_the_command(arguments: tuple[str, ...], needed: str) -> None:
    ended = run(LIBRARIES, *arguments)
    assert ended.returncode == 2
    assert f"{needed}{install_hint('play').split(' -m ')[0]} -m pip install " in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [("--variant", "chess"), *(("play", "--variant", game) for game in ("chess", "draughts", "squatter"))]
)
def test_one_line_names_what_is_not_compiled(arguments: tuple[str, ...]) -> None:
    ended = run(EXTENSIONS, *arguments)
    assert ended.returncode == 2
    assert ended.stderr.endswith("which is not compiled: make build, in the source directory of Chuhe\n")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(("stamps", "installs"), [([".game"], True), ([".game", ".installed"], False), ([], False)])
def test_only_an_environment_of_our_own_is_installed_into(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    stamps: list[str],
    installs: bool,
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setitem(sys.modules, "tornado", None)
    for stamp in stamps:
        (tmp_path / stamp).touch()
    begun: list[list[str]] = []

    def pip(command: list[str], **settings: object) -> subprocess.CompletedProcess[bytes]:
        begun.append(command)
        monkeypatch.delitem(sys.modules, "tornado")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", pip)
    assert mended(ModuleNotFoundError("no", name="tornado.web")) is installs
    assert have("tornado") is installs
    assert [command[:4] for command in begun] == [[sys.executable, "-m", "pip", "install"]] * installs
    assert capsys.readouterr().err.count("chuhe: installing tornado>=") == installs


def test_without_a_network_the_command_says_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setitem(sys.modules, "tornado", None)
    (tmp_path / ".game").touch()
    monkeypatch.setattr(subprocess, "run", lambda command, **settings: subprocess.CompletedProcess(command, 1))
    assert not have("tornado")


def test_the_command_names_the_libraries_of_pyproject() -> None:
    assert [requirement.split(">")[0] for requirement in requirements("tune")] == ["numpy", "scipy", "tqdm"]
    assert install_hint("web").strip('"').startswith(sys.executable)
    if sys.version_info >= (3, 11):
        assert "tomli" not in install_hint("match")
    for library in EXTRAS:
        assert needs("this", library).startswith(f"this needs {library}: ")


def test_a_packed_program_cannot_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert needs("chuhe train", "numpy") == "chuhe train needs numpy: this packed Chuhe does not have it"


def test_other_faults_are_not_hidden() -> None:
    assert explain_missing("chuhe", ImportError("cannot import name", name="chuhe.engine.values")) is None
    assert explain_missing("chuhe", ModuleNotFoundError("no", name="json")) is None
