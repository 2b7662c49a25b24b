"""From the cells of one record, as written, to a puzzle: sizes, boxes, symbols, blanks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

from solver.formats.format import ReadOptions
from solver.layout import MAX_SIZE, Layout, usual_box
from solver.puzzle import Invalid, Puzzle
from solver.symbols import Symbols
from solver.variants import with_variants

# What people write for a blank cell; in this order a blank is chosen for the answer.
USUAL_BLANKS = (".", "0", "*", "_", "-", " ", "x", "X", "?", "b", "B")
_BLANK_WORDS = frozenset(
    {"", "00", "..", "null", "Null", "NULL", "none", "None", "nil", "undefined"}
)

_DIGITS_FIRST = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ZERO_FIRST = "0" + _DIGITS_FIRST
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_BLANKS_BESIDE_ZERO = frozenset(".*_- ?")

_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Reading:
    """How a record was read; `note` says which of two possible readings was taken."""

    puzzle: Puzzle | Invalid
    note: str | None = None


def shorten(text: str) -> str:
    """Return what was read, as it can be shown: printable and at most 200 characters."""
    shown = "".join(c if c.isprintable() else " " for c in text[: _SHOWN + 1])
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"


def read_rows(rows: Sequence[Sequence[str]], *, text: str, options: ReadOptions) -> Reading:
    """Read a grid that was written row by row."""
    widths = Counter(len(row) for row in rows)
    size = len(rows)
    # What most rows have is right, and among equals what makes a square.
    expected = max(widths, key=lambda width: (widths[width], width == size), default=0)
    for number, row in enumerate(rows, 1):
        if len(row) != expected:
            cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
            return _invalid(f"row {number} has {cells}, expected {expected}", text)
    if size != expected and expected <= MAX_SIZE:
        plural = "row" if size == 1 else "rows"
        return _invalid(f"the grid has {size} {plural} of {expected} cells", text)
    return read_cells([cell for row in rows for cell in row], text=text, options=options)


def read_cells(cells: Sequence[str], *, text: str, options: ReadOptions) -> Reading:
    """Read the cells of a square grid in reading order."""
    size = isqrt(len(cells))
    if not cells or size * size != len(cells):
        return _invalid(f"{len(cells)} cells, expected 81 or another square number", text)
    if size > MAX_SIZE:
        return _invalid(f"a grid of {size}×{size}; the largest is {MAX_SIZE}×{MAX_SIZE}", text)
    box = options.box or usual_box(size)
    if box is None:
        return _invalid(f"a {size}×{size} grid has no usual box: say it by the option box", text)
    if box[0] * box[1] != size:
        return _invalid(f"a box of {box[0]}x{box[1]} does not fit a {size}×{size} grid", text)
    layout = with_variants(Layout.boxed(*box), options.variant)
    if isinstance(layout, str):
        return _invalid(layout, text)
    choice = _choose_symbols(cells, size, options)
    if isinstance(choice, str):
        return _invalid(choice, text)
    symbols, value_of, note = choice
    if options.box is None and box[0] != box[1]:
        assumed = f"read with boxes of {box[0]}x{box[1]}"
        note = assumed if note is None else f"{note}; {assumed}"
    givens = []
    for index, cell in enumerate(cells):
        value = value_of.get(cell)
        if value is None:
            place = f"row {index // size + 1}, column {index % size + 1}"
            shown = shorten(cell)[:20]
            return _invalid(f"{shown!r} in {place} is no symbol of a {size}×{size} puzzle", text)
        givens.append(value)
    return Reading(Puzzle(layout, tuple(givens), symbols), note)


def _invalid(detail: str, text: str) -> Reading:
    return Reading(Invalid(detail, shorten(text)))


def _choose_symbols(
    cells: Sequence[str], size: int, options: ReadOptions
) -> tuple[Symbols, dict[str, int], str | None] | str:
    """Return the symbols, what each written cell means, and a note; or why there are none."""
    written = set(cells)
    if options.symbols is not None:
        different = len(set(options.symbols))
        if len(options.symbols) != size or different != size:
            return f"the option symbols has {different} different ones, the grid is {size}×{size}"
        values, note = options.symbols, None
    else:
        values, note = _deduce(written, size)
    value_of = {symbol: value for value, symbol in enumerate(values, 1)}
    if options.symbols is None:
        for symbol, value in tuple(value_of.items()):
            value_of |= dict.fromkeys((symbol.lower(), symbol.upper(), symbol.zfill(2)), value)
    blanks = [blank for blank in USUAL_BLANKS if blank in written and blank not in value_of]
    if options.blank is not None:
        blanks = [options.blank]
        value_of.pop(options.blank, None)
    blank = next(iter(blanks), ".")
    for word in (*blanks, *sorted(_BLANK_WORDS)):
        value_of.setdefault(word, 0)
    return Symbols(tuple(values), "." if blank == " " else blank), value_of, note


def _deduce(written: set[str], size: int) -> tuple[tuple[str, ...], str | None]:
    """Return the symbols of a puzzle from what stands in its cells, and which reading it is.

    0 beside another blank is a value, else it is the blank. Letters without digits count from
    A on, letters with digits go on behind 9. Where two readings fit, the note says which one
    was taken.
    """
    if any(len(cell) > 1 and cell not in _BLANK_WORDS for cell in written) or size > 36:
        return Symbols.numbers(size).values, None
    single = {cell.upper() for cell in written if len(cell) == 1}
    digits = single & set("123456789")
    others = {cell for cell in single if not cell.isascii()}
    # U+FFFD stands for bytes that are no text: it is nobody's symbol.
    if len(others) == size > 1 and not digits and "\ufffd" not in others:
        return tuple(sorted(others)), f"read with the symbols {''.join(sorted(others))}"
    letters = single & set(_LETTERS)
    if size < 24:
        letters -= {"X"}
    lower = bool(letters) and letters.isdisjoint(written)

    if size <= 9:
        return _deduce_small(digits, letters, size, lower=lower)
    last = _DIGITS_FIRST[min(size, 35) - 1]
    if size <= 26 and not digits and letters:
        note = f"read with the symbols A-{_LETTERS[size - 1]}" if max(letters) <= last else None
        return _cased(_LETTERS[:size], lower=lower), note
    if size == 36 or ("0" in single and written & _BLANKS_BESIDE_ZERO):
        return _cased(_ZERO_FIRST[:size], lower=lower), None
    note = None if last in single else f"read with the symbols 1-9, A-{last}"
    return _cased(_DIGITS_FIRST[:size], lower=lower), note if size > 10 else None


def _deduce_small(
    digits: set[str], letters: set[str], size: int, *, lower: bool
) -> tuple[tuple[str, ...], str | None]:
    """Return the symbols of a puzzle up to 9×9: digits, or letters where there are no digits."""
    marks = letters if len(letters) == size else letters - {"B"}
    if digits or not marks:
        return tuple(_DIGITS_FIRST[:size]), None
    first = _LETTERS[:size]
    if not marks <= set(first):
        if len(marks) != size:
            return tuple(_DIGITS_FIRST[:size]), None
        first = "".join(sorted(marks))
    return _cased(first, lower=lower), f"read with the symbols {first}"


def _cased(symbols: str, *, lower: bool) -> tuple[str, ...]:
    return tuple(symbols.lower() if lower else symbols)
