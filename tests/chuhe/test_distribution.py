"""What users get: one top-level name, beside which a project may have an `engine.py` of its own, and types."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from paths import PACKAGES, ROOT

from chuhe.engine import _core

SCRIPT = """\
import bench
import engine
import play
import chuhe

def best(fen: str) -> chuhe.Score:
    made = chuhe.Engine(chuhe.Settings(hash_mb=1))
    made.set_position(chuhe.Position(fen))
    return made.search(chuhe.Limits(depth=4)).score

print(engine.OWN, play.OWN, bench.OWN, best("3k5/9/R8/1R7/9/9/9/9/9/5K3 w"))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with modules that are named like our folders."""
    folder = tmp_path / "project"
    (folder / "play").mkdir(parents=True)
    for name in ("engine.py", "play/__init__.py", "bench.py"):
        (folder / name).write_text(f"OWN = {Path(name).stem!r}\n")
    (folder / "script.py").write_text(SCRIPT)
    return folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel without the compiled modules, which would take minutes to build."""
    out = tmp_path_factory.mktemp("wheel")
    steps = ["egg_info", "--egg-base", str(out), "build", "--build-base", str(out / "build")]
    steps += ["bdist_wheel", "--bdist-dir", str(out / "tree"), "--dist-dir", str(out)]
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", *steps],
        cwd=ROOT,
        env={**os.environ, "CHUHE_SKIP_EXTENSIONS": "1"},
        check=True,
        capture_output=True,
    )
    (made,) = out.glob("*.whl")
    return made


def run(project: Path, *command: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=project, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_project_may_have_modules_of_the_same_names(project: Path) -> None:
    assert run(project, "script.py", PYTHONPATH=str(ROOT)) == "engine __init__ bench #2\n"


def test_the_wheel_has_one_top_level_name(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"chuhe"}
    assert {"chuhe/py.typed", "chuhe/engine/_core.pyi", "chuhe/engine/data/default.net"} <= set(names)


def test_what_the_tests_have_of_the_core_is_built_in_a_checkout_only() -> None:
    def build(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "setup.py", "--quiet", "build_ext", *options]
        environment = {**os.environ, "CHUHE_ONLY": "core_inspection"}
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)

    assert build("--inplace").returncode == 0
    assert "unknown extensions: core_inspection" in build().stderr


def test_the_core_has_nothing_for_the_tests_alone() -> None:
    """Every function and class of the core is used by a module of the packages; methods are the users' interface."""
    texts = [path.read_text(encoding="utf-8") for name in PACKAGES for path in (ROOT / name).rglob("*.py")]
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    defined = {name for name, value in vars(_core).items() if getattr(value, "__module__", "") == _core.__name__}
    assert "Searcher" in defined
    assert {name for name in defined if not name.startswith("_")} - words == set()
    assert not {"consistency", "snapshot", "quiet_checks", "chased", "NetworkWalk", "use_vector_path"} & defined


@pytest.mark.parametrize("source", ["checkout", "wheel"])
def test_a_users_script_passes_mypy_strict(source: str, project: Path, wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "site-packages"
    if source == "wheel":
        zipfile.ZipFile(wheel).extractall(installed)
    else:
        installed.mkdir()
        (installed / "chuhe").symlink_to(ROOT / "chuhe")
    strict = ["-m", "mypy", "--strict", "--config-file", os.devnull, "--follow-imports", "silent"]
    run(project, *strict, "--cache-dir", str(tmp_path / "cache"), "script.py", MYPYPATH=str(installed))
    wrong = SCRIPT.replace("chuhe.Limits(depth=4)", 'chuhe.Limits(depth="4")')
    (project / "script.py").write_text(wrong)
    with pytest.raises(AssertionError, match='"Limits" has incompatible type "str"'):
        run(project, *strict, "--cache-dir", str(tmp_path / "cache"), "script.py", MYPYPATH=str(installed))


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_a_workflow_is_readable_and_names_files_that_exist(path: Path) -> None:
    """It runs elsewhere only, so a slip of the pen would be seen on the day of the release."""
    yaml = import_module("yaml")  # it comes with Dask and has no types
    text = path.read_text(encoding="utf-8")
    for job in yaml.safe_load(text)["jobs"].values():
        assert job["runs-on"]
        assert all("uses" in step or "run" in step for step in job["steps"])
    named = re.findall(r"(?:tests|release|\.ci)/[\w/.]+", text)
    assert named or "make" in text
    assert [name for name in named if not (ROOT / name).exists()] == []
    needing = [name for name in named if name.startswith("tests/") and "core_inspection" in (ROOT / name).read_text()]
    assert not needing or "CHUHE_ONLY: core_inspection" in text
