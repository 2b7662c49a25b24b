"""The boards of rules and the facts of texts, with which the engines decide claims."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import cast

from sentence_checker.names import Names
from sentence_checker.step import Step
from solver.board.layout import Layout
from solver.board.primitive_constraints import House, Links, by_field
from solver.board.puzzle import Puzzle
from solver.board.result import Outcome
from solver.board.symbols import Symbols
from solver.logic.deduction import Candidate
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.wording import Wording
from solver.rules.auxiliary_cells import renumber_auxiliary
from solver.rules.rule import Constraint
from solver.solving import solve

SIGHT = "Cells that see each other differ."


def facts_in(text: str, names: Names, size: int) -> Iterator[tuple[int, int]]:
    """Yield the cells in the facts of a text, each with the values that it can have, as bits.

    Facts are such as "r1c1 is at least 5", "r1c1 and r1c2 can only be 1 or 2", and "r1c3 cannot be
    4". A cell can occur several times.
    """
    cells, values = names.patterns["cells"], names.patterns["values"]
    form = rf"({cells}) (is|are|can only be|cannot be)( at least| at most)? ({values})"
    for match in re.finditer(form, text):
        stated = names.values(match[4])
        mask = sum(map(bit_of, stated))
        if match[3] == " at least":
            mask = (1 << size) - bit_of(stated[0])
        elif match[3] == " at most":
            mask = 2 * bit_of(stated[0]) - 1
        elif match[2] == "cannot be":
            mask = (1 << size) - 1 - mask
        for cell in names.cells(match[1]):
            yield cell, mask


def bits_by_cell(candidates: Iterable[Candidate]) -> Iterator[tuple[int, int]]:
    """Yield each cell of the candidates with its values, as bits."""
    masks: dict[int, int] = {}
    for cell, value in candidates:
        masks[cell] = masks.get(cell, 0) | bit_of(value)
    yield from masks.items()


def bit_of(value: int) -> int:
    """Return the bit of a value from 1."""
    return 1 << (value - 1)


def wording_of(step: Step) -> Wording:
    """Return the wording of a step's board and candidates."""
    return Wording(step.layout, step.names.symbols, step.domains)


@lru_cache(maxsize=512)
def board_of_rule(
    layout: Layout,
    index: int,
    *,
    with_sight: bool,
    has_houses: bool = True,
    only: frozenset[tuple[int, int]] | None = None,
) -> Layout:
    """Return a board with one constraint of a layout and nothing else, not even rows and columns.

    With `with_sight`, the constraint's cells also differ where they see each other. Without
    `has_houses`, the constraint is compiled as if there were no houses in which its cells differ,
    unless it can't be compiled without them.
    `only` are the pairs of cells in sight that differ; None stands for all.
    """
    constraint = cast("Constraint", layout.constraints[index])
    made = constraint.parts(layout if has_houses else layout.changed(houses=(), links=()))
    if isinstance(made, str):  # a rule about houses
        made = constraint.parts(layout)
    assert not isinstance(made, str)
    parts, count = renumber_auxiliary(made, layout.solution_size)
    peers = peers_of_cells(layout)
    cells = [cell for cell in constraint.cells or range(layout.cells) if cell < layout.cells]
    seen = [pair for pair in combinations(cells, 2) if with_sight and pair[1] in peers[pair[0]]]
    seen = [pair for pair in seen if only is None or (min(pair), max(pair)) in only]
    own = [part for part in parts if isinstance(part, Links)]
    houses = [part for part in parts if isinstance(part, House) and max(part.cells) < layout.cells]
    fields = by_field(parts)
    return layout.changed(
        houses=tuple(houses),
        links=(*own, Links("sight", tuple(seen))) if seen else tuple(own),
        constraints=(constraint,),
        auxiliary_count=count,
        auxiliary_houses=(),
        **fields,
    )


def is_impossible(board: Layout, domains: Sequence[int]) -> bool:
    """Return whether the board has no solution within the domains."""
    if 0 in [mask for cell, mask in enumerate(domains) if cell not in board.holes]:
        return True
    puzzle = Puzzle(board, (0,) * board.cells, Symbols.usual(board.size), tuple(domains))
    return solve(puzzle, limit=1).outcome is Outcome.UNSOLVABLE


def stated_domains(text: str, step: Step) -> tuple[list[int], list[str]]:
    """Return the domains that the facts in a text leave, and complaints about false facts.

    The domains of all cells are bits. Cells without a fact have all values.
    """
    domains = [(1 << step.layout.size) - 1] * step.layout.cells
    complaints: list[str] = []
    for cell, mask in facts_in(text, step.names, step.layout.size):
        if step.domains[cell] & ~mask:
            complaints.append(f"{step.layout.cell_name(cell)} has other candidates than stated")
        domains[cell] &= mask
    return domains, complaints


def excluded_by(step: Step) -> Iterator[tuple[int, int]]:
    """Yield (cell, removed values as bits) for each cell in which the step has an effect.

    A cell in which the step places a value loses all others.
    """
    yield from bits_by_cell(step.deduction.eliminations)
    for cell, value in step.deduction.placements:
        yield cell, step.domains[cell] & ~bit_of(value)
