"""Reader and runner for HoDoKu's library of technique regression tests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from solver.board.layout import Layout
from solver.logic.board import Board
from solver.logic.board_tables import Unexplained, board_of
from solver.logic.deduction import Candidate, Deduction, read
from solver.logic.deduction_buffer import OVERFLOW, new_buffer, written
from solver.logic.grid import Grid, grid_of
from solver.logic.registry import SOLVING_ORDER
from solver.logic.technique import Technique
from solver.logic.technique_table import TECHNIQUES
from solver.logic.techniques.almost_locked_sets import OVERLAPPING_XY_WING
from solver.logic.techniques.death_blossom import OVERLAPPING_BLOSSOM
from solver.logic.techniques.empty_rectangle import SMALL_EMPTY_RECTANGLE
from solver.logic.techniques.nice_loops import ONLY_GROUPED, WITH_SETS
from solver.logic.techniques.rectangles import FULL_RECTANGLE

_LAYOUT = Layout.boxed(3, 3)

# Some cases expect a variant of a technique, e.g. without missing candidates or with a smaller
# pattern.
_VARIANTS: dict[str, Technique] = {
    "0402-1": SMALL_EMPTY_RECTANGLE,
    "0709": ONLY_GROUPED,
    "0710": ONLY_GROUPED,
    "0711": ONLY_GROUPED,
    **dict.fromkeys(("0709-2", "0710-3", "0710-4", "0711-3", "0711-4"), WITH_SETS),
    "0902-2": OVERLAPPING_XY_WING,
    "0904-2": OVERLAPPING_BLOSSOM,
    **{f"060{number}-1": FULL_RECTANGLE for number in range(7)},
}


# Cases of these techniques name the values they remove. Other cases name the values of the pattern.
_BY_ELIMINATIONS = {
    *("0706", "0707", "0708", "0709", "0710", "0711"),
    *("0901", "0902", "0903", "0904", "1101"),
}


@dataclass(frozen=True, slots=True)
class Case:
    """One case of the library: a grid, a technique, and the only result that it may find there."""

    number: int  # line number in the file
    line: str
    name: str  # technique code and variant
    values: frozenset[int]
    givens: str
    deleted: tuple[Candidate, ...]
    eliminations: frozenset[Candidate]
    placements: frozenset[Candidate]
    length: int | None

    @property
    def code(self) -> str:
        return self.name.split("-")[0]

    @property
    def siamese(self) -> bool:
        return len(self.code) == 5

    @property
    def fails(self) -> bool:
        """Whether the technique must not find anything."""
        return self.name.endswith("-x")


def cases(path: Path | str) -> Iterator[Case]:
    for number, line in enumerate(Path(path).read_text("utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            name, values, givens, deleted, gone, placed, extra, *_ = [*line.split(":")[1:], "", ""]
            yield Case(
                number,
                line,
                name,
                frozenset(map(int, values)) if values.isdigit() else frozenset(),
                givens,
                tuple(_candidates(deleted)),
                frozenset(_candidates(gone)),
                frozenset(_candidates(placed)),
                int(extra) if extra.isdigit() else None,
            )


def _candidates(text: str) -> Iterator[Candidate]:
    for word in text.split():
        value, row, column = map(int, word)
        yield Candidate(9 * row + column - 10, value)


def start(case: Case) -> tuple[Board, Grid]:
    """Return the board and the grid, with its candidates, in which a case starts.

    Cells after a "+" are solved cells, not givens.
    """
    board = board_of(_LAYOUT)
    assert not isinstance(board, Unexplained)
    solved: list[int] = []
    values: list[int] = []
    for symbol in case.givens:
        if symbol == "+":
            solved.append(len(values))
        else:
            values.append(int(symbol) if symbol.isdigit() else 0)
    candidates = [511] * 81
    for cell, value in case.deleted:
        candidates[cell] &= ~(1 << (value - 1))
    grid = grid_of(board, values, candidates=candidates)
    grid.given[solved] = 0
    return board, grid


def found(case: Case) -> list[Deduction] | None:
    """Return all deductions with the case's technique code in its grid.

    For a siamese fish, these are the pairs of fish.
    Returns None if sudokuq doesn't have the technique.
    """
    technique = _VARIANTS.get(case.name) or _VARIANTS.get(case.code)
    if technique is None:
        technique = next((one for one in SOLVING_ORDER if case.code[:4] in one.codes), None)
    if technique is None:
        return None
    board, grid = start(case)
    rows = 1 << 14
    while True:
        buffer = new_buffer(rows)
        technique.all_steps(board, grid, buffer)
        if not buffer[OVERFLOW]:
            break
        rows *= 4
    everything = list(read(written(buffer)))
    if case.siamese:
        everything = siamese(everything)
    return [one for one in everything if one.code == case.code]


def concerned(case: Case, deduction: Deduction) -> bool:
    """Return whether a deduction involves exactly the values that a case names, if it names any."""
    singles = {value for _, value in deduction.placements}
    named = singles or frozenset(deduction.values)
    if case.code in _BY_ELIMINATIONS:
        named = {value for _, value in deduction.eliminations}
    return not case.values or named == case.values


def run(case: Case) -> str:
    """Run a case, and return "" if it passes, "none" for an unknown technique, or the failure.

    It passes if all deductions with the case's values have its result, and there is at least one.
    If the case expects a failure, there must be none.
    """
    all_found = found(case)
    if all_found is None:
        return "none"
    mine = [one for one in all_found if concerned(case, one)]
    if case.fails:
        return f"found {mine[0]}" if mine else ""
    if not mine:
        return f"found nothing, {len(all_found)} of other values"
    for one in mine:
        if frozenset(one.eliminations) != case.eliminations and not one.placements:
            return f"removes {sorted(one.eliminations)}"
        if frozenset(one.placements) != case.placements:
            return f"places {one.placements}"
    return ""


def siamese(fish: Sequence[Deduction]) -> list[Deduction]:
    """Return the siamese fish that pairs of fish form.

    Both fish of a pair have the same type, value, and base houses, and different eliminations. A
    siamese fish removes the candidates of both. Its code is the first one's with a 1 appended.
    """
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
    """Return a fish's type without its size.

    Finned and sashimi fish count as the same type.
    """
    return " ".join(TECHNIQUES[fish.code].name.replace("Sashimi", "Finned").split()[:-1])
