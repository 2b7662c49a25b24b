"""Build of the site in a temporary folder, so that generated pages never get into the sources."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from docs_build.policy import follow_policy
from docs_build.reference import PAGES

ROOT = Path(__file__).resolve().parent.parent


class BuildFailed(Exception):
    """Zensical found an error, or a link without a target; the text is its output."""


def build(output: Path) -> None:
    """Build the site and replace the folder `output` with it. Raises BuildFailed."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        _assemble(source)
        _run_zensical(source)
        follow_policy(source / "site")
        shutil.rmtree(output, ignore_errors=True)
        shutil.copytree(source / "site", output)


def _assemble(source: Path) -> None:
    """Copy the written pages, and add the generated ones."""
    shutil.copy(ROOT / "zensical.toml", source)
    shutil.copytree(ROOT / "docs", source / "docs")
    shutil.copy(ROOT / "web" / "static" / "icon.svg", source / "docs" / "assets")
    for name, write in PAGES.items():
        page = source / "docs" / "reference" / f"{name}.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text(write(), "utf-8")


def _run_zensical(source: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=source,
        env=os.environ | {"NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if run.returncode:
        # In strict mode, a traceback of Zensical's own follows the warnings.
        raise BuildFailed(run.stdout.partition("Traceback")[0].strip() or run.stdout)
