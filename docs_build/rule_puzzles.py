"""Write a puzzle with one solution for each rule. Usage: python -m docs_build.rule_puzzles.

A puzzle for a variant has only this variant. A puzzle for another rule has the rule's example, and
further constraints like it in other places, all of which a random solution satisfies.
Rules for which the generator can choose random constraints get those instead. Of several puzzles,
the easiest one that needs the rule is taken.
"""

import json
import random
from collections.abc import Iterator
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from solver.board.puzzle import Invalid, Puzzle
from solver.explaining import explain
from solver.formats import parse
from solver.formats.write import write_puzzle
from solver.generating import generate
from solver.generation.random_constraints import RANDOM_RULES
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS, Variant
from solver.solving import solve
from web.boards.renderers.outside import OUTSIDE_RENDERERS
from web.pages.rule_pictures import has_solved_picture
from web.pages.rule_puzzles import FILE

_SIZE, _BOX = 9, 3
_MOST = 5  # constraints of a puzzle
_COUNT, _TRIES = 8, 200  # puzzles to choose from, and attempts for each
_GIVENS = "20..26"  # with a variant, because minimal puzzles have so few that they are very hard
_LARGEST = 45  # sum
_NOT_RATED = 1 << 30  # above all ratings
# Rules whose example is the only constraint: further ones would contradict it, or look odd.
_SINGLE = {"chaosarrow", "chaoscount", "countingcircles", "fullrank", "fullranktied", "or"}

Constraint = dict[str, Any]


def puzzles() -> Iterator[tuple[str, str]]:
    """Yield the name of each rule that has a puzzle, and the puzzle in JSON."""
    for name, rule in (VARIANTS | RULES).items():
        found = min(_candidates(rule), key=_rank, default=None)
        if found is not None:
            yield name, found


def needs_rule(text: str) -> bool:
    """Return whether a puzzle in JSON has several solutions without its variant and constraints."""
    return solve(json.loads(text)["puzzle"], limit=2).solutions > 1


def _candidates(rule: Rule | Variant) -> Iterator[str]:
    """Yield puzzles with one solution that have the rule, none if its picture is a solution."""
    if has_solved_picture(rule):
        return
    for made in generate(count=_COUNT, seed=1, tries=_TRIES, **_fields(rule)):
        text = made.puzzle and write_puzzle(made.puzzle)
        if text:
            yield text


def _fields(rule: Rule | Variant) -> dict[str, Any]:
    if isinstance(rule, Variant):
        return {"variant": rule.name, "minimal": False, "givens": _GIVENS}
    if rule.name in RANDOM_RULES:
        return {"random_constraints": {rule.name: {}}}
    return {"constraints": _constraints(rule)}


def _constraints(rule: Rule) -> list[Constraint]:
    """Return the rule's example, and constraints like it in other places.

    There are at most five, which don't overlap and which a random solution satisfies.
    """
    example = json.loads(rule.example)
    (made,) = generate(seed=1, tries=_TRIES, constraints=[example])
    if rule.name in _SINGLE or made.solution is None:
        return [example]
    solution = "".join(map(str, made.solution))
    chosen, taken = [example], set(example["cells"])
    copies = list(_copies(example["cells"]))
    if rule.name in OUTSIDE_RENDERERS:
        copies = [cells for cells in copies if _is_at_edge(cells[0]) and _is_at_edge(cells[-1])]
    random.Random(rule.name).shuffle(copies)
    for cells in copies:
        if len(chosen) == _MOST:
            break
        fitting = None if taken & {*cells} else _fitting(example, cells, solution, rule)
        if fitting is not None:
            chosen.append(fitting)
            taken.update(cells)
    return chosen


def _copies(names: list[str]) -> Iterator[list[str]]:
    """Yield the given cells turned, mirrored, and moved by whole boxes, in all ways that fit."""
    cells = [(int(name[1]) - 1, int(name[3]) - 1) for name in names]
    steps = range(-_SIZE + _BOX, _SIZE, _BOX)
    for turned, mirrored, down, right in product(range(4), (False, True), steps, steps):
        moved = [(row, _SIZE - 1 - column) if mirrored else (row, column) for row, column in cells]
        for _ in range(turned):
            moved = [(column, _SIZE - 1 - row) for row, column in moved]
        moved = [(row + down, column + right) for row, column in moved]
        if all(0 <= row < _SIZE and 0 <= column < _SIZE for row, column in moved):
            yield [f"r{row + 1}c{column + 1}" for row, column in moved]


def _is_at_edge(cell: str) -> bool:
    return bool({cell[1], cell[3]} & {"1", str(_SIZE)})


def _fitting(example: Constraint, cells: list[str], solution: str, rule: Rule) -> Constraint | None:
    """Return a constraint like the example on other cells that a solution satisfies, or None.

    If the rule has a number, it is that of the solution.
    """
    number = example.get(rule.value or "")
    others = range(1, _LARGEST + 1) if isinstance(number, int) and number > 0 else ()
    for value in (number, *others):
        constraint = {**example, "cells": cells}
        if value is not None:
            constraint[rule.value or ""] = value
        text = json.dumps({"puzzle": solution, "constraints": [constraint]})
        if not isinstance(parse(text)[0], Invalid) and solve(text, limit=1).solutions == 1:
            return constraint
    return None


def _rank(text: str) -> tuple[bool, int, int]:
    """Return the key by which puzzles are sorted.

    First come those that need their rule, then those with an easier hardest step, then those with
    fewer givens.
    """
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Puzzle)
    own = explain(puzzle).own_rating
    hardest = own.rating if own and own.rating is not None else _NOT_RATED
    return not needs_rule(text), hardest, sum(map(bool, puzzle.givens))


if __name__ == "__main__":
    written = "".join(f"{name} {text}\n" for name, text in puzzles())
    Path(str(files("web.api").joinpath(*FILE))).write_text(written, "ascii")
