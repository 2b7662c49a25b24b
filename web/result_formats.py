"""Names of result formats and sort orders, for commands that don't load what writes results."""

RESULT_FORMATS = ("jsonl", "json", "csv", "xlsx", "txt", "sdm", "grid")
# Lowest first; with a minus, highest first.
SORTS = ("rating", "-rating", "steps", "-steps")
