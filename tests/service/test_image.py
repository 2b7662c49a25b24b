"""Each CPU uses the best of the image's compiled engines that it supports.

The command also runs without them.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from worker.container_image import environment_of, levels_here

AVX2 = "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 abm avx avx2 bmi1 bmi2 f16c fma movbe"
AVX512 = f"{AVX2} avx512bw avx512cd avx512dq avx512f avx512vl"


@pytest.mark.parametrize(
    ("machine", "flags", "expected"),
    [
        ("x86_64", AVX512, ["x86-64-v4", "x86-64-v3", "x86-64-v2"]),
        ("x86_64", AVX2, ["x86-64-v3", "x86-64-v2"]),
        ("x86_64", f"{AVX2} avx512f", ["x86-64-v3", "x86-64-v2"]),
        ("x86_64", "pni", []),
        ("aarch64", "", ["generic"]),
    ],
)
def test_levels_of_processors(machine: str, flags: str, expected: list[str]) -> None:
    levels = levels_here(machine=machine, flags=frozenset(flags.split()))
    assert [level.name for level in levels] == expected


def test_the_best_available_level_is_linked(tmp_path: Path) -> None:
    level = levels_here()[-1].name
    kept = tmp_path / "compiled" / level / "digest" / "search.nbi"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"index")
    links = tmp_path / "links"
    environment = environment_of(tmp_path / "compiled", links)
    assert environment["NUMBA_CPU_NAME"] == level
    assert environment["NUMBA_CACHE_DIR"] == str(links)
    assert (links / "digest" / "search.nbi").read_bytes() == b"index"


def test_command_runs_without_compiled_engines(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-m", "worker.container_image", "run", tmp_path / "none", "echo", "here"],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "links")},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert said == "here\n"
