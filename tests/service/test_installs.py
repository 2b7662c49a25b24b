"""Each extra installs all that it needs, checked in processes that find no other packages.

Commands without their extra name it. `make run` installs the service, and type checkers find the
packages of an editable installation.
"""

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from paths import ROOT
from scripted_service import service

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TINY = "12.4...2....4..1"


def declared(extra: str) -> Iterator[Requirement]:
    """Yield the project's base requirements, and those of an extra unless it is ""."""
    texts = PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
    for requirement in map(Requirement, texts):
        if requirement.name == "sudokuq":
            for other in requirement.extras:
                yield from declared(other)
        else:
            yield requirement
    if extra:
        yield from declared("")


def installed(requirements: Iterator[Requirement]) -> set[Path]:
    """Return the top-level files and folders of distributions and of all their dependencies."""
    seen: set[tuple[str, frozenset[str]]] = set()
    files: set[Path] = set()
    waiting = [(each.name, each.extras) for each in requirements if _applies(each, set())]
    while waiting:
        name, extras = waiting.pop()
        if (canonicalize_name(name), frozenset(extras)) in seen:
            continue
        seen.add((canonicalize_name(name), frozenset(extras)))
        entry = distribution(name)
        others = [Requirement(text) for text in entry.requires or ()]
        waiting += [(other.name, other.extras) for other in others if _applies(other, extras)]
        tops = {file.parts[0] for file in entry.files or ()} - {"..", "__pycache__"}
        files |= {Path(str(entry.locate_file(top))) for top in tops}
    return files


def _applies(requirement: Requirement, extras: set[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras | {""})


def run(
    folder: Path, extra: str, code: str, *arguments: str, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run code in a process that finds only the project and the packages of an extra."""
    packages = folder / (extra or "base")
    if not packages.exists():
        packages.mkdir()
        for path in installed(declared(extra)):
            (packages / path.name).symlink_to(path)
    start = f"import sys; sys.path += [{str(ROOT)!r}, {str(packages)!r}]; "
    return subprocess.run(
        [sys.executable, "-S", "-P", "-c", start + code, *arguments],
        env=os.environ | {"PYTHONPATH": ""} | more, capture_output=True, text=True, check=False,
    )  # fmt: skip


def sudokuq(
    folder: Path, extra: str, *arguments: str, **more: str
) -> subprocess.CompletedProcess[str]:
    code = "from web.commands.cli import main; main(prog_name='sudokuq')"
    return run(folder, extra, code, *arguments, **more)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("packages")


HEAVY = ("numpy", "numba", "msgspec", "flask", "celery", "redis")


@pytest.mark.parametrize(
    ("extra", "missing"),
    [("", HEAVY), ("solver", ("flask", "celery", "redis", "gunicorn")), ("service", ("pytest",))],
)
def test_an_extra_does_not_install_the_next_one(
    folder: Path, extra: str, missing: tuple[str, ...]
) -> None:
    code = f"import importlib.util as u; print(*filter(u.find_spec, {missing!r}))"
    assert run(folder, extra, code).stdout == "\n"


def test_remote_commands_work_with_the_base_install_alone(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "tiny.txt"
    file.write_text(TINY)
    with service(iter(["running", "finished", "running", "finished"])) as url:
        sent = sudokuq(folder, "", "submit", str(file), "--wait", "--rate", "--url", url)
        assert (sent.returncode, sent.stdout.splitlines()[0]) == (0, "job       j"), sent.stderr
        shown = sudokuq(folder, "", "status", "j", SUDOKUQ_URL=url)
        assert "state     running" in shown.stdout
        assert sudokuq(folder, "", "watch", "j", SUDOKUQ_URL=url).returncode == 0
    for command in ("submit", "status", "watch", "results", "cancel", "completion"):
        said = sudokuq(folder, "", command, "--help")
        assert said.returncode == 0, said.stderr


@pytest.mark.parametrize(
    ("command", "extra"),
    [(["solve", TINY], "solver"), (["explain", TINY], "solver"), (["candidates", TINY], "solver"),
     (["generate", "--count", "2"], "solver"),
     (["bench"], "solver"), (["prepare"], "solver"), (["mcp"], "mcp"),
     (["up", "--port", "1"], "service"), (["web"], "service"), (["worker"], "service")],
)  # fmt: skip
def test_a_command_without_its_extra_names_it(folder: Path, command: list[str], extra: str) -> None:
    bare = "" if extra == "solver" else "solver"
    said = sudokuq(folder, bare, *command, REDIS_URL="redis://127.0.0.1:1")
    assert said.returncode == 2
    assert said.stdout == ""
    assert said.stderr.startswith(f"sudokuq: {command[0]} needs ")
    assert said.stderr.endswith(
        f"installed: run pip install '.[{extra}]' in the project's folder\n"
    )


@pytest.mark.parametrize(
    "command", ["solve", "explain", "candidates", "report", "generate", "bench", "prepare"]
)
def test_commands_for_this_machine_need_no_more_than_the_engines(
    folder: Path, command: str
) -> None:
    said = sudokuq(folder, "solver", command, "--help")
    assert said.returncode == 0, said.stderr


def test_the_help_lists_commands_that_are_not_installed(folder: Path) -> None:
    said = sudokuq(folder, "", "--help")
    assert said.returncode == 0
    assert "solve" in said.stdout
    assert "(not available: run pip install '.[solver]')" in said.stdout


def test_make_run_installs_the_service_before_it_starts(tmp_path: Path) -> None:
    missing = f"VENV={tmp_path / 'none'}"
    shown = subprocess.run(
        ["make", "--dry-run", "run", missing], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = [line for line in shown.stdout.splitlines() if "install " in line or " up" in line]
    assert "--editable '.[service,parquet,pdf]'" in lines[-2]
    assert lines[-1].endswith("sudokuq up --sample")


def test_type_checkers_find_the_packages_of_an_editable_install(tmp_path: Path) -> None:
    """Type checkers follow a path in a .pth file, but not the import hooks of setuptools."""
    project = tmp_path / "project"
    for package in ("solver", "sudokuq", "web", "worker"):
        (project / package).mkdir(parents=True)
        (project / package / "__init__.py").touch()
        assert (ROOT / package / "py.typed").exists()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, project)
    build = "from setuptools.build_meta import build_editable; build_editable('..')"
    subprocess.run([sys.executable, "-c", build], cwd=project, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith((".pth", ".py")))
        assert archive.read(name).decode().strip() == str(project)


def test_local_commands_need_no_service(folder: Path) -> None:
    for command in (["solve", TINY], ["explain", TINY], ["candidates", TINY, "--bound", "2"]):
        done = sudokuq(folder, "solver", *command)
        assert done.returncode == 0, done.stderr


def test_the_service_needs_nothing_but_its_extra(folder: Path) -> None:
    modules = "web.app, web.commands.supervisor, worker.process.celery_worker"
    done = run(folder, "service", f"import {modules}")
    assert done.returncode == 0, done.stderr
