"""Names of result formats and sort orders, for commands that don't load the result writers."""

RESULT_FORMATS = ("jsonl", "json", "csv", "xlsx", "txt", "sdm", "grid")
# Lowest first; with a minus sign, highest first.
SORTS = ("rating", "-rating", "steps", "-steps")
