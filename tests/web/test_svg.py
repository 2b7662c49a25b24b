import pytest
from paths import ROOT

from solver import Puzzle, parse
from solver.board.symbols import Symbols
from web.boards.deduction_drawing import any_value, pencil_marks
from web.boards.drawing import Drawing, draw
from web.boards.geometry import CELL
from web.boards.svg import LONGEST, make_picture

FOUR = "12.4...2....4..1"
FOUR_SOLVED = "1234341221434321"


def drawn(
    text: str,
    solution: str | None = None,
    *,
    symbols: str | None = None,
    wrong: tuple[str, ...] = (),
) -> Drawing:
    (puzzle,) = parse(text, format="line", symbols=symbols)
    assert isinstance(puzzle, Puzzle)
    solved = None if solution is None else puzzle.symbols.read(solution)
    return draw(puzzle.layout, puzzle.symbols, puzzle.givens, solved, wrong=frozenset(wrong))


def symbols_in(drawing: Drawing) -> list[str]:
    return [cell.symbol for row in drawing.rows for cell in row]


def kinds(text: str, solution: str | None = None, wrong: tuple[str, ...] = ()) -> str:
    drawing = drawn(text, solution, wrong=wrong)
    return "".join(cell.kind[0] for row in drawing.rows for cell in row)


def test_solution_fills_the_empty_cells() -> None:
    assert "".join(symbols_in(drawn(FOUR, FOUR_SOLVED))) == FOUR_SOLVED
    assert kinds(FOUR, FOUR_SOLVED) == "ggfgfffgffffgffg"
    assert kinds(FOUR) == "ggogooogoooogoog"


def test_cells_that_break_a_rule_are_marked() -> None:
    assert kinds("11..............", wrong=("r1c1", "r1c2")) == "ww" + "o" * 14


def test_symbols_of_the_user_are_drawn() -> None:
    drawing = drawn("ab cd . . . . ab . . . . . . . . .", symbols="ab cd ef gh")
    assert symbols_in(drawing)[:7] == ["ab", "cd", "", "", "", "", "ab"]


def test_symbols_of_the_record_are_drawn_with_its_solution() -> None:
    assert kinds("🐸🍎🫐🍋" + "_" * 12, "🐸🍎🫐🍋🍋🫐🍎🐸🍎🐸🍋🫐🫐🍋🐸🍎") == "gggg" + "f" * 12


def test_picture_places_every_symbol_in_its_cell() -> None:
    picture = make_picture(drawn(FOUR, FOUR_SOLVED))
    placed = {
        (text.y // CELL, int(x) // CELL): symbol
        for text in picture.texts
        for x, symbol in zip(text.x.split(), text.symbols, strict=True)
    }
    assert placed == {(i // 4, i % 4): symbol for i, symbol in enumerate(FOUR_SOLVED)}
    paths = {shape.kind: shape.path for shape in picture.shapes}
    assert paths["thick"] == "M0 40h80M40 0v80"
    assert (picture.width, picture.height) == (4 * CELL, 4 * CELL)


def test_symbols_of_several_characters_are_placed_as_one() -> None:
    picture = make_picture(drawn(" ".join(["12", "3", ".", "."] * 64)))
    assert picture.longest == 2
    assert {text.symbols for text in picture.texts} == {"12", "3"}
    assert all(" " not in text.x for text in picture.texts)


@pytest.mark.parametrize(
    ("words", "longest"),
    [
        ("red green blue yellow", 6),
        ("a bb ccc dddd", 4),
        ("苹果 香蕉 橙子 葡萄", 4),
        ("antidisestablishment b c d", LONGEST),
        ("🐸 🐱 🐶 🐼", 1),
        ("N E S W", 1),
        ("AA BB CC DD", 2),
    ],
)
def test_words_have_a_size_that_fits_their_cells(words: str, longest: int) -> None:
    first, *others = words.split()
    picture = make_picture(drawn(" ".join([first, *others, *["."] * 12])))
    assert picture.longest == longest
    # The same before the longest word is placed and while it is only a candidate.
    if longest > 3:
        early = drawn(" ".join([others[0], *["."] * 15]), symbols=words)
        assert make_picture(early).longest == longest


@pytest.mark.parametrize(
    ("words", "written", "kind"),
    [
        ("red green blue yellow", "r g b y", "candidate of2 short-1"),
        ("red rose blue yellow", "re ro bl ye", "candidate of2 short-2"),
        ("Anna anton otto berta", "Ann ant ott ber", "candidate of2 short-3"),
        ("north1 north2 south1 south2", "north1 north2 south1 south2", "candidate of2"),
        ("10 20 30 40", "10 20 30 40", "candidate of2"),
    ],
)
def test_candidates_show_as_many_letters_as_distinguish_the_words(
    words: str, written: str, kind: str
) -> None:
    drawing = drawn(" ".join(words.split() + ["."] * 12), symbols=words)
    texts = pencil_marks(drawing.layout, drawing.symbols, [(1, 2, 3, 4)] * 16)
    found = [text.symbols for text in texts]
    assert {letter for each in found for letter in (each if "short-1" in kind else [each])} == {
        *written.split()
    }
    assert {text.kind for text in texts} == {kind}


@pytest.mark.parametrize(
    ("symbols", "text"),
    [
        (Symbols.usual(9), "1–9"),
        (Symbols(tuple("012345678")), "0–8"),
        (Symbols.usual(16), "1–G"),
        (Symbols.numbers(16), "1–16"),
        (Symbols(("red", "green", "blue", "yellow")), "r–y"),
        (Symbols(("north1", "north2", "south1", "south2")), "any"),
    ],
)
def test_cell_that_can_have_any_value_has_the_first_and_the_last_symbol(
    symbols: Symbols, text: str
) -> None:
    assert any_value(symbols) == text


def test_every_length_of_words_has_a_size() -> None:
    style = (ROOT / "web" / "static" / "style.css").read_text()
    assert {f".letters-{n} {{ --letters: {n}; }}" for n in range(4, LONGEST + 1)} <= {
        *style.splitlines()
    }
