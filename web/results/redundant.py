"""Show the redundant givens and constraints in results, for JSON, tables, and people."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from solver.board.display import how_many
from solver.formats.write import constraint_json
from solver.rules.registry import RULES
from worker.records.boards import StoredBoard
from worker.records.chunk_result import ChunkResult
from worker.records.minimality import StoredMinimality

_TOO_FEW_GUESSES = "for which the maximum number of guesses was too low"


class Redundant(msgspec.Struct, frozen=True):
    """The givens and constraints that a puzzle doesn't need.

    A given or a constraint is redundant if the solution is still the only one without it. If
    several of them are removed, the puzzle can have more solutions.
    """

    givens: Annotated[list[str], Meta(description="Cells whose givens are redundant.")]
    constraints: Annotated[
        list[dict[str, Any]],
        Meta(description="Redundant constraints, as in a puzzle's JSON object."),
    ]
    undecided_givens: Annotated[
        list[str], Meta(description=f"Cells with givens {_TOO_FEW_GUESSES}.")
    ]
    undecided_constraints: Annotated[
        list[dict[str, Any]], Meta(description=f"Constraints {_TOO_FEW_GUESSES}.")
    ]

    @property
    def text(self) -> str:
        """The redundant givens and constraints in a line of text, then the undecided ones."""
        redundant = _listed(self.givens, self.constraints)
        undecided = _listed(self.undecided_givens, self.undecided_constraints)
        return "; ".join(
            [
                *([redundant] if redundant else []),
                *([f"undecided: {undecided}"] if undecided else []),
            ]
        )

    @property
    def sentences(self) -> list[str]:
        """Sentences about the redundant and the undecided givens and constraints."""
        groups = (
            (self.givens, "given", "needed"),
            (list(map(_named, self.constraints)), "constraint", "needed"),
            (self.undecided_givens, "given", "decided"),
            (list(map(_named, self.undecided_constraints)), "constraint", "decided"),
        )
        return [
            f"{how_many(len(names), noun)} {'is' if len(names) == 1 else 'are'}n't {state}: "
            f"{', '.join(names)}."
            for names, noun, state in groups
            if names
        ]


def _listed(givens: Sequence[str], constraints: Sequence[dict[str, Any]]) -> str:
    return ", ".join([*givens, *map(_named, constraints)])


def _named(constraint: dict[str, Any]) -> str:
    """Return the name of a constraint's rule with its cells, such as "Killer cage (r1c1 r1c2)"."""
    title, cells = RULES[constraint["type"]].title, constraint.get("cells")
    return f"{title} ({' '.join(cells)})" if cells else title


def minimality_columns(
    result: ChunkResult,
) -> tuple[
    Iterable[bool | UnsetType | None],
    Iterable[Redundant | UnsetType],
    Iterable[str | UnsetType | None],
]:
    """Return the columns `minimal`, `redundant`, and `reduced`.

    They contain UNSET for records that weren't tested, and `reduced` also if it wasn't requested.
    None means that `minimal` is undecided, or that `reduced` can't be written as text.
    """
    every = [result.minimality.get(place) for place in range(len(result))]
    boards = result.boards() if result.minimality else [None] * len(every)
    return (
        [UNSET if each is None else each.minimal for each in every],
        list(map(_redundant, every, boards)),
        [UNSET if each is None or each.reduced is None else each.reduced or None for each in every],
    )


def _redundant(stored: StoredMinimality | None, board: StoredBoard | None) -> Redundant | UnsetType:
    if stored is None or board is None:
        return UNSET
    layout = board.layout

    def names(cells: Iterable[int]) -> list[str]:
        return [layout.cell_name(cell) for cell in cells]

    def objects(numbers: Iterable[int]) -> list[dict[str, Any]]:
        return [constraint_json(layout.constraints[number], layout) for number in numbers]

    return Redundant(
        names(stored.givens),
        objects(stored.constraints),
        names(stored.undecided_givens),
        objects(stored.undecided_constraints),
    )
