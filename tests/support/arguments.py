"""Check the sentences of chains and nets against the candidates of the grid, by brute force.

Nothing here knows how the sentences were made. Each statement is read from the text and must follow
from the statements that it names, and from nothing else.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from sentence_checker.names import numbers_in

from solver import Layout
from solver.logic.sentences.places import house_name

CELL = re.compile(r"r(\d+)c(\d+)")
_RUN = re.compile(r"r(\d+)c(\d+)–r(\d+)c(\d+)")
_LINE = re.compile(r"(\d+)\. (.*)\.")
_RANGE = r"\d+(?:–\d+)?"
_LINES = rf"lines? {_RANGE}(?:,? and {_RANGE}|, {_RANGE})*"
_NAMES = rf"((?:the assumption|this case)(?: and {_LINES})?|{_LINES})"
_BRIEF = re.compile(rf"(.*) \((?:([^()]*?); )?{_NAMES}\)")
_PATTERN = re.compile(rf"(.*?): (.*) \({_NAMES}\)")
_GROUP = r"\d+ is in (?:r\d+c\d+, )*r\d+c\d+,? or r\d+c\d+"
_STEP = re.compile(r"((?:one of )?r\d+c\d+[^()]*? is \d+) \(([^()]*)\)")


class Statement(NamedTuple):
    """The statement that one of the cells has the value (`is_true`), or that none does."""

    cells: tuple[int, ...]
    value: int
    is_true: bool


@dataclass
class Grid:
    """The candidates of each cell, from which statements remove some."""

    layout: Layout
    domains: list[set[int]]
    houses: dict[str, tuple[int, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.houses = {house_name(self.layout, house): house.cells for house in self.layout.houses}

    @staticmethod
    def of(layout: Layout, bits: Iterable[int]) -> "Grid":
        values = range(1, layout.size + 1)
        return Grid(layout, [{v for v in values if mask >> (v - 1) & 1} for mask in bits])

    def after(self, statements: Iterable[Statement]) -> "Grid":
        """Return the grid without the candidates that the statements remove."""
        domains = [set(values) for values in self.domains]
        for cells, value, is_true in statements:
            if not is_true:
                for cell in cells:
                    domains[cell].discard(value)
                continue
            if len(cells) == 1:
                domains[cells[0]] &= {value}
            for cell in range(self.layout.cells):
                if all(self.link(one, cell) for one in cells):
                    domains[cell].discard(value)
        return Grid(self.layout, domains)

    def link(self, one: int, other: int) -> str | None:
        """Return a house or "rule" through which two cells see each other, or None."""
        if one == other:
            return None
        for name, cells in self.houses.items():
            if one in cells and other in cells:
                return name
        pairs = {frozenset(pair) for links in self.layout.links for pair in links.pairs}
        return "rule" if frozenset((one, other)) in pairs else None

    def see(self, through: str, cells: Iterable[int], others: Iterable[int]) -> bool:
        """Return whether all cells see all others through houses or rules such as "row 1"."""
        pairs = [frozenset(pair) for pair in product(cells, others)]
        for name in through.split(" and "):
            seen = [
                frozenset(pair)
                for links in self.layout.links
                if links.kind in name
                for pair in links.pairs
            ]
            house = set(self.houses.get(name, ()))
            pairs = [pair for pair in pairs if pair not in seen and not pair <= house]
        return not pairs

    def places(self, house: str, value: int) -> set[int]:
        return {cell for cell in self.houses[house] if value in self.domains[cell]}

    def cell(self, name: str) -> int:
        row, column = map(int, CELL.fullmatch(name).groups())  # type: ignore[union-attr]
        return (row - 1) * self.layout.columns + column - 1

    def cells(self, text: str) -> tuple[int, ...]:
        return tuple(self.cell(match[0]) for match in CELL.finditer(text))

    def statements(self, text: str) -> list[Statement]:
        """Read statements such as "neither r1c1 nor r1c2 is 5" or "r1c1 is not 5 or 6"."""
        text = text[:1].lower() + text[1:]
        if match := re.fullmatch(r"(?:neither|none of) (.*) is (\d+)", text):
            return [Statement(self.cells(match[1]), int(match[2]), is_true=False)]
        if match := re.fullmatch(r"(\d+) is in (.*)", text):
            return [Statement(self.cells(match[2]), int(match[1]), is_true=True)]
        if match := re.fullmatch(r"(one of .*|r\d+c\d+) is (\d+)", text):
            return [Statement(self.cells(match[1]), int(match[2]), is_true=True)]
        denied = re.findall(r"((?:r\d+c\d+(?:, and |, | and )?)+) (?:is|are) not ([\d, or]+)", text)
        return [
            Statement((cell,), int(value), is_true=False)
            for names, values in denied
            for cell, value in product(self.cells(names), re.findall(r"\d+", values))
        ]


def _without_ranges(text: str) -> str:
    """Replace ranges such as "r1c2–r1c4" by lists of their cells."""

    def listed(match: re.Match[str]) -> str:
        top, left, bottom, right = map(int, match.groups())
        rows, columns = range(top, bottom + 1), range(left, right + 1)
        return ", ".join(f"r{row}c{column}" for row in rows for column in columns)

    return _RUN.sub(listed, text)


def check_net(text: str, grid: Grid) -> int:
    """Check a contradiction or a verity, line by line. Return its number of numbered lines."""
    text = _without_ranges(text)
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
    """Check numbered lines. Return what each number and the assumption's name stand for."""
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
            assert _follows(statement, reason or "", left, named), body
    return statements


def _names(after: str) -> list[str]:
    return [*re.findall(r"the assumption|this case", after), *numbers_in(after)]


def _follows(statement: Statement, reason: str, left: Grid, named: list[Statement]) -> bool:
    """Return whether a statement follows for a reason such as "row 4" or "last place in row 4".

    `named` are the statements of the lines that the text names, and `left` is the grid after them.
    """
    cells, value, is_true = statement
    if is_true and reason == "last candidate":
        return left.domains[cells[0]] <= {value}
    if is_true:
        name = _house_of_last_places(reason, cells)
        house = left.houses[name]
        is_whole = len(house) == left.layout.size and set(cells) <= set(house)
        return is_whole and left.places(name, value) <= set(cells)
    if reason == "same cell":
        return any(one.is_true and one.cells == cells and one.value != value for one in named)
    if not reason:
        return all(value not in left.domains[cell] for cell in cells)
    return any(
        one.is_true and one.value == value and left.see(reason, one.cells, cells) for one in named
    )


def _house_of_last_places(reason: str, cells: Sequence[int]) -> str:
    """Return the house in "last place in row 4", or in "last places …" for several cells."""
    match = re.fullmatch(r"last place(s?) (?:in|on) (.*)", reason)
    assert match, reason
    assert bool(match[1]) == (len(cells) > 1), reason
    return match[2]


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
    """Return whether the opposite of a false statement leads to a contradiction, step by step."""
    left = left.after([statement._replace(is_true=True)])
    known = [statement._replace(is_true=True)]
    matches = list(_STEP.finditer(text))
    # The last two exclude each other, so each must follow without the other.
    last = len(matches) - 2 if " cannot " in text else len(matches)
    for number, match in enumerate(matches):
        (step,) = left.statements(match[1])
        if not _follows(step, match[2], left, []):
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
        return is_empty(text, left)
    return len(both) == 2 and both <= {(one.cells, one.value) for one in known}


def is_empty(text: str, left: Grid) -> bool:
    """Return whether a text is true that says that a cell has no candidate, or a value no place."""
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
        assert is_empty(said, grid.after(named)), text


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
            *others, assumed = _checked_cases(opening.removesuffix("."), conclusion, grid)
            cases += others
        cases.append(assumed)
    _check_complete(first, cases, grid)
    return len([name for name in numbered if name.isdigit()])


def _cases(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    starts = [number for number, line in enumerate(lines) if line.startswith("If ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start], lines[start + 1 : end]


def _check_complete(text: str, cases: list[Statement], grid: Grid) -> None:
    """Check that one of the cases must hold."""
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


def check_chain(text: str, grid: Grid) -> tuple[Statement, Statement]:
    """Check "If …, …, so …". Return its first and its last statement.

    The house of a link must contain both of its ends.
    """
    first, *clauses = _clauses(_without_ranges(text))
    (opening,) = grid.statements(first)
    before = opening
    known = [opening]
    for clause in clauses:
        before = _check_clause(clause, before, known, grid)
        known.append(before)
    return opening, before


def _check_case(text: str, grid: Grid) -> tuple[Statement, Statement]:
    """Check a case in one sentence. Each statement must follow from the one before alone."""
    first, *clauses = _clauses(_without_ranges(text))
    (opening,) = grid.statements(first)
    before = opening
    for clause in clauses:
        match = re.fullmatch(r"(.*?)(?: \(([^()]*)\))?(?: but (\d+))?", clause)
        assert match, clause
        (after,) = grid.statements(_subject(match[1], before, grid))
        reason = match[2] or "same cell"
        left = grid.after([before])
        assert _follows(after, reason, left, [before]), clause
        if match[3]:
            after = Statement(after.cells, int(match[3]), is_true=True)
            assert left.domains[after.cells[0]] == {after.value}, clause
        before = after
    return opening, before


def _checked_cases(text: str, conclusion: Statement, grid: Grid) -> Iterator[Statement]:
    """Yield the assumption of each case in a sentence.

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


def _clauses(text: str) -> list[str]:
    match = re.fullmatch(rf"[Ii]f ({_GROUP}|.*? is (?:not )?\d+), (.*)", text)
    assert match, text
    return [match[1], *match[2].split(", so ")]


def _subject(text: str, before: Statement, grid: Grid) -> str:
    """Replace "it" by the cell of the statement before."""
    if text.startswith("it is "):
        return f"{grid.layout.cell_name(before.cells[0])} {text.removeprefix('it ')}"
    return text


def _check_clause(clause: str, before: Statement, known: list[Statement], grid: Grid) -> Statement:
    """Check that a link follows from the statement `before`, and return what it states.

    Cells that the statements in `known` fill with other values are no places for a value.
    """
    match = re.fullmatch(r"(.*?)(?: \(([^()]*)\))?(?: but (\d+))?", clause)
    assert match, clause
    text, reason, instead = match.groups()
    (after,) = grid.statements(_subject(text, before, grid))
    cells, value, is_true = after
    if is_true and reason is None:
        assert grid.after([before]).domains[cells[0]] == {value}, clause
    elif is_true:
        house = _house_of_last_places(reason, cells)
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
