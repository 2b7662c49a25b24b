"""API keys as the settings give them: who somebody is, what he may do, and how much of it.

KEY                        everything
KEY:read                   look at jobs and fetch results, but submit and change nothing
KEY:write:jobs=50          submit, cancel and delete, with at most 50 unfinished jobs
KEY:waiting=100000         with at most so many puzzles that are not done yet
KEY:requests=600           with at most so many requests a minute
sha256=DIGEST:read         a key of which the settings have only the digest, as hexadecimal
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
_KNOWN = ":read, :write, :jobs=N, :waiting=N or :requests=N"


class BadKey(Exception):
    """A key in the settings has a part that means nothing."""


class Scope(StrEnum):
    """What a key is for."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key by its digest, which is all that it takes to know it, and its bounds by their names."""

    digest: str
    scopes: frozenset[Scope] = frozenset(Scope)
    most_jobs: int | None = None
    most_waiting: int | None = None
    most_requests: int | None = None

    def is_for(self, scope: Scope) -> bool:
        """Return whether somebody with this key may do that."""
        return scope in self.scopes


def read_keys(texts: Iterable[str]) -> tuple[ApiKey, ...]:
    """Return the keys that settings name; raises BadKey, whose message has no key in it."""
    return tuple(_read(number, text) for number, text in enumerate(texts, 1))


def find_key(keys: Iterable[ApiKey], *, digest: str) -> ApiKey | None:
    """Return the key with a digest, in a time that says nothing about the others."""
    same = [key for key in keys if hmac.compare_digest(key.digest, digest)]
    return same[0] if same else None


def digest_of(key: str) -> str:
    """Return what is stored and compared instead of a key."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def first_key(texts: Iterable[str]) -> str | None:
    """Return the first key of which the settings have more than the digest, None without any."""
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
            raise BadKey(f"key {number} may be followed by {_KNOWN}, not :{part}")
    return replace(key, scopes=frozenset(scopes or Scope))
