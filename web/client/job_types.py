"""The types of what the clients return."""

from typing import Any

Job = dict[str, Any]
ResultFields = dict[str, Any]

FINAL = ("finished", "cancelled", "failed")
