"""Read candidates of boards of any size in one line, in the notation of dclamage's SudokuSolver.

Up to 9×9 there are N³ characters, a digit or a dot for each candidate. Above, there are two
characters for each: 01 02 … or `..`.
"""

from solver.board.layout import MOST_IN_A_WORD, Layout, place_name, usual_box
from solver.board.puzzle import Puzzle
from solver.board.symbols import Symbols
from solver.formats.reading.cells import Reading, refuse
from solver.rules.variants import with_variants

_BLANKS = ".0_*-"
# Number of rows by the number of characters. 9×9 boards are read with arrays elsewhere.
_SIZE_OF = {
    size**3 * (1 if size < 10 else 2): size
    for size in range(4, MOST_IN_A_WORD + 1)
    if size != 9 and usual_box(size)
}


def has_marks(line: str) -> bool:
    """Return whether a line has the candidates of each cell of a board, in order.

    A sign such as a dot stands for each candidate that is removed. Every cell must have a
    candidate. The result is False for 9×9 boards, which another module reads.
    """
    return not isinstance(_candidates(line.strip()), str)


def read_marks(text: str, *, variant: tuple[str, ...]) -> Reading | None:
    """Read the candidates of a board in one line, up to the first white space or #.

    The board has the usual boxes, and a cell with a single candidate is a given. The reading is
    invalid if the candidates or the variants are. Returns None if no board has this number of
    characters. 9×9 boards are read elsewhere, so they give None, too.
    """
    body = (text.split("#", maxsplit=1)[0].split() or [""])[0]
    size = _SIZE_OF.get(len(body))
    box = usual_box(size) if size else None
    if size is None or box is None:
        return None
    candidates = _candidates(body)
    if isinstance(candidates, str):
        return refuse(candidates, text)
    layout = with_variants(Layout.boxed(*box), variant)
    if isinstance(layout, str):
        return refuse(layout, text)
    givens = tuple(mask.bit_length() if mask.bit_count() == 1 else 0 for mask in candidates)
    return Reading(Puzzle(layout, givens, Symbols.usual(size), candidates))


def _candidates(body: str) -> tuple[int, ...] | str:
    """Return the candidates of each cell as bits (bit 0 for 1), or an error message.

    `body` is the text of a line without its comment. It is an error if its length fits no board, or
    if it is that of a 9×9 board, because another module reads these with arrays, which is faster.
    """
    size = _SIZE_OF.get(len(body))
    if size is None:
        return f"{len(body)} characters, expected 729 (for 9×9) or the number for another size"
    wide = 1 if size < 10 else 2
    numbers = [str(value).rjust(wide, "0") for value in range(1, size + 1)]
    blanks = {mark * wide for mark in _BLANKS}
    masks = []
    for cell in range(size * size):
        start = cell * size * wide
        marks = [body[at : at + wide] for at in range(start, start + size * wide, wide)]
        place = place_name(*divmod(cell, size))
        strange = next(
            (m for m, n in zip(marks, numbers, strict=True) if m != n and m not in blanks), None
        )
        if strange is not None:
            return f"{place}: expected its candidates in order, got {strange!r}"
        masks.append(sum(1 << k for k, mark in enumerate(marks) if mark not in blanks))
        if masks[-1] == 0:
            return f"{place} has no candidates"
    return tuple(masks)
