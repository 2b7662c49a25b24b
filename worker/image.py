"""Compiled engines that an image brings, for the levels of processors that are in use.

    python -m worker.image compile FOLDER          for all levels that this machine can run
    python -m worker.image run FOLDER COMMAND …    run a command with those that suit best

Numba takes no folder that it cannot write to. So `run` makes NUMBA_CACHE_DIR a folder of links.
"""

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Level:
    """A level of processors by LLVM's name for it; a processor has it that has these flags."""

    name: str
    flags: str
    features: str = ""  # what LLVM is told besides


# https://gitlab.com/x86-psABIs/x86-64-ABI, flags as Linux calls them; the best one first.
_V2 = "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3"
_V3 = f"{_V2} abm avx avx2 bmi1 bmi2 f16c fma movbe"
_V4 = f"{_V3} avx512bw avx512cd avx512dq avx512f avx512vl"
_LEVELS = {
    "x86_64": (
        # The engine for plain puzzles is made for whole registers.
        Level("x86-64-v4", _V4, features="-prefer-256-bit"),
        Level("x86-64-v3", _V3),
        Level("x86-64-v2", _V2),
    ),
}
_ANY = (Level("generic", ""),)


def levels_here(*, machine: str | None = None, flags: frozenset[str] | None = None) -> list[Level]:
    """Return the levels that a processor has, the best one first; this machine's if not said."""
    known = _LEVELS.get(machine or platform.machine(), _ANY)
    has = _flags_here() if flags is None else flags
    return [level for level in known if has.issuperset(level.flags.split())]


def compile_all(folder: Path) -> None:
    """Compile everything for each level that this machine has."""
    for level in levels_here():
        subprocess.run(
            [sys.executable, "-m", "worker.node.preparation"],
            env=os.environ | _environment(level, folder / level.name),
            check=True,
        )


def environment_of(folder: Path, links: Path) -> dict[str, str]:
    """Return what makes Numba use what `compile_all` made, linked to from another folder."""
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


def main(what: str, folder: str, *command: str) -> None:
    """Do what the module's text says."""
    if what == "compile":
        compile_all(Path(folder))
        return
    links = Path(os.environ["NUMBA_CACHE_DIR"])
    if not links.exists():
        os.environ.update(environment_of(Path(folder), links))
    os.execvp(command[0], command)  # noqa: S606 (the command of whoever started the container)


if __name__ == "__main__":
    main(*sys.argv[1:])
