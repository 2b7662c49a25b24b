"""Types of the jobs and results that the clients return as dictionaries, and final job states."""

from typing import Any

Job = dict[str, Any]
ResultFields = dict[str, Any]

FINAL = ("finished", "cancelled", "failed")
