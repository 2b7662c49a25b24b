"""Precompile the engines for a container image, for several CPU feature levels.

    python -m worker.container_image compile FOLDER LEVEL …

        Compile the engines for the given levels, such as x86-64-v3. Levels that this machine
        doesn't support are skipped. If no level is given, all supported ones are compiled.

    python -m worker.container_image run FOLDER COMMAND …

        Run a command with the code for the best level that this machine supports.

FOLDER contains a folder of compiled code for each level. The user of the container may be unable to
write to it, and Numba doesn't use a cache folder to which it can't write. So `run` creates a folder
with links to the files of the best level, and Numba uses this folder. Its path is in
NUMBA_CACHE_DIR. If it exists already, or if FOLDER has no level that this machine supports, `run`
only runs the command.
"""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Level:
    """A CPU feature level with its LLVM name. A CPU supports it if it has all of the flags.

    `flags` are Linux's names of CPU flags, separated by spaces. `features` are additional features
    for LLVM.
    """

    name: str
    flags: str
    features: str = ""  # additional features for LLVM


# https://gitlab.com/x86-psABIs/x86-64-ABI, with the names that Linux uses for flags, best level
# first.
_V2 = "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3"
_V3 = f"{_V2} abm avx avx2 bmi1 bmi2 f16c fma movbe"
_V4 = f"{_V3} avx512bw avx512cd avx512dq avx512f avx512vl"
_LEVELS = {
    "x86_64": (
        # The engine for classic puzzles uses full-width registers.
        Level("x86-64-v4", _V4, features="-prefer-256-bit"),
        Level("x86-64-v3", _V3),
        Level("x86-64-v2", _V2),
    ),
}
_ANY = (Level("generic", ""),)


def levels_here(*, machine: str | None = None, flags: frozenset[str] | None = None) -> list[Level]:
    """Return the levels that a CPU supports, best first. Except on x86_64, there is one level.

    `machine` is the architecture, such as "x86_64", and `flags` are the CPU's flags. By default,
    they are those of this machine.
    """
    known = _LEVELS.get(machine or platform.machine(), _ANY)
    has = _flags_here() if flags is None else flags
    return [level for level in known if has.issuperset(level.flags.split())]


def compile_all(folder: Path, names: Sequence[str]) -> None:
    """Compile everything for each level that this machine supports.

    The code of a level is stored in a folder with its name inside `folder`. If `names` contains
    names of levels, only these are compiled. Raises subprocess.CalledProcessError if that fails.
    """
    for level in levels_here():
        if names and level.name not in names:
            continue
        subprocess.run(
            [sys.executable, "-m", "worker.process.compilation"],
            env=os.environ | _environment(level, folder / level.name),
            check=True,
        )


def environment_of(folder: Path, links: Path) -> dict[str, str]:
    """Return environment variables that make Numba use the best level of precompiled code.

    `folder` contains a folder for each level. Numba needs a folder to which it can write, so
    `links` is filled with links to the files of the best level. Returns {} and creates nothing if
    `folder` has no level that this machine supports.
    """
    for level in levels_here():
        if (folder / level.name).is_dir():
            shutil.copytree(
                folder / level.name, links, copy_function=os.symlink, dirs_exist_ok=True
            )
            return _environment(level, links)
    return {}


def _environment(level: Level, folder: Path) -> dict[str, str]:
    return {
        "NUMBA_CPU_NAME": level.name,
        "NUMBA_CPU_FEATURES": level.features,
        "NUMBA_CACHE_DIR": str(folder),
    }


def _flags_here() -> frozenset[str]:
    known = Path("/proc/cpuinfo")
    for line in known.read_text().splitlines() if known.exists() else ():
        name, _, flags = line.partition(":")
        if name.strip() == "flags":
            return frozenset(flags.split())
    return frozenset()


def main(action: str, folder: str, *command: str) -> None:
    """Compile the engines if `action` is "compile", or run a command with them if it is "run".

    `folder` is the folder with the precompiled code. `command` contains the levels to compile, or
    the command line to run, which replaces this process.

    Before a command runs, the folder in NUMBA_CACHE_DIR is filled with links to the code. If this
    folder exists already, the environment isn't changed.
    """
    if action == "compile":
        compile_all(Path(folder), command)
        return
    links = Path(os.environ["NUMBA_CACHE_DIR"])
    if not links.exists():
        os.environ.update(environment_of(Path(folder), links))
    os.execvp(command[0], command)  # noqa: S606 (the command of whoever started the container)


if __name__ == "__main__":
    main(*sys.argv[1:])
