"""Symbol names of compiled functions that are the same in every process.

Numba names compiled functions after their argument types, but names a record type after the number
of types that the process created earlier. Functions for different records, compiled in different
processes and cached on disk, can therefore have the same name. A third process that loads both
calls the wrong one. Here, a record's name is derived from its fields. Without this patch, compiled
code must not be cached on disk.
"""

from hashlib import sha256
from typing import Any

from numba import types

_record: Any = types.Record  # missing from Numba's annotations


def name_records_by_fields() -> None:
    """Patch Numba to use a digest of a record's fields in symbol names."""
    _record.mangling_args = property(_mangling_args)


def _mangling_args(record: Any) -> tuple[str, tuple[str]]:
    return type(record).__name__, (sha256(record.name.encode()).hexdigest()[:16],)
