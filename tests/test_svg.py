import pytest

from web.boards.geometry import CELL
from web.boards.svg import make_picture
from web.boards.text import draw_text
from worker.job import JobOptions

FOUR = "12.4...2....4..1"
FOUR_SOLVED = "1234341221434321"
PLAIN = JobOptions()


def symbols(puzzle: str, solution: str | None = None, options: JobOptions = PLAIN) -> list[str]:
    drawing = draw_text(puzzle, solution, options=options)
    assert drawing is not None
    return [cell.symbol for row in drawing.rows for cell in row]


def kinds(puzzle: str, solution: str | None = None, wrong: tuple[str, ...] = ()) -> str:
    drawing = draw_text(puzzle, solution, options=PLAIN, wrong=frozenset(wrong))
    assert drawing is not None
    return "".join(cell.kind[0] for row in drawing.rows for cell in row)


def box_of(puzzle: str, solution: str | None) -> tuple[int, int]:
    drawing = draw_text(puzzle, solution, options=PLAIN)
    assert drawing is not None
    return drawing.layout.box


def test_solution_fills_what_the_puzzle_leaves_open() -> None:
    assert "".join(symbols(FOUR, FOUR_SOLVED)) == FOUR_SOLVED
    assert kinds(FOUR, FOUR_SOLVED) == "ggfgfffgffffgffg"
    assert kinds(FOUR) == "ggogooogoooogoog"


def test_cells_that_break_a_rule_are_marked() -> None:
    assert kinds("11..............", wrong=("r1c1", "r1c2")) == "ww" + "o" * 14


def test_symbols_of_the_user_are_drawn() -> None:
    words = JobOptions(symbols="ab cd ef gh")
    assert symbols("ab cd . . . . ab . . . . . . . . .", options=words)[:7] == [
        "ab", "cd", "", "", "", "", "ab",
    ]  # fmt: skip


def test_symbols_of_the_record_are_drawn_with_its_solution() -> None:
    assert kinds("🐸__🍋" + "_" * 12, "🐸🍎🫐🍋🍋🫐🍎🐸🍎🐸🍋🫐🫐🍋🐸🍎") == "gffg" + "f" * 12


@pytest.mark.parametrize("text", ["", "hello", "1" * 80, "53.."])
def test_what_is_no_grid_is_not_drawn(text: str) -> None:
    assert draw_text(text, None, options=PLAIN) is None


def test_box_that_fits_the_solution_is_drawn() -> None:
    # Boxes of 3×2 where 2×3 is usual: the record said so, and that is not kept.
    solution = "".join(
        str((2 * (row % 3) + row // 3 + column) % 6 + 1) for row in range(6) for column in range(6)
    )
    assert box_of("." * 36, None) == (2, 3)
    assert box_of("." * 36, solution) == (3, 2)


def test_picture_places_every_symbol_in_its_cell() -> None:
    drawing = draw_text(FOUR, FOUR_SOLVED, options=PLAIN)
    assert drawing is not None
    picture = make_picture(drawing)
    placed = {
        (text.y // CELL, int(x) // CELL): symbol
        for text in picture.texts
        for x, symbol in zip(text.x.split(), text.symbols, strict=True)
    }
    assert placed == {(i // 4, i % 4): symbol for i, symbol in enumerate(FOUR_SOLVED)}
    paths = {shape.kind: shape.path for shape in picture.shapes}
    assert paths["thick"] == "M0 40h80M40 0v80"
    assert (picture.left, picture.top) == (0, 0)
    assert (picture.width, picture.height) == (4 * CELL, 4 * CELL)


def test_symbols_of_several_characters_are_placed_as_one() -> None:
    drawing = draw_text(" ".join(["12", "3", ".", "."] * 64), None, options=PLAIN)
    assert drawing is not None
    picture = make_picture(drawing)
    assert picture.longest == 2
    assert {text.symbols for text in picture.texts} == {"12", "3"}
    assert all(" " not in text.x for text in picture.texts)
