"""Highlights for the drawing of a deduction: houses, cells, candidates by role, and links."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from solver.logic.deduction import Candidate, Deduction, LineKind, Node

_MOST_VALUES = 64  # of a board with candidates
_FISH = "03"  # the first digits of the codes of all fish


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a chain: "strong" (at least one end is true) or "weak" (at least one is false)."""

    start: Node
    end: Node
    kind: str


@dataclass(frozen=True, slots=True)
class Marks:
    """The highlights of a deduction.

    `houses` contain the pattern, `covers` are the houses in which candidates are removed, and
    `cells` are the cells of the pattern. `candidates` are grouped by role: "placed", "removed",
    "fin" (of a fish), "key" (candidates that decide another pattern, such as the common value of a
    wing), "first" and "second" (the true and the false candidates of a chain, those that a trial
    places and removes, or the two colors of a coloring), and "pattern". Each candidate appears
    once, in its first role. `links` are those of all chains.
    """

    houses: tuple[int, ...]
    covers: tuple[int, ...]
    cells: tuple[int, ...]
    candidates: dict[str, tuple[Candidate, ...]]
    links: tuple[Link, ...]


def marks_of(deduction: Deduction, candidates: Sequence[int]) -> Marks:
    """Return the highlights of a deduction.

    `candidates` are the candidates of the grid before the deduction, as bits by cell. Candidates of
    the deduction that the grid doesn't contain are not highlighted. A candidate with several roles
    gets the first one.
    """
    roles: dict[str, tuple[Candidate, ...]] = {}
    taken: set[Candidate] = set()
    for role, members in _roles(deduction):
        left = [
            one
            for one in dict.fromkeys(members)
            if one not in taken and candidates[one.cell] >> (one.value - 1) & 1
        ]
        taken.update(left)
        roles[role] = (*roles.get(role, ()), *left)
    broken = [line.source for line in deduction.lines if line.kind is LineKind.NO_CANDIDATE]
    cells = [*deduction.cells, *broken, *(cell for group in deduction.sets for cell in group.cells)]
    links = [
        Link(one, other, other.link) for chain in deduction.chains for one, other in pairwise(chain)
    ]
    return Marks(
        houses=houses_of(deduction),
        covers=deduction.cover,
        cells=tuple(dict.fromkeys(cells)),
        candidates={role: members for role, members in roles.items() if members},
        links=tuple(links),
    )


def houses_of(deduction: Deduction) -> tuple[int, ...]:
    """Return the houses of a pattern, and those in which a value of a trial has no place left."""
    without_place = [line.source for line in deduction.lines if line.kind is LineKind.NO_PLACE]
    return (*deduction.base, *without_place)


def _roles(deduction: Deduction) -> Iterator[tuple[str, tuple[Candidate, ...]]]:
    """Yield roles with the candidates of a deduction that have them, in order of precedence.

    A role can occur several times.
    """
    yield "placed", deduction.placements
    yield "removed", deduction.eliminations
    is_fish = deduction.code.startswith(_FISH)
    yield ("fin" if is_fish else "key"), (*deduction.fins, *deduction.endo_fins)
    for line in deduction.lines[:-1]:  # the last one is the contradiction
        yield "first", line.placements
        yield "second", line.removals
    for number, color in enumerate(deduction.colors):
        yield ("second" if number % 2 else "first"), color
    for chain in deduction.chains:
        for node in chain:
            is_true = node.link == "strong" or (not node.link and _opens_true(chain))
            members = tuple(Candidate(cell, node.value) for cell in node.cells)
            yield ("first" if is_true else "second"), members
    for group in deduction.sets:
        yield "pattern", _product(group.cells, group.values)
    yield "pattern", _product(deduction.cells, deduction.values)
    if deduction.rule is not None:
        reasons = dict.fromkeys(cell for cell, _ in deduction.absent)
        values = range(1, _MOST_VALUES + 1)
        yield "pattern", _product(tuple(reasons), tuple(values))


def _opens_true(chain: tuple[Node, ...]) -> bool:
    return len(chain) == 1 or chain[1].link == "weak"


def _product(cells: tuple[int, ...], values: tuple[int, ...]) -> tuple[Candidate, ...]:
    return tuple(Candidate(cell, value) for cell in cells for value in values)
