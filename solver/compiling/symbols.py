"""Names of compiled functions that say for which arguments they are, in every process alike.

Numba names what it compiles after the types of the arguments, and a record after how many types
the process had met before it. So functions for different records, made by different processes and
kept on disk, may have the same name; where a third process loads both, it calls one of them for
the other. Here a record's name is made of its fields.
"""

from hashlib import sha256
from typing import Any

from numba import types

_record: Any = types.Record  # Numba's annotations leave it out


def name_records_by_fields() -> None:
    """Have Numba put a digest of a record's fields into the names of functions."""
    _record.mangling_args = property(_mangling_args)


def _mangling_args(record: Any) -> tuple[str, tuple[str]]:
    return type(record).__name__, (sha256(record.name.encode()).hexdigest()[:16],)
