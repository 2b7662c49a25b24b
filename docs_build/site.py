"""Build of the site in a temporary folder, so that generated pages never get into the sources."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from docs_build.boards import board_styles
from docs_build.policy import follow_policy
from docs_build.reference import fill
from docs_build.search import rank_pages

ROOT = Path(__file__).resolve().parent.parent


class BuildFailed(Exception):
    """Zensical found an error, or a link without a target; the text is its output."""


def build(output: Path) -> None:
    """Build the site and replace the folder `output` with it.

    Raises BuildFailed or Unexpected, in which case `output` is unchanged.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        _assemble(source)
        _run_zensical(source)
        follow_policy(source / "site")
        rank_pages(source / "site")
        shutil.rmtree(output, ignore_errors=True)
        shutil.copytree(source / "site", output)


def _assemble(source: Path) -> None:
    """Copy the written pages, and add the parts that are generated from the code."""
    shutil.copy(ROOT / "zensical.toml", source)
    shutil.copytree(ROOT / "docs", source / "docs")
    static, assets = ROOT / "web" / "static", source / "docs" / "assets"
    for name in ("icon.svg", "inter.woff2", "inter-license.txt"):
        shutil.copy(static / name, assets)
    styles = board_styles(
        *((static / f"{name}.css").read_text("utf-8") for name in ("theme", "style"))
    )
    with (assets / "site.css").open("a", encoding="utf-8") as file:
        file.write(styles)
    for page in (source / "docs").rglob("*.md"):
        page.write_text(fill(page.read_text("utf-8")), "utf-8")


def _run_zensical(source: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=source,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if run.returncode:
        # In strict mode, a traceback of Zensical's own follows the warnings.
        text = re.sub(r"\x1b\[[0-9;]*m", "", run.stdout)
        raise BuildFailed(text.partition("Traceback")[0].strip() or text)
