"""How long a fresh clone takes from `make run` to its first answers, and until all is compiled.

    python benchmarks/start.py [--python PROGRAM]

Clones the last commit into a temporary folder, installs it there as `make run` does, and starts
the service twice, on folders for data and compiled code of its own. PROGRAM is a Python that has
the dependencies already: then nothing is installed. Prints a table for docs/performance.md.
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
    """Return the environment of a service that shares nothing with others."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    own = {"SUDOKUQ_DATA": str(folder / "data"), "PORT": "0", "REDIS_URL": ""}
    return kept | own | {"PYTHONPATH": str(clone)}


def start(python: str, folder: Path, clone: Path, *, wait: str) -> list[tuple[str, float]]:
    """Start the service, stop it after it has said `wait`; return what was when, in seconds."""
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
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="an environment that has the dependencies")
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
