"""Measure how long a fresh clone takes from `make run` to its first results.

    python benchmarks/start.py [--python PROGRAM]

Clones the last commit into a temporary folder, and installs it there as `make run` does. Then
starts the service twice, with separate folders for data and compiled code. The first start is
measured until all code is compiled. PROGRAM is a Python interpreter that has the dependencies
already, in which case nothing is installed. Prints a table for benchmarks/results/performance.md.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOMENTS = {"web ": "the web answers", "sample ": "the sample is solved"}
COMPILED = "compiling is done"


def environment_of(folder: Path, clone: Path) -> dict[str, str]:
    """Return the environment for a service that shares nothing with other ones.

    `folder` is where it stores its data, and `clone` is the folder of its code.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    own = {"SUDOKUQ_DATA": str(folder / "data"), "PORT": "0", "REDIS_URL": ""}
    return kept | own | {"PYTHONPATH": str(clone)}


def start(python: str, folder: Path, clone: Path, *, wait: str) -> list[tuple[str, float]]:
    """Start the service, and stop it after it prints a line that begins with `wait`.

    `folder` and `clone` are as in `environment_of`. Returns the events until then, each with its
    time in seconds since the start. Exits with a message if the service ends before that.
    """
    began = time.monotonic()
    process = subprocess.Popen(
        [python, "-m", "web.commands.cli", "up", "--sample"],
        cwd=clone, env=environment_of(folder, clone), stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    moments = []
    try:
        for line in process.stderr or ():
            passed = time.monotonic() - began
            moments += [(text, passed) for head, text in MOMENTS.items() if line.startswith(head)]
            if line.startswith("compiling"):
                moments.append((line.strip(), passed))
            if line.startswith(wait):
                return moments
    finally:
        process.terminate()
        process.wait()
    raise SystemExit(f"the service ended with {process.returncode}")


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="Python interpreter that has the dependencies")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clone = folder / "sudokuq"
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, clone], check=True)
        python = options.python
        rows = []
        if python is None:
            began = time.monotonic()
            make = ["make", "--silent", f"PYTHON={sys.executable}", ".venv/installed"]
            subprocess.run(make, cwd=clone, check=True)
            rows.append(("installation", time.monotonic() - began))
            python = str(clone / ".venv" / "bin" / "python")
        rows += [(f"first: {text}", passed) for text, passed in start(
            python, folder, clone, wait=COMPILED
        )]  # fmt: skip
        rows += [(f"second: {text}", passed) for text, passed in start(
            python, folder, clone, wait="sample "
        )]  # fmt: skip
    print("| | seconds |\n|---|--:|")
    for text, seconds in rows:
        print(f"| {text} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
