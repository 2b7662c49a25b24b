"""Types of the jobs and results that the clients return, and the final states of jobs."""

from typing import Any

Job = dict[str, Any]
ResultFields = dict[str, Any]

FINAL = ("finished", "cancelled", "failed")
