"""API keys, their scopes, and their limits, as written in the settings.

KEY                        everything
KEY:read                   list jobs and fetch results, but no submitting or changing
KEY:write:jobs=50          submit, cancel, and delete, with at most 50 active jobs
KEY:waiting=100000         with at most this many puzzles that are not done yet
KEY:requests=600           with at most this many requests per minute
sha256=DIGEST:read         a key of which the settings contain only the hexadecimal digest
"""

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

_DIGEST = re.compile(r"sha256=([0-9a-f]{64})")
_BOUND = re.compile(r"(jobs|waiting|requests)=([0-9]{1,9})")
_KNOWN = ":read, :write, :jobs=N, :waiting=N, or :requests=N"


class BadKey(Exception):
    """An API key in the settings has an invalid option after it."""


class Scope(StrEnum):
    """A kind of request that a key permits: READ changes nothing, and WRITE changes something."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key, represented by its digest, with its scopes and limits.

    `most_jobs`, `most_waiting`, and `most_requests` limit active jobs, puzzles that aren't done
    yet, and requests per minute. None stands for the limit in the settings.
    """

    digest: str
    scopes: frozenset[Scope] = frozenset(Scope)
    most_jobs: int | None = None
    most_waiting: int | None = None
    most_requests: int | None = None

    def is_for(self, scope: Scope) -> bool:
        """Return whether the key has this scope."""
        return scope in self.scopes


def read_keys(texts: Iterable[str]) -> tuple[ApiKey, ...]:
    """Parse the API keys in the settings.

    Raises BadKey if a key has an invalid option. The message doesn't contain the key.
    """
    return tuple(_read(number, text) for number, text in enumerate(texts, 1))


def find_key(keys: Iterable[ApiKey], *, digest: str) -> ApiKey | None:
    """Return the key with this digest, or None if it isn't one of the keys.

    The time taken doesn't reveal anything about the keys.
    """
    same = [key for key in keys if hmac.compare_digest(key.digest, digest)]
    return same[0] if same else None


def digest_of(key: str) -> str:
    """Return the SHA-256 digest of a key in hexadecimal.

    It is stored and compared instead of the key.
    """
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def first_key(texts: Iterable[str]) -> str | None:
    """Return the first key that the settings contain in full, or None if they contain only digests.

    `texts` are the keys with their options, as written in the settings. The key is returned without
    its options.
    """
    names = (text.partition(":")[0] for text in texts)
    return next((name for name in names if not _DIGEST.fullmatch(name)), None)


def _read(number: int, text: str) -> ApiKey:
    name, *parts = text.split(":")
    digest = _DIGEST.fullmatch(name)
    key = ApiKey(digest[1] if digest else digest_of(name))
    scopes = set()
    for part in parts:
        if bound := _BOUND.fullmatch(part):
            most: dict[str, Any] = {f"most_{bound[1]}": int(bound[2])}
            key = replace(key, **most)
        elif part in set(Scope):
            scopes.add(Scope(part))
        else:
            raise BadKey(f"unknown option :{part} after key {number}; expected {_KNOWN}")
    return replace(key, scopes=frozenset(scopes or Scope))
