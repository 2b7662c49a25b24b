"""Check the numbered lines of nets against the candidates of the grid, by brute force.

Nothing here knows how the lines were made. Each statement is read from the text and must follow
from the statements that it names, and from nothing else.
"""

import re
from collections.abc import Iterator
from itertools import product

from argument_grid import Grid, Statement, follows, without_ranges
from chain_checks import checked_cases
from sentence_checker.names import numbers_in

_LINE = re.compile(r"(\d+)\. (.*)\.")
_RANGE = r"\d+(?:–\d+)?"
_LINES = rf"lines? {_RANGE}(?:,? and {_RANGE}|, {_RANGE})*"
_NAMES = rf"((?:the assumption|this case)(?: and {_LINES})?|{_LINES})"
_BRIEF = re.compile(rf"(.*) \((?:([^()]*?); )?{_NAMES}\)")
_PATTERN = re.compile(rf"(.*?): (.*) \({_NAMES}\)")
_STEP = re.compile(r"((?:one of )?r\d+c\d+[^()]*? is \d+) \(([^()]*)\)")


def check_net(text: str, grid: Grid) -> int:
    """Check a contradiction or a verity, line by line. Return its number of numbered lines.

    Fails with an AssertionError if something is wrong or unknown.
    """
    text = without_ranges(text)
    first, *lines = text.split("\n")
    if match := re.fullmatch(r"Suppose (.*)\.", first):
        (assumed,) = grid.statements(match[1])
        known = _check_lines(lines[:-1], grid, {"the assumption": [assumed]}, {})
        _check_contradiction(lines[-1], grid, known)
        return len(known) - 1
    return _check_verity(text, grid)


def _check_lines(
    lines: list[str],
    grid: Grid,
    assumption: dict[str, list[Statement]],
    numbered: dict[str, list[Statement]],
) -> dict[str, list[Statement]]:
    """Check numbered lines. Return the statements of each number and of the assumption.

    No number may be in `numbered`, which are the lines of the cases before.
    """
    known = dict(assumption)
    for line in lines:
        match = _LINE.fullmatch(line)
        assert match, line
        number, body = match.groups()
        assert number not in known | numbered, line
        known[number] = _check_line(body, grid, known)
    return known


def _check_line(body: str, grid: Grid, known: dict[str, list[Statement]]) -> list[Statement]:
    pattern = _PATTERN.fullmatch(body)
    brief = _BRIEF.fullmatch(body)
    match = pattern or brief
    assert match, body
    text, reason, after = match.groups()
    named = [one for name in _names(after) for one in known[name]]
    statements = grid.statements(text)
    assert statements, body
    left = grid.after(named)
    for statement in statements:
        if pattern:
            assert _pattern_holds(reason, left, statement), body
        else:
            assert follows(statement, reason or "", left, named), body
    return statements


def _names(after: str) -> list[str]:
    return [*re.findall(r"the assumption|this case", after), *numbers_in(after)]


def _pattern_holds(reason: str, left: Grid, statement: Statement) -> bool:
    """Return whether the pattern in `reason` is in the grid `left` and proves a false statement.

    It does if it removes the candidate that the statement says is false.
    """
    (cell,), value, is_true = statement
    assert not is_true
    if match := re.fullmatch(r"the (\d+) of (.*) is in (.*)", reason):
        places = left.places(match[2], value)
        target = set(left.houses[match[3]])
        return bool(places) and places <= target and cell in target - set(left.houses[match[2]])
    if match := re.fullmatch(r"(.*) hold the (\d+) and (\d+) of (.*)", reason):
        pair, cells = {int(match[2]), int(match[3])}, set(left.cells(match[1]))
        places = set().union(*(left.places(match[4], one) for one in pair))
        return len(cells) == 2 and places <= cells and cell in cells and value not in pair
    if match := re.fullmatch(r"(.*) use up (\d+) and (\d+) in (.*)", reason):
        pair, cells = {int(match[2]), int(match[3])}, set(left.cells(match[1]))
        house = set(left.houses[match[4]])
        is_pair = len(cells) == 2 and all(left.domains[one] <= pair for one in cells)
        return is_pair and cells <= house and cell in house - cells and value in pair
    if match := re.fullmatch(r"in (\w+)s (\d+) and (\d+), (\d+) is only in (\w+)s (.*)", reason):
        covers = [f"{match[5]} {number}" for number in re.findall(r"\d+", match[6])]
        covered = set().union(*(left.houses[name] for name in covers))
        lines = [f"{match[1]} {match[2]}", f"{match[1]} {match[3]}"]
        places = set().union(*(left.places(name, value) for name in lines))
        outside = covered.difference(*(left.houses[name] for name in lines))
        return len(covers) == 2 and places <= covered and cell in outside and value == int(match[4])
    assert reason.startswith("otherwise "), reason
    return _is_refuted(reason.removeprefix("otherwise "), left, statement)


def _is_refuted(text: str, left: Grid, statement: Statement) -> bool:
    """Return whether the opposite of a false statement leads to a contradiction.

    `text` are the steps and the contradiction. Each step must follow from those before it.
    """
    left = left.after([statement._replace(is_true=True)])
    known = [statement._replace(is_true=True)]
    matches = list(_STEP.finditer(text))
    # The last two exclude each other, so each must follow without the other.
    last = len(matches) - 2 if " cannot " in text else len(matches)
    for number, match in enumerate(matches):
        (step,) = left.statements(match[1])
        if not follows(step, match[2], left, []):
            return False
        known.append(step)
        if number < last:
            left = left.after([step])
    if end := re.search(r"(r\d+c\d+) cannot be both (\d+) and (\d+)$", text):
        both = {(left.cells(end[1]), int(end[2])), (left.cells(end[1]), int(end[3]))}
    elif end := re.search(r"(r\d+c\d+) and (r\d+c\d+) cannot both be (\d+) \((.*)\)$", text):
        both = {(left.cells(end[group]), int(end[3])) for group in (1, 2)}
        if not left.see(end[4], left.cells(end[1]), left.cells(end[2])):
            return False
    else:
        return _is_empty(text, left)
    return len(both) == 2 and both <= {(one.cells, one.value) for one in known}


def _is_empty(text: str, left: Grid) -> bool:
    """Return whether the grid confirms that a cell has no candidate, or a value no place.

    Asserts that the text states one of these.
    """
    if match := re.search(r"(r\d+c\d+) has no candidate left", text):
        return not left.domains[left.cell(match[1])]
    match = re.search(r"here is no place left for (\d+) (?:in|on) ([^().]*\d)", text)
    assert match, text
    return not left.places(match[2], int(match[1]))


def _check_contradiction(text: str, grid: Grid, known: dict[str, list[Statement]]) -> None:
    if match := re.match(r"(.*?) contradict each other(?: \((.*?)\))?\. ", text):
        first, second = (known[name] for name in _names(match[1].lower()))
        assert any(_exclude(*pair, match[2], grid) for pair in product(first, second)), text
        return
    if match := re.match(r"Line (\d+) contradicts the assumption\. ", text):
        (assumed,) = known["the assumption"]
        assert assumed._replace(is_true=not assumed.is_true) in known[match[1]], text
        return
    match = re.match(rf"(.*) \((?:([^()]*); )?{_NAMES}\)\. ", text)
    assert match, text
    said, house, names = match.groups()
    named = [one for name in _names(names) for one in known[name]]
    if match := re.fullmatch(r"(r\d+c\d+) cannot be both (\d+) and (\d+)", said):
        cells = grid.cells(match[1])
        both = [Statement(cells, int(match[group]), is_true=True) for group in (2, 3)]
        assert sorted(named) == sorted(both), text
        assert match[2] != match[3], text
    elif match := re.fullmatch(r"(r\d+c\d+) and (r\d+c\d+) cannot both be (\d+)", said):
        one, other = (grid.cells(match[group]) for group in (1, 2))
        both = [Statement(cells, int(match[3]), is_true=True) for cells in (one, other)]
        assert sorted(named) == sorted(both), text
        assert one != other, text
        assert grid.see(house, one, other), text
    else:
        assert _is_empty(said, grid.after(named)), text


def _exclude(one: Statement, other: Statement, house: str | None, grid: Grid) -> bool:
    if house is None:
        return one == other._replace(is_true=not other.is_true)
    is_same = one.is_true and other.is_true and one.value == other.value
    return is_same and grid.see(house, one.cells, other.cells)


def _check_verity(text: str, grid: Grid) -> int:
    """Check that the cases are complete, and that each of them ends in the conclusion.

    Returns the number of numbered lines.
    """
    first, *lines, last = text.split("\n")
    match = re.match(r"In every case, (.*?)\. ", last)
    assert match, text
    (conclusion,) = grid.statements(match[1])
    numbered: dict[str, list[Statement]] = {}
    cases: list[Statement] = []
    for opening, inner in _cases(lines):
        if inner:
            (assumed,) = grid.statements(opening.removeprefix("If ").removesuffix(":"))
            known = _check_lines(inner, grid, {"this case": [assumed]}, numbered)
            numbered |= known
            assert conclusion in list(known.values())[-1], text
        elif opening.endswith(", nothing remains to be shown."):
            (assumed,) = grid.statements(opening.removeprefix("If ").split(", ")[0])
            assert conclusion == assumed, text
        else:
            *others, assumed = checked_cases(opening.removesuffix("."), conclusion, grid)
            cases += others
        cases.append(assumed)
    _check_complete(first, cases, grid)
    return len([name for name in numbered if name.isdigit()])


def _cases(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    starts = [number for number, line in enumerate(lines) if line.startswith("If ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start], lines[start + 1 : end]


def _check_complete(text: str, cases: list[Statement], grid: Grid) -> None:
    """Check that one of the cases must hold, and that the text names exactly these cases."""
    if match := re.fullmatch(r"(?:In|On) (.*?), (\d+) is in (.*)\.", text):
        cells = set(grid.cells(match[3]))
        assert grid.places(match[1], int(match[2])) == cells, text
        assert {(one.cells, one.value) for one in cases} == {((c,), int(match[2])) for c in cells}
    elif match := re.fullmatch(r"Either (r\d+c\d+) is (\d+) or it is not\.", text):
        one, other = cases
        assert one == other._replace(is_true=not other.is_true), text
    else:
        match = re.fullmatch(r"(r\d+c\d+) is (.*)\.", text)
        assert match, text
        values = set(map(int, re.findall(r"\d+", match[2])))
        cell = grid.cell(match[1])
        assert grid.domains[cell] == values, text
        assert {(one.cells, one.value) for one in cases} == {((cell,), v) for v in values}
