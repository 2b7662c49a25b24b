"""Make variants at random: puzzles with a few small constraints, and enough givens."""

import json
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

from fuzz_rules import number, numbers, text

from solver.board.puzzle import Invalid, Puzzle
from solver.formats import parse
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS
from solver.solving import solve

# Without chaos construction, which adds a variable for each cell: the number of its region.
ALL_RULES = tuple(rule for rule in (*RULES, *VARIANTS) if rule != "chaosconstruction")
_SIZES = (4, 6, 6, 9, 9)
_MOST_CELLS = 6  # of a line or cage
_MOST_CONSTRAINTS = 6
_PER_BOARD = 10  # puzzles
_ATTEMPTS = 1_000  # to find a board that has a solution
_STEP_LIMIT = 200  # A board whose solutions are harder to find isn't used.


def random_variants(rule: str, *, count: int, seed: int) -> Iterator[Puzzle]:
    """Yield up to `count` puzzles with one solution, whose boards have constraints of `rule`.

    `rule` is the name of a rule or a variant. There are fewer puzzles if no solution is found on
    many boards in succession.
    """
    chance = random.Random(f"{rule} {seed}")
    while count > 0:
        puzzles = list(islice(_puzzles_of_a_board(rule, chance), count))
        if not puzzles:
            return
        yield from puzzles
        count -= len(puzzles)


def _puzzles_of_a_board(rule: str, chance: random.Random) -> Iterator[Puzzle]:
    for _ in range(_ATTEMPTS):
        board = _random_board(rule, chance)
        if not isinstance(board, Invalid) and _solution(board, {}) is not None:
            for _ in range(_PER_BOARD):
                puzzle = _with_enough_givens(board, chance)
                if puzzle is not None:
                    yield puzzle
            return


def _random_board(rule: str, chance: random.Random) -> Puzzle | Invalid:
    """Return an empty puzzle with constraints of a rule, and sometimes of another one.

    Returns an Invalid if the constraints don't fit the board.
    """
    size = chance.choice(_SIZES)
    rules = [rule] * min(chance.choices(range(1, _MOST_CONSTRAINTS + 1), k=2))
    if chance.random() < 0.5:
        rules.append(chance.choice(ALL_RULES))
    if "doppelganger" in rules:  # needs one more value than rows
        described: dict[str, Any] = {"shape": "9x9", "size": 10, "lowest": 0}
        size = 9
    else:
        described = {"shape": f"{size}x{size}"}
    described |= {
        "variant": sorted({name for name in rules if name in VARIANTS}),
        "constraints": [_constraint(name, size, chance) for name in rules if name in RULES],
    }
    return parse(json.dumps(described), format="ndjson")[0]


def _constraint(name: str, size: int, chance: random.Random) -> dict[str, Any]:
    """Return a small random constraint of a rule in its JSON form.

    `name` is the rule's name, and `size` the number of rows and columns of the board.
    """
    rule = RULES[name]
    described: dict[str, Any] = {"type": name}
    if rule.chooses:
        simple = [each for each in ALL_RULES if each in RULES and not RULES[each].chooses]
        options = [[_constraint(chance.choice(simple), size, chance)] for _ in range(2)]
        return described | {"options": options}
    cells = _cells(name, size, chance)
    if name == "clone":
        down, right = chance.randint(0, size - 1), chance.randint(0, size - 1)
        cells += [((row + down) % size, (column + right) % size) for row, column in cells]
    described["cells"] = [f"r{row + 1}c{column + 1}" for row, column in cells]
    if rule.value is not None and rule.text:
        described[rule.value] = text(name, size, chance)
    elif name == "lookandsay":
        described["values"] = [chance.randint(0, 2), chance.randint(1, size)]
    elif rule.value is not None and rule.many:
        described[rule.value] = numbers(name, len(cells), size, chance)
    elif rule.value is not None:
        described[rule.value] = number(size, chance)
    return described


def _cells(name: str, size: int, chance: random.Random) -> list[tuple[int, int]]:
    """Return cells (row, column) that suit the rule `name`: a row, a column, or a random walk.

    Rules whose example has nine cells get a whole row or column, in either direction. A walk has a
    random length that the rule allows, but is shorter if it reaches a dead end.
    """
    rule = RULES[name]
    if len(json.loads(rule.example)["cells"]) == 9:
        line = chance.randrange(size)
        across = chance.random() < 0.5
        whole = [(line, place) if across else (place, line) for place in range(size)]
        return whole if chance.random() < 0.5 else whole[::-1]
    length = chance.randint(max(rule.least, 1), min(rule.most, _MOST_CELLS))
    walk = [(chance.randrange(size), chance.randrange(size))]
    while len(walk) < length:
        row, column = walk[-1]
        near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        free = [cell for cell in near if cell not in walk and min(cell) >= 0 and max(cell) < size]
        if not free:
            break
        walk.append(chance.choice(free))
    return walk


def _with_enough_givens(board: Puzzle, chance: random.Random) -> Puzzle | None:
    """Return the board with random givens that leave one solution, or None if there was none.

    The givens are the shortest sufficient beginning of a random order of the cells.
    """
    order = chance.sample(range(board.layout.cells), board.layout.cells)
    first = {cell: chance.randint(1, board.layout.size) for cell in order[:3]}
    solution = _solution(board, first) or _solution(board, {})
    if solution is None:
        return None
    few, enough = -1, len(order)
    while enough - few > 1:
        middle = (few + enough) // 2
        givens = {cell: solution[cell] for cell in order[:middle]}
        if solve(_given(board, givens), step_limit=_STEP_LIMIT).unique:
            enough = middle
        else:
            few = middle
    return _given(board, {cell: solution[cell] for cell in order[:enough]})


def _solution(board: Puzzle, givens: dict[int, int]) -> tuple[int, ...] | None:
    return solve(_given(board, givens), limit=1, step_limit=_STEP_LIMIT).solution


def _given(board: Puzzle, givens: dict[int, int]) -> Puzzle:
    values = tuple(givens.get(cell, 0) for cell in range(board.layout.cells))
    return Puzzle(board.layout, values, board.symbols)
