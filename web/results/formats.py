"""Names of result formats and sort orders, for commands that don't load the result writers."""

import importlib.util

RESULT_FORMATS = ("jsonl", "json", "csv", "xlsx", "parquet", "txt", "sdm", "grid")
# Lowest first; with a minus sign, highest first.
SORTS = ("rating", "-rating", "steps", "-steps")


def missing_package(name: str) -> str | None:
    """Return why a result format isn't available here, or None if it is."""
    if name != "parquet" or importlib.util.find_spec("pyarrow") is not None:
        return None
    return "parquet needs pyarrow, which isn't installed: pip install 'sudokuq[parquet]'"
