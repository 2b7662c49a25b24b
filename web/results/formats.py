"""List the formats, sort orders, and limits of results.

Modules that use these lists needn't load the result writers.
"""

import importlib.util

RESULT_FORMATS = ("jsonl", "json", "csv", "xlsx", "parquet", "txt", "sdm", "grid")
# Formats that draw the boards, in addition to those of all other results.
DRAWN_FORMATS = ("svg", "png", "pdf")
# The possible contents of pictures, and the limits and default of their width in pixels.
SHOWN = ("puzzle", "solution", "candidates")
MIN_PIXELS, MAX_PIXELS, USUAL_PIXELS = 50, 4_000, 540
# Lowest first; with a minus sign, highest first.
SORTS = ("rating", "-rating", "sudokuq_rating", "-sudokuq_rating", "steps", "-steps")
# Values of the filter for duplicates.
DUPLICATES = ("only", "without")
# Duplicates of larger jobs are found only on request, because that takes a while.
MAX_COMPARED = 100_000
MAX_SEARCH_LENGTH = 200
MAX_NUMBERS = 10_000  # in the filter by number
NUMBERS_PATTERN = "^[1-9][0-9]{0,9}(-[1-9][0-9]{0,9})?(,[1-9][0-9]{0,9}(-[1-9][0-9]{0,9})?)*$"
# Datasets: their formats, and the largest values and the pattern of their parameters.
DATASET_FORMATS = ("jsonl", "json", "csv", "xlsx", "parquet")
MAX_COPIES = 100
MAX_SEED = 2**53 - 1  # JavaScript's largest exact integer
SPLIT_PATTERN = "^[1-9][0-9]{0,5}(:[1-9][0-9]{0,5}){1,2}$"


# The formats that need an extra: the module, the package, and the extra that installs it.
_EXTRAS = {
    "parquet": ("pyarrow", "pyarrow", "parquet"),
    "pdf": ("reportlab", "reportlab", "pdf"),
    "png": ("reportlab", "reportlab", "pdf"),
}


def missing_package(name: str) -> str | None:
    """Return why a result format isn't available here, or None if it is."""
    module, package, extra = _EXTRAS.get(name, ("", "", ""))
    if not module or importlib.util.find_spec(module) is not None:
        return None
    install = f"run pip install '.[{extra}]' in the project's folder"
    return f"{name} needs {package}, which isn't installed: {install}"
