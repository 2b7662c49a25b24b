"""Lines of text in books, cut into columns."""

from collections.abc import Sequence

from web.books.text_pages import Line, cut_into_columns

SIZE = 10.0
HEIGHT = Line("", SIZE).height


def column_texts(lines: Sequence[Line], most: int, shorter: int = 0) -> list[str]:
    columns = cut_into_columns(lines, most * HEIGHT, shorter=shorter, by=2 * HEIGHT)
    return ["".join(line.text for line in column) for column in columns]


def test_columns_below_a_title_are_shorter() -> None:
    lines = [Line(letter, SIZE) for letter in "abcdefghij"]
    assert column_texts(lines, 4, shorter=2) == ["ab", "cd", "efgh", "ij"]


def test_lines_that_belong_together_are_in_one_column() -> None:
    lines = [Line(letter, SIZE, kept=2 if letter == "C" else 0) for letter in "abCdefg"]
    assert column_texts(lines, 4) == ["ab", "Cdef", "g"]


def test_lines_that_fit_without_the_space_above_them_stay_together() -> None:
    lines = [Line("a", SIZE), Line("B", SIZE, above=5, kept=2), Line("c", SIZE), Line("d", SIZE)]
    assert column_texts(lines, 3) == ["a", "Bcd"]


def test_lines_that_fill_more_than_a_column_are_still_printed() -> None:
    lines = [Line(letter, SIZE, kept=9 if letter == "B" else 0) for letter in "aBcdefg"]
    assert column_texts(lines, 3) == ["a", "Bcd", "efg"]
