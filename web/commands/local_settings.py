"""Read the settings and job options of commands that solve or parse puzzles on this machine."""

import os
import re
from collections.abc import Iterable, Mapping

from web.commands.exits import fail
from worker.job import JobOptions
from worker.options import OPTIONS, parse_options
from worker.rejection import Rejection
from worker.setting_values import BadSetting
from worker.settings import Settings

_UNLIMITED = 1 << 53
# All listed solutions of a puzzle are held in memory.
_MAX_LISTED = 1_000_000
_RECORD_BYTES = "SUDOKUQ_MAX_RECORD_BYTES"


def settings() -> Settings:
    """Return the settings from the environment. Exit with a message if one is invalid."""
    return _from_environment(os.environ)


def local_settings(*, lists: bool) -> Settings:
    """Return settings for work on this machine, without limits except for the size of a record.

    If solutions are listed (`lists`), the maximum of the option `limit` is 1,000,000. Exits with a
    message if the limit on the size of a record is invalid.
    """
    record_bytes = _from_environment({_RECORD_BYTES: os.environ.get(_RECORD_BYTES, "")})
    return Settings(
        max_record_bytes=record_bytes.max_record_bytes,
        max_upload_bytes=_UNLIMITED,
        max_puzzles=_UNLIMITED,
        max_limit=_MAX_LISTED if lists else _UNLIMITED,
        max_step_limit=_UNLIMITED,
        max_rate_seconds=_UNLIMITED,
    )


def options_and_settings(options: Mapping[str, object]) -> tuple[JobOptions, Settings]:
    """Return parsed job options, and settings for work on this machine.

    Options with the value None are ignored. Exits with a message if an option is invalid.
    """
    given = {name: value for name, value in options.items() if value is not None}
    found = local_settings(lists=not given.get("count_only"))
    job = parse_options(given, settings=found)
    if isinstance(job, Rejection):
        fail(in_command_notation(job.detail, OPTIONS))
    return job, found


def in_command_notation(message: str, names: Iterable[str]) -> str:
    """Return a message in which quoted names of options, such as 'step_limit', become --step-limit.

    Messages come from code that the HTTP API uses, too.
    """
    quoted = re.compile(f"'({'|'.join(names)})'")
    return quoted.sub(lambda name: f"--{name[1].replace('_', '-')}", message)


def _from_environment(environ: Mapping[str, str]) -> Settings:
    try:
        return Settings.from_environment(environ)
    except BadSetting as error:
        fail(str(error))
