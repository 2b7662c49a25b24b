"""Folders that tests read."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
PUBLIC = ROOT.parent / "shared" / "data"
