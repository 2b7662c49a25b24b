"""Grids drawn in many styles are parsed exactly or rejected with a message, never misread."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import Invalid, parse
from solver.board.layout import usual_box

SYMBOLS = "123456789ABCDEFGHIJKLMNOP"
BOXES = [
    (high, wide)
    for size in range(4, 26)
    for high in range(2, size)
    if size % high == 0 and (wide := size // high) > 1
]
TITLES = ["", "easy", "No. 7", "case 1", "2024-05-01", "// easy", "; hard one", "% 12", "*** "]
TITLES += ["(1)", "s01a", "Sudoku", "puzzle", "[easy]", "Grid 01", "--- 3 ---", "Level: very hard"]
COMMENTS = ["", "by Ann", "(c) 2024", "# from a book", "%", ";"]


@dataclass(frozen=True)
class Board:
    """A board to draw: its box size and the value of each cell, 0 for an empty one."""

    box: tuple[int, int]
    cells: tuple[int, ...]

    @property
    def size(self) -> int:
        return self.box[0] * self.box[1]

    def rows(self, texts: list[str]) -> list[list[str]]:
        return [texts[start : start + self.size] for start in range(0, len(texts), self.size)]


def solution(box: tuple[int, int], rng: random.Random) -> list[int]:
    """Return a solved grid: a cyclic pattern with shuffled values, bands, and stacks."""
    high, wide = box
    size = high * wide

    def shuffled(groups: int, each: int) -> list[int]:
        order = [[group * each + n for n in range(each)] for group in range(groups)]
        rng.shuffle(order)
        for group in order:
            rng.shuffle(group)
        return [line for group in order for line in group]

    rows, columns = shuffled(wide, high), shuffled(high, wide)
    values = rng.sample(range(1, size + 1), size)
    return [values[(wide * (r % high) + r // high + c) % size] for r in rows for c in columns]


def board(box: tuple[int, int], share: float, seed: int) -> Board:
    rng = random.Random(seed)
    return Board(box, tuple(v if rng.random() < share else 0 for v in solution(box, rng)))


# A style draws rows of cells, whose texts have one width, for a given box size.
Style = Callable[[list[list[str]], tuple[int, int]], list[str]]


def boxed(cell: str, bar: str, *, outer: bool, rule: str, cross: str, every: bool = False) -> Style:
    """Return a style with bars and rules between boxes or, with `every`, between all cells.

    `cell` separates cells, `bar` is a vertical line, `rule` a piece of a horizontal one, and
    `cross` their crossing. With `outer`, there are lines around the grid, too.
    """

    def draw(rows: list[list[str]], box: tuple[int, int]) -> list[str]:
        high, wide = (1, 1) if every else box
        lines = []
        for row in rows:
            groups = [cell.join(row[start : start + wide]) for start in range(0, len(row), wide)]
            line = f" {bar} ".join(groups)
            lines.append(f"{bar} {line} {bar}" if outer else line)
        width = [len(cell.join(rows[0][:wide])) + 2] * (len(rows) // wide)
        parts = [rule * each for each in width]
        ruler = cross.join(parts)
        ruler = cross + ruler + cross if outer else ruler[1:-1]
        drawn = [ruler] if outer and rule else []
        for number, line in enumerate(lines, 1):
            drawn.append(line.rstrip() if not outer else line)
            if rule and number % high == 0 and (outer or number < len(rows)):
                drawn.append(ruler)
        return drawn

    return draw


def gaps(separator: str, gap: str, *, blank_lines: bool) -> Style:
    """Return a style with `separator` between cells, and `gap` instead between boxes.

    With `blank_lines`, there is a blank line between bands.
    """

    def draw(rows: list[list[str]], box: tuple[int, int]) -> list[str]:
        high, wide = box
        lines = []
        for number, row in enumerate(rows):
            if blank_lines and number and number % high == 0:
                lines.append("")
            groups = [row[start : start + wide] for start in range(0, len(row), wide)]
            lines.append(gap.join(separator.join(group) for group in groups))
        return lines

    return draw


def heavy(light: str, strong: str, thin: str, thick: str) -> Style:
    """Return a style with light lines around cells and heavy lines around boxes.

    `light` and `strong` are the signs of vertical lines, and `thin` and `thick` of horizontal ones.
    """

    def draw(rows: list[list[str]], box: tuple[int, int]) -> list[str]:
        high, wide = box
        lines = []
        for number, row in enumerate(rows):
            sign = thick if number % high == 0 else thin
            lines.append("+".join(["", *(sign * (len(text) + 2) for text in row), ""]))
            line = ""
            for column, text in enumerate(row):
                line += (strong if column % wide == 0 else light) + f" {text} "
            lines.append(line + strong)
        lines.append("+".join(["", *(thick * (len(text) + 2) for text in rows[0]), ""]))
        return lines

    return draw


def corners(rows: list[list[str]], box: tuple[int, int]) -> list[str]:
    high, wide = box
    groups = len(rows) // wide
    inner = len(" ".join(rows[0][:wide])) + 2
    rule = "+" + ("+".join([" " * inner] * groups)) + "+"
    lines = [rule]
    for number, row in enumerate(rows, 1):
        parts = [" ".join(row[start : start + wide]) for start in range(0, len(row), wide)]
        lines.append("  " + "   ".join(parts))
        lines += [rule] if number % high == 0 else []
    return lines


DRAWN: dict[str, Style] = {
    "frame": boxed(" ", "|", outer=True, rule="-", cross="+"),
    "close frame": boxed("", "|", outer=True, rule="-", cross="+"),
    "open": boxed(" ", "|", outer=False, rule="-", cross="+"),
    "open, no rules": boxed(" ", "|", outer=False, rule="", cross=""),
    "equals": boxed(" ", "|", outer=True, rule="=", cross="="),
    "tildes": boxed(" ", ":", outer=True, rule="~", cross="~"),
    "unicode": boxed(" ", "│", outer=True, rule="─", cross="┼"),
    "double": boxed(" ", "║", outer=True, rule="═", cross="╬"),
    "dots": boxed(" ", "|", outer=True, rule=".", cross=":"),
    "heavy": heavy("|", "||", "-", "="),
    "heavy unicode": heavy("│", "┃", "─", "━"),
    "weak": heavy(":", "|", ".", "-"),
    "gaps": gaps(" ", "  ", blank_lines=True),
    "wide gaps": gaps(" ", "    ", blank_lines=True),
    "tabs": gaps(" ", "\t", blank_lines=True),
    "words": gaps("", " ", blank_lines=True),
    "commas and bars": gaps(",", "|", blank_lines=True),
    "spaced commas and bars": gaps(", ", " | ", blank_lines=True),
    "corners": corners,
}
# These styles show no boxes, so the default boxes apply.
PLAIN: dict[str, Style] = {
    "characters": gaps("", "", blank_lines=False),
    "tokens": gaps(" ", " ", blank_lines=False),
    "commas": gaps(",", ",", blank_lines=False),
    "semicolons": gaps("; ", "; ", blank_lines=False),
    "tabs between all": gaps("\t", "\t", blank_lines=False),
    "cells": boxed(" ", "|", outer=True, rule="-", cross="+", every=True),
    "cells, open": boxed(" ", "|", outer=False, rule="", cross="", every=True),
    "trailing tabs": lambda rows, _: [" ".join(row) + "\t" for row in rows],
}
CLOSE = {"close frame", "words", "characters"}  # cells without separators


def texts(drawn: Board, *, blank: str, numbers: str) -> list[str]:
    """Return the cells' texts, with `blank` for empty cells.

    If `numbers` is "letters", values above 9 are letters. Otherwise, values are numbers of one
    width, padded with zeros if it is "zeros", else with spaces.
    """
    if numbers == "letters":
        return [SYMBOLS[v - 1] if v else blank for v in drawn.cells]
    width = len(str(drawn.size))
    pad = "0" if numbers == "zeros" else " "
    texts = [str(v).rjust(width, pad) if v else blank.rjust(width) for v in drawn.cells]
    return [text.ljust(width) for text in texts]


def read_back(text: str) -> list[tuple[tuple[int, int], tuple[int, ...]] | str]:
    return [
        found.detail if isinstance(found, Invalid) else (found.layout.box, found.givens)
        for found in parse(text)
    ]


@st.composite
def boards(draw: st.DrawFn, *, usual: bool = False) -> Board:
    boxes = [box for box in BOXES if not usual or box == usual_box(box[0] * box[1])]
    seed, share = draw(st.integers(0, 10_000)), draw(st.sampled_from([0.3, 0.5, 0.8]))
    return board(draw(st.sampled_from(boxes)), share, seed)


def blanks_for(numbers: str) -> list[str]:
    return [".", "0", "_", "-", "*", "?"] if numbers == "letters" else [".", "0", "_", "-", "*"]


@pytest.mark.parametrize("style", DRAWN)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_boxes_are_read_as_they_are_drawn(style: str, data: st.DataObject) -> None:
    drawn = data.draw(boards())
    kinds = ["letters"] if style in CLOSE else ["letters", "numbers", "zeros"]
    numbers = data.draw(st.sampled_from(kinds if drawn.size > 9 else [kinds[0], kinds[-1]]))
    blank = data.draw(st.sampled_from(blanks_for(numbers)))
    lines = DRAWN[style](drawn.rows(texts(drawn, blank=blank, numbers=numbers)), drawn.box)
    check(drawn, lines, data)


@pytest.mark.parametrize("style", PLAIN)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_usual_boxes_hold_where_none_are_drawn(style: str, data: st.DataObject) -> None:
    drawn = data.draw(boards(usual=True))
    kinds = ["letters"] if style in CLOSE else ["letters", "numbers", "zeros"]
    numbers = data.draw(st.sampled_from(kinds if drawn.size > 9 else [kinds[0], kinds[-1]]))
    blank = data.draw(st.sampled_from(blanks_for(numbers)))
    lines = PLAIN[style](drawn.rows(texts(drawn, blank=blank, numbers=numbers)), drawn.box)
    check(drawn, lines, data)


def spaced(drawn: Board, style: str, numbers: str) -> str:
    """Draw a board in a style of DRAWN, with spaces for empty cells. `numbers` is as in `texts`."""
    rows = drawn.rows(texts(drawn, blank=" ", numbers=numbers))
    return "\n".join(line.rstrip() for line in DRAWN[style](rows, drawn.box)) + "\n"


@pytest.mark.parametrize("style", ["frame", "close frame", "open", "open, no rules", "unicode"])
@settings(max_examples=25, deadline=None)
@given(
    drawn=boards(),
    number=st.sampled_from(["letters", "numbers", "zeros"]),
    title=st.sampled_from(["", "easy\n"]),
)
def test_spaces_between_bars_are_blanks_or_the_grid_is_refused(
    style: str, drawn: Board, number: str, title: str
) -> None:
    numbers = "letters" if style in CLOSE or drawn.size < 10 else number
    text = title + spaced(drawn, style, numbers)
    found = read_back(text)
    if not all(isinstance(one, str) for one in found):
        assert found == [(drawn.box, drawn.cells)], text


# The empty cells outside the bars could also be a margin, so the values fit two grids.
AMBIGUOUS = {
    "one bar": "      |     6\n      | 3\n      |\n      | 2 3 4\n      |\n      |\n",
    "two bars": "    |     |   1\n" + 3 * "    |     |\n" + "    | 5   |\n    |   6 |\n",
    "unknown width": "    | 4\n    | 1\n    | 3\n  4 |\n",
}


@pytest.mark.parametrize("text", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_drawing_that_fits_two_grids_is_refused(text: str) -> None:
    [detail] = read_back(text)
    assert "No puzzle format matches" in detail


def test_nine_by_nine_with_spaces_is_read_in_every_style() -> None:
    for style, seed in product(["frame", "close frame", "open", "open, no rules"], range(20)):
        drawn = board((3, 3), 0.35, seed)
        assert read_back(spaced(drawn, style, "letters")) == [(drawn.box, drawn.cells)]


def check(drawn: Board, lines: list[str], data: st.DataObject) -> None:
    """Check that a drawing is parsed correctly, also if it is repeated with titles in between."""
    title = data.draw(st.sampled_from(TITLES))
    comment = data.draw(st.sampled_from(COMMENTS))
    count = data.draw(st.sampled_from([1, 1, 3]))
    between = "\n" if comment or title else data.draw(st.sampled_from(["", "\n"]))
    indent = data.draw(st.sampled_from(["", "", "  "]))
    above = title + "\n" * data.draw(st.sampled_from([1, 2])) if title else ""
    body = "".join(f"{indent}{line}\n" if line else "\n" for line in lines)
    text = (above + body + (comment + "\n" if comment else "") + between) * count
    if any(line == "" for line in lines) and not title and count > 1:
        text = text.replace(body + between, body + "\n\n")
    found = read_back(text)
    assert found == [(drawn.box, drawn.cells)] * count, text
