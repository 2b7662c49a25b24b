"""Killer puzzles drawn as a grid of cage sums and arrows that lead to them."""

import pytest

from solver import Invalid, Puzzle, parse
from solver.formats.grids.arrows import SUMS

KILLER = "G<<L<K<L<^G>^>^E^^>^IJ<G^<G^>^^I^<>^HC<C^<B^N^^G^<>^>^^E^<DF<^PG^<>^^J<^^<H<<>^>^"
CODES = list(KILLER)
NUMBERS = [str(SUMS.index(code)) if code in SUMS else code for code in KILLER]
DRAWN = [cell.translate(str.maketrans("^v<>", "↑↓←→")) for cell in NUMBERS]


def draw(cells: list[str], *, between: str, bar: str, rule: str) -> str:
    width = max(map(len, cells))
    lines = []
    for row in range(9):
        lines += [rule] if rule and row in (3, 6) else []
        aligned = [cell.rjust(width) for cell in cells[9 * row : 9 * row + 9]]
        lines.append(bar.join(between.join(aligned[box : box + 3]) for box in (0, 3, 6)))
    return "\n".join(lines) + "\n"


GRIDS = {
    "numbers": draw(NUMBERS, between=" ", bar=" | ", rule="---------+----------+---------"),
    "drawn arrows": draw(DRAWN, between="  ", bar=" | ", rule="-" * 30),
    "codes": draw(CODES, between="", bar="|", rule="---+---+---"),
    "spaced codes": draw(CODES, between=" ", bar=" | ", rule="------+-------+------"),
    "rows alone": draw(CODES, between="", bar="", rule=""),
}


@pytest.mark.parametrize("name", GRIDS)
def test_arrow_grid_gives_the_cages_of_the_compact_notation(name: str) -> None:
    (expected,) = parse(KILLER)
    first, second = parse(f"One\n{GRIDS[name]}\nTwo\n{GRIDS[name]}")
    assert isinstance(expected, Puzzle)
    assert isinstance(first, Puzzle)
    assert isinstance(second, Puzzle)
    assert first.layout == second.layout == expected.layout
    assert (first.name, second.name) == ("One", "Two")


def test_small_arrow_grid_is_a_killer_of_its_size() -> None:
    (found,) = parse("5 < | 5 <\n> 6 | ^ 4\n----+----\n4 < | 7 <\n> 5 | > 4\n")
    assert isinstance(found, Puzzle)
    assert found.layout.size == 4
    assert len(found.layout.constraints) == 8


def test_arrow_that_leads_to_no_sum_is_located() -> None:
    (found,) = parse(GRIDS["numbers"].replace("16", " ^"))
    assert isinstance(found, Invalid)
    assert found.detail == "r1c1: the arrow doesn't lead to a cage sum"
