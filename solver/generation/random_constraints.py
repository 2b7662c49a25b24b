"""Parse random constraints in generation requests: which rules, how many, and how large."""

from collections.abc import Mapping
from dataclasses import dataclass

from solver.board.bounds import Bounds, read_bounds
from solver.board.closest import unknown
from solver.board.display import shown

KILLER = "killer"
_ANY = Bounds()
DOTS = ("white", "black")
_LEAST_LINE, _LEAST_CAGE, _MOST_CELLS = 3, 2, 9  # of the largest constraint
_DEFAULTS: dict[str, dict[str, object]] = {
    KILLER: {"count": _ANY, "largest": 5, "coverage": 1.0, "minimal": False},
    "thermo": {"count": Bounds(4, 7), "largest": 6, "minimal": False},
    "arrow": {"count": Bounds(4, 7), "largest": 4, "minimal": False},
    "renban": {"count": Bounds(3, 6), "largest": 6, "minimal": False},
    "whisper": {"count": Bounds(3, 5), "largest": 7, "minimal": False},
    "palindrome": {"count": Bounds(3, 6), "largest": 7, "minimal": False},
    "white": {"count": Bounds(10, 16), "minimal": False},
    "black": {"count": Bounds(6, 10), "minimal": False},
}
RANDOM_RULES = tuple(_DEFAULTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomConstraints:
    """Constraints of one rule that are drawn for each puzzle.

    rule       the name of the rule
    count      the permitted numbers of constraints
    largest    the largest number of cells of a constraint. Dots have two.
    coverage   killer cages: the least share of the board's cells that must be in cages. Cages that
               the puzzle doesn't need are removed as long as this share remains.
    minimal    whether all constraints that the puzzle doesn't need are removed
    """

    rule: str
    count: Bounds
    largest: int
    coverage: float = 1.0
    minimal: bool = False


def read_random_constraints(value: object) -> tuple[RandomConstraints, ...] | str:
    """Parse the field 'random_constraints' of a request, or return an error message.

    The field is an object such as {"killer": {"count": "24..30"}}. If a rule's object lacks a
    member, the rule's default applies. Unknown rules, unknown members, and an empty field are
    errors.
    """
    if not isinstance(value, Mapping) or not value:
        example = '{"killer": {"count": "24..30"}}'
        return f"'random_constraints' must be an object such as {example}, not {shown(value)}"
    read = []
    for rule, members in value.items():
        if rule not in _DEFAULTS:
            return unknown("rule", rule, tuple(_DEFAULTS), place=" in 'random_constraints'")
        made = _read(rule, members)
        if isinstance(made, str):
            return made
        read.append(made)
    return tuple(read)


def _read(rule: str, members: object) -> RandomConstraints | str:
    place = f"of {rule!r} in 'random_constraints'"
    if not isinstance(members, Mapping):
        return f"the value {place} must be an object, not {shown(members)}"
    for member in members:
        if member not in _DEFAULTS[rule]:
            return unknown("member", member, tuple(_DEFAULTS[rule]), place=f" {place}")
    fields = {**_DEFAULTS[rule], **members}
    count = fields["count"]
    if not isinstance(count, Bounds):
        count = read_bounds(str(count))
    if count is None or (count.most is not None and count.most < 1):
        return f"'count' {place} must be 1 or more, or a range, not {shown(members['count'])}"
    least = _LEAST_CAGE if rule == KILLER or rule in DOTS else _LEAST_LINE
    largest = fields.get("largest", least)
    if type(largest) is not int or not least <= largest <= _MOST_CELLS:
        return f"'largest' {place} must be from {least} to {_MOST_CELLS}, not {shown(largest)}"
    coverage = fields.get("coverage", 1.0)
    if (
        isinstance(coverage, bool)
        or not isinstance(coverage, int | float)
        or not 0 <= coverage <= 1
    ):
        return f"'coverage' {place} must be a number from 0 to 1, not {shown(coverage)}"
    minimal = fields.get("minimal", False)
    if not isinstance(minimal, bool):
        return f"'minimal' {place} must be true or false, not {shown(minimal)}"
    if minimal and "coverage" in members:
        return f"'minimal' and 'coverage' {place} can't be combined; remove one"
    return RandomConstraints(
        rule=rule, count=count, largest=largest, coverage=float(coverage), minimal=minimal
    )
