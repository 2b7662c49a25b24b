"""Formats, sort orders, and limits of results, for modules that don't load the result writers."""

import importlib.util

RESULT_FORMATS = ("jsonl", "json", "csv", "xlsx", "parquet", "txt", "sdm", "grid")
# Lowest first; with a minus sign, highest first.
SORTS = ("rating", "-rating", "steps", "-steps")
# Values of the filter for duplicates.
DUPLICATES = ("only", "without")
MAX_SEARCH_LENGTH = 200
MAX_NUMBERS = 10_000  # in the filter by number
NUMBERS_PATTERN = "^[1-9][0-9]{0,9}(-[1-9][0-9]{0,9})?(,[1-9][0-9]{0,9}(-[1-9][0-9]{0,9})?)*$"
# Datasets: their formats, and the largest values and the pattern of their parameters.
DATASET_FORMATS = ("jsonl", "json", "csv", "xlsx", "parquet")
MAX_COPIES = 100
MAX_SEED = 2**53 - 1  # JavaScript's largest exact integer
SPLIT_PATTERN = "^[1-9][0-9]{0,5}(:[1-9][0-9]{0,5}){1,2}$"


def missing_package(name: str) -> str | None:
    """Return why a result format isn't available here, or None if it is."""
    if name != "parquet" or importlib.util.find_spec("pyarrow") is not None:
        return None
    return "parquet needs pyarrow, which isn't installed: pip install 'sudokuq[parquet]'"
