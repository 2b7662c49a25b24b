"""Check the sentences of chains against the candidates of the grid, by brute force.

Nothing here knows how the sentences were made. Each statement is read from the text and must follow
from the statement before it. A case of a net in one sentence is read in the same way.
"""

import re
from collections.abc import Iterator

from argument_grid import Grid, Statement, follows, house_of_last_places, without_ranges

_GROUP = r"\d+ is in (?:r\d+c\d+, )*r\d+c\d+,? or r\d+c\d+"


def check_chain(text: str, grid: Grid) -> tuple[Statement, Statement]:
    """Check "If …, …, so …". Return its assumption and its last statement.

    The house of a link must contain both of its ends. Asserts that each link is correct, but not
    that the statements exclude any candidate.
    """
    first, *clauses = _clauses(without_ranges(text))
    (opening,) = grid.statements(first)
    before = opening
    known = [opening]
    for clause in clauses:
        before = _check_clause(clause, before, known, grid)
        known.append(before)
    return opening, before


def _check_clause(clause: str, before: Statement, known: list[Statement], grid: Grid) -> Statement:
    """Check that a link follows from the statement `before`, and return what it states.

    For a link such as "r1c2 is not 3 but 4", this is the second part. Cells that the statements in
    `known` fill with other values are no places for a value.
    """
    match = re.fullmatch(r"(.*?)(?: \(([^()]*)\))?(?: but (\d+))?", clause)
    assert match, clause
    text, reason, instead = match.groups()
    (after,) = grid.statements(_subject(text, before, grid))
    cells, value, is_true = after
    if is_true and reason is None:
        assert grid.after([before]).domains[cells[0]] == {value}, clause
    elif is_true:
        house = house_of_last_places(reason, cells)
        assert set(cells) | set(before.cells) <= set(grid.houses[house]), clause
        filled = {one.cells for one in known if one.is_true and one.value != value}
        places = grid.after([before]).places(house, value)
        assert {cell for cell in places if (cell,) not in filled} <= set(cells), clause
    elif reason is None:
        assert before.is_true, clause
        assert before.cells == cells, clause
        assert before.value != value, clause
    else:
        assert before.is_true, clause
        assert before.value == value, clause
        assert grid.see(reason, before.cells, cells), clause
    if instead is None:
        return after
    assert grid.domains[cells[0]] == {value, int(instead)}, clause
    return Statement(cells, int(instead), is_true=True)


def checked_cases(text: str, conclusion: Statement, grid: Grid) -> Iterator[Statement]:
    """Yield the assumption of each case in a sentence such as "If r1c1 is 4 or 5, …".

    Asserts before that the case is correct, and that it ends with `conclusion`.
    """
    texts = [text]
    if match := re.fullmatch(r"If (\d+) is in (.*?\bor r\d+c\d+), (.*)", text):
        names = map(grid.layout.cell_name, grid.cells(match[2]))
        texts = [f"If {name} is {match[1]}, {match[3]}" for name in names]
    elif match := re.fullmatch(r"If (r\d+c\d+) is ([\d, ]+ or \d+), (.*)", text):
        texts = [f"If {match[1]} is {value}, {match[3]}" for value in re.findall(r"\d+", match[2])]
    for each in texts:
        assumed, end = _check_case(each, grid)
        assert conclusion == end, each
        yield assumed


def _check_case(text: str, grid: Grid) -> tuple[Statement, Statement]:
    """Check a case in one sentence. Each statement must follow from the one before alone.

    Returns the first and the last statement.
    """
    first, *clauses = _clauses(without_ranges(text))
    (opening,) = grid.statements(first)
    before = opening
    for clause in clauses:
        match = re.fullmatch(r"(.*?)(?: \(([^()]*)\))?(?: but (\d+))?", clause)
        assert match, clause
        (after,) = grid.statements(_subject(match[1], before, grid))
        reason = match[2] or "same cell"
        left = grid.after([before])
        assert follows(after, reason, left, [before]), clause
        if match[3]:
            after = Statement(after.cells, int(match[3]), is_true=True)
            assert left.domains[after.cells[0]] == {after.value}, clause
        before = after
    return opening, before


def _clauses(text: str) -> list[str]:
    match = re.fullmatch(rf"[Ii]f ({_GROUP}|.*? is (?:not )?\d+), (.*)", text)
    assert match, text
    return [match[1], *match[2].split(", so ")]


def _subject(text: str, before: Statement, grid: Grid) -> str:
    """Replace "it" at the start of a text by the cell of the statement before."""
    if text.startswith("it is "):
        return f"{grid.layout.cell_name(before.cells[0])} {text.removeprefix('it ')}"
    return text
