"""Translate error messages to the words of a form: its labels instead of the API's names."""

import re
from collections.abc import Mapping

from worker.options import OPTIONS

JOB_LABELS = {name: option.label for name, option in OPTIONS.items()} | {
    "name": "Job name",
    "expires_in": "Delete after",
    "webhook": "Webhook URL",
    "webhook_secret": "Webhook secret",
}
# A quoted name that isn't the rejected value, as in: 'limit' must be a whole number, not 'limit'.
_QUOTED = re.compile(r"(?<!not )'(\w+)'")


def with_labels(detail: str, labels: Mapping[str, str]) -> str:
    """Return an error message with labels instead of quoted field names.

    `labels` contains the labels of the form's fields by their names. Other names stay.
    """
    return _QUOTED.sub(
        lambda name: f"“{labels[name[1]]}”" if name[1] in labels else name[0], detail
    )
