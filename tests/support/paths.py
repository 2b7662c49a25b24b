"""Folders that tests read: the project, the tests' data, and shared data outside the project."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
PUBLIC = ROOT.parent / "shared" / "data"
