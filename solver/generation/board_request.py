"""Parse the board in generation requests, which is fixed or drawn for each puzzle."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import Any

from solver.board.layout import Layout, usual_box
from solver.board.puzzle import Invalid
from solver.board.random_streams import RandomStreams
from solver.formats import parse
from solver.formats.reading.options import read_box
from solver.generation.random_choices import RandomChoices
from solver.generation.random_constraints import RandomConstraints, read_random_constraints
from solver.generation.random_regions import random_regions
from solver.rules.regions import read_regions
from solver.rules.registry import RULES, compile_constraints
from solver.rules.rule import Constraint

# The fields of a puzzle object that describe its board
FIXED_FIELDS = (
    "box", "shape", "size", "lowest", "variant", "regions", "houses", "constraints",
)  # fmt: skip
BOARD_FIELDS = (*FIXED_FIELDS, "random_constraints")
RANDOM = "random"  # the value of "regions" for random regions

_MOST_CELLS = 625  # Larger boards take too long to fill at random.
_FORM_SIZES = (4, 6, 8, 9)
_LEAST_JIGSAW, _MOST_JIGSAW = 4, 16  # rows


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomBoard:
    """The parts of the board that are drawn for each puzzle.

    has_regions    whether the regions are drawn
    constraints    the rules whose constraints are drawn
    fields         the fields of the fixed part of the board, as JSON
    """

    has_regions: bool
    constraints: tuple[RandomConstraints, ...]
    fields: str

    def layout_with(self, labels: Sequence[str]) -> Layout | str:
        """Return the board with the given regions, or an error message.

        `labels` has the label of each cell's region. Constraints that are drawn at random aren't
        included.
        """
        return _layout(json.loads(self.fields) | {"regions": list(labels)})


@dataclass(frozen=True, slots=True)
class InvalidBoard:
    """An error message about a board, and the name of the invalid field."""

    detail: str
    field: str


def read_board(value: Mapping[str, object]) -> tuple[Layout, RandomBoard | None] | InvalidBoard:
    """Return the board in a request, and its parts that are drawn for each puzzle.

    The second result is None for fixed boards. If regions are drawn, the board has example regions.
    Returns an InvalidBoard if a field is invalid.
    """
    fields = {field: value[field] for field in FIXED_FIELDS if field in value}
    has_regions = fields.get("regions") == RANDOM
    if has_regions:
        del fields["regions"]
    layout = _layout(fields)
    if isinstance(layout, str):
        return InvalidBoard(layout, next(iter(fields), "regions"))
    if layout.cells > _MOST_CELLS:
        detail = f"puzzles can be made on boards of up to {_MOST_CELLS} cells, not {layout.cells:,}"
        return InvalidBoard(detail, next(iter(fields)))
    constraints: tuple[RandomConstraints, ...] | str = ()
    if "random_constraints" in value:
        constraints = read_random_constraints(value["random_constraints"])
    if isinstance(constraints, str):
        return InvalidBoard(constraints, "random_constraints")
    if not has_regions:
        written = json.dumps(fields)
        random = RandomBoard(has_regions=False, constraints=constraints, fields=written)
        return layout, random if constraints else None
    size = layout.size
    if not layout.rows == layout.columns == size or not _LEAST_JIGSAW <= size <= _MOST_JIGSAW:
        detail = (
            f"random regions need a square grid with {_LEAST_JIGSAW} to {_MOST_JIGSAW} rows and "
            f"as many values, not {layout.rows}×{layout.columns} cells with {size} values"
        )
        return InvalidBoard(detail, "regions")
    fields.pop("box", None)
    fields["shape"] = f"{size}x{size}"
    written = json.dumps(fields)
    random = RandomBoard(has_regions=True, constraints=constraints, fields=written)
    example = random.layout_with(_example_regions(size))
    if isinstance(example, str):
        return InvalidBoard(example, "regions")
    return example, random


def has_forms(layout: Layout) -> bool:
    """Return whether the puzzles of a board have canonical forms (see `distinct`).

    These are boards with 4, 6, 8, or 9 rows, the usual boxes, and no other rules.
    """
    return layout.size in _FORM_SIZES and layout is Layout.boxed(*box_of(layout))


def box_of(layout: Layout) -> tuple[int, int]:
    """Return the usual box (rows, columns) for the size of a layout.

    For sizes without a usual box, it is a whole row.
    """
    return usual_box(layout.size) or (1, layout.size)


def with_examples(layout: Layout, constraints: Sequence[RandomConstraints]) -> Layout:
    """Return the layout with an example for each kind of random constraint.

    The examples only show which rules the puzzles' boards have. Returns the layout itself if the
    examples don't fit on it.
    """
    examples = tuple(Constraint(RULES[each.rule], (0, 1), 3) for each in constraints)
    made = compile_constraints(layout, examples) if examples else layout
    return layout if isinstance(made, str) else made


def _layout(fields: Mapping[str, Any]) -> Layout | str:
    """Return the layout that the fields of a puzzle object describe, or an error message.

    Without any field, it is the classic board.
    """
    if not fields:
        return Layout.boxed(3, 3)
    # A shape makes the board independent of cells.
    shape = {} if "shape" in fields else {"shape": _shape(fields)}
    parsed = parse(json.dumps({**fields, **shape, "cells": []}), format="json")
    return parsed[0].detail if isinstance(parsed[0], Invalid) else parsed[0].layout


def _shape(fields: Mapping[str, Any]) -> str:
    """Return the square shape that a size, a box, or regions imply, such as "6x6".

    Without any of them, it is "9x9".
    """
    size, box, labels = fields.get("size"), fields.get("box"), read_regions(fields.get("regions"))
    if size is None and box is not None:
        written = "x".join(map(str, box)) if isinstance(box, list) else str(box)
        rows, columns = read_box(written) or (3, 3)
        size = rows * columns
    if size is None and not isinstance(labels, str):
        size = isqrt(len(labels))
    return f"{size or 9}x{size or 9}"


@lru_cache(maxsize=16)
def _example_regions(size: int) -> tuple[str, ...]:
    return random_regions(size, RandomChoices(RandomStreams([0])))
