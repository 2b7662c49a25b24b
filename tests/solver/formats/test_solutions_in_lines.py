"""A puzzle and its solution in one line aren't a jigsaw, however they are separated."""

import pytest

from solver import Puzzle, parse
from solver.formats import read_block, recognize
from solver.formats.format import Block, ReadOptions, Recognized

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
OTHER = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
OTHER_SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
OPTIONS = ReadOptions()
SMALL, SMALL_SOLVED = "12.4...2....4..1", "1234341221434321"


def expected(text: str) -> list[str]:
    """Return the solutions in an upload with which the found ones are to be compared.

    Asserts that no record is invalid or has a name.
    """
    recognized = recognize(text.encode(), final=True)
    assert isinstance(recognized, Recognized)
    name, context = recognized.format.name, recognized.context
    records = read_block(Block(text.encode(), 0, 1), format=name, context=context, options=OPTIONS)
    assert not records.invalid
    assert not records.names
    grids = [group.expected for group in records.groups if group.expected is not None]
    return ["".join(map(str, solution)) for grid in grids for solution in grid.tolist()]


@pytest.mark.parametrize("header", ["", "puzzle{}solution\n", "quizzes{}solutions\n"])
@pytest.mark.parametrize("between", ["\t", " ", "   ", "", ",", ";", "|"])
@pytest.mark.parametrize("blank", [".", "0"])
def test_solution_after_its_puzzle_is_not_read_as_a_jigsaw(
    header: str, between: str, blank: str
) -> None:
    if header and between in ("", "   "):
        return
    pairs = [(PUZZLE, SOLVED), (OTHER, OTHER_SOLVED)]
    lines = [f"{puzzle.replace('.', blank)}{between}{solved}\n" for puzzle, solved in pairs]
    found = parse(header.format(between) + "".join(lines))
    assert all(isinstance(each, Puzzle) and each.layout.box == (3, 3) for each in found)
    assert [str(each).replace("0", ".") for each in found] == [PUZZLE, OTHER]


@pytest.mark.parametrize("between", ["\t", " ", "", "   "])
def test_solution_after_its_puzzle_is_compared(between: str) -> None:
    assert expected(f"{SMALL}{between}{SMALL_SOLVED}\n") == [SMALL_SOLVED]
    assert expected(f"{PUZZLE}{between}{SOLVED}\n") == [SOLVED]


@pytest.mark.parametrize("between", ["\t", " "])
def test_a_wrong_solution_is_compared_too(between: str) -> None:
    turned = SOLVED.translate(str.maketrans("123456789", "214365879"))
    assert expected(f"{PUZZLE}{between}{turned}\n") == [turned]


def test_lines_without_a_solution_are_read_between_others() -> None:
    found = parse(f"{PUZZLE} {SOLVED}\n{OTHER}\n{PUZZLE} {SOLVED}\n")
    assert [str(each) for each in found] == [PUZZLE, OTHER, PUZZLE]
