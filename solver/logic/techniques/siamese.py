"""Siamese fish: two fish with the same base houses, and what both of them remove."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from solver.logic.deduction import Deduction
from solver.logic.table import TECHNIQUES


def siamese(fish: Sequence[Deduction]) -> list[Deduction]:
    """Return the siamese fish among fish; the code of the first has a 1 after it."""
    found = []
    for one, other in combinations(fish, 2):
        alike = one.values == other.values and one.base == other.base
        if (
            alike
            and _family(one) == _family(other)
            and one.eliminations[0] != other.eliminations[0]
        ):
            joined = replace(
                one,
                code=f"{one.code}1",
                cover=tuple(dict.fromkeys((*one.cover, *other.cover))),
                fins=tuple(dict.fromkeys((*one.fins, *other.fins))),
                eliminations=tuple(dict.fromkeys((*one.eliminations, *other.eliminations))),
            )
            found.append(joined)
    return found


def _family(fish: Deduction) -> str:
    """Return what kind of fish it is, whatever its size: finned and sashimi ones are alike."""
    return " ".join(TECHNIQUES[fish.code].name.replace("Sashimi", "Finned").split()[:-1])
