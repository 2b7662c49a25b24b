"""Parse the techniques in generation requests: which ones a puzzle must and may need."""

from collections.abc import Mapping
from dataclasses import dataclass

from solver.board.closest import unknown
from solver.board.display import shown
from solver.logic.technique_table import TECHNIQUES

_MEMBERS = ("require", "forbid", "only")
_UP_TO = ".."


@dataclass(frozen=True, slots=True)
class TechniqueLimits:
    """Codes of techniques that HoDoKu's path must contain, and that it may contain.

    `allowed` is None if all techniques are allowed.
    """

    required: frozenset[str] = frozenset()
    allowed: frozenset[str] | None = None


NO_LIMITS = TechniqueLimits()


def read_techniques(value: object) -> TechniqueLimits | str:
    """Parse an object with lists of names `require`, `forbid`, and `only`, each optional.

    Returns an error message if it is invalid, if a required technique is excluded, or if all
    techniques are. "..X-Wing" stands for X-Wing and all techniques before it in HoDoKu's order.
    """
    if not isinstance(value, Mapping):
        example = '{"require": ["X-Wing"], "only": ["..X-Wing"]}'
        return (
            f"'techniques' must be an object with 'require', 'forbid', or 'only', such as "
            f"{example}, not {shown(value)}"
        )
    codes: dict[str, frozenset[str]] = {}
    for member, written in value.items():
        if member not in _MEMBERS:
            return unknown("member", str(member), _MEMBERS, place=" of 'techniques'")
        names = [written] if isinstance(written, str) else written
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            return f"'{member}' in 'techniques' must be a list of names, not {shown(names)}"
        found: set[str] = set()
        for name in names:
            known = _codes(name)
            if known is None:
                return unknown("technique", name.removeprefix(_UP_TO), _names())
            found |= known
        codes[member] = frozenset(found)
    required = codes.get("require", frozenset())
    if "only" not in codes and "forbid" not in codes:
        return TechniqueLimits(required)
    allowed = codes.get("only", frozenset(TECHNIQUES)) - codes.get("forbid", frozenset())
    excluded = required - allowed
    if excluded:
        return f"{TECHNIQUES[min(excluded)].name} is both required and excluded"
    if not allowed:
        return "'only' and 'forbid' exclude all techniques"
    return TechniqueLimits(required, allowed)


def _codes(name: str) -> frozenset[str] | None:
    """Return the codes that a name stands for, or None if it is unknown.

    A name after ".." stands for its technique and all before it. Only letters and digits count.
    """
    wanted = _plain(name.removeprefix(_UP_TO))
    order = list(TECHNIQUES)
    for place, entry in enumerate(TECHNIQUES.values()):
        if wanted in map(_plain, (entry.name, *entry.aliases)):
            return frozenset(order[: place + 1] if name.startswith(_UP_TO) else [entry.code])
    return None


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def _names() -> tuple[str, ...]:
    return tuple(entry.name for entry in TECHNIQUES.values())
