"""Deduces the symbols and the sign for empty cells from the content of the cells."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from solver.board.graphemes import count_graphemes
from solver.board.symbols import Symbols
from solver.formats.format import ReadOptions

# Usual signs for empty cells. Results use the first of these that occurs.
USUAL_BLANKS = (".", "0", "*", "_", "-", " ", "x", "X", "?", "b", "B")
# Signs in other scripts and emoji: dots, boxes, circles, and dashes.
_OTHER_BLANKS = "·•・□▢☐◻◯○⬜■◼⬛–—…\uff3f\uff0d\uff0e\u3000"
# If a usual sign for empty cells also occurs, these are symbols like other emoji.
_PICTURES = frozenset("□▢☐◻◯○⬜■◼⬛")
_KEY = re.compile("\ufe0f?\u20e3")  # The rest of a keycap emoji after its digit.
_MOST_DIGITS = 9
_NEGATIVE = "-1"  # The empty cell of uploads that count from 0.
BLANK_WORDS = frozenset(
    {"", "00", "..", "null", "Null", "NULL", "none", "None", "nil", "undefined"}
)

BLANKS = BLANK_WORDS.union(USUAL_BLANKS, _OTHER_BLANKS)

_DIGITS_FIRST = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ZERO_FIRST = "0" + _DIGITS_FIRST
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_BLANKS_BESIDE_ZERO = frozenset(".*_- ?")
_BESIDE_ZERO = BLANKS - {"0", "00"}  # If 1…N−1 and one of these occur, 0 is a value.
_NO_WORD = re.compile(r"[\d\W_]*")  # Numbers, frames, and brackets are not words.
_NOT_TEXT = "\ufffd"  # Replaces bytes that aren't text. It is never a symbol.

Deduced = tuple[tuple[str, ...], str | None]  # The symbols, and a note on how they were read.
ChosenSymbols = tuple[Symbols, Mapping[str, int], str | None]  # see `choose_symbols`


def choose_symbols(cells: Sequence[str], size: int, options: ReadOptions) -> ChosenSymbols | str:
    """Choose the symbols of a grid from its cells and the options, or return an error message.

    `size` is the number of rows N. Returns the symbols, the value of each text that a cell may
    contain (0 for empty cells), and a note if another interpretation was possible, otherwise None.
    Deduced symbols can also be written in the other case, and numbers of one digit with a leading
    zero. Cells may contain texts without a value. The caller must treat them as invalid. They give
    no error message here.
    """
    return _choose(frozenset(cells), _full_from_zero(cells, size), size, options)


# Cached because the records of an upload contain the same few sets of texts.
@lru_cache(maxsize=1 << 5)
def _choose(
    written: frozenset[str], full: Deduced | None, size: int, options: ReadOptions
) -> ChosenSymbols | str:
    """Return the result of `choose_symbols` for a grid with the different texts `written`.

    `full` has the symbols and the note of a full grid that counts from 0. It is None for any other
    grid.
    """
    if options.symbols is not None:
        different = len(set(options.symbols))
        if len(options.symbols) != size or different != size:
            found = f"the option 'symbols' has {different} different symbols"
            return f"{found}, but a {size}×{size} grid needs {size}"
        values, note = options.symbols, None
    else:
        without = written - {options.blank} if options.blank is not None else written
        values, note = full or _deduce(without, size)
    value_of = {symbol: value for value, symbol in enumerate(values, 1)}
    if options.symbols is None:
        for symbol, value in tuple(value_of.items()):
            value_of |= dict.fromkeys((symbol.lower(), symbol.upper(), symbol.zfill(2)), value)
    blanks = [
        blank
        for blank in (*USUAL_BLANKS, *_OTHER_BLANKS, *filter(_is_zero, sorted(written)))
        if blank in written and blank not in value_of
    ]
    if options.blank is not None:
        blanks = [options.blank]
        value_of.pop(options.blank, None)
    elif not blanks and (unknown := _only_other(written, value_of)) is not None:
        blanks = [unknown]
        blank_note = f"read with {unknown} as the empty cell"
        note = blank_note if note is None else f"{note}; {blank_note}"
    blank = next(iter(blanks), ".")
    for word in (*blanks, _NEGATIVE, *sorted(BLANK_WORDS)):
        value_of.setdefault(word, 0)
    return Symbols(tuple(values), "." if blank == " " else blank), value_of, note


def may_be_full_from_zero(written: Iterable[str], size: int) -> bool:
    """Return whether the texts of a grid's cells are exactly the symbols 0…N−1.

    `size` is N. After 9 come the letters from A on, or numbers of two digits. Such a grid may be
    full, and then 0 is a value. Otherwise, 0 is an empty cell.
    """
    symbols = {word.upper() for word in written}
    numbers = set(map(str, range(size)))
    return symbols == numbers or (size <= len(_ZERO_FIRST) and symbols == set(_ZERO_FIRST[:size]))


def _full_from_zero(cells: Sequence[str], size: int) -> Deduced | None:
    """Return the symbols of a full grid that counts from 0, or None for any other grid.

    In a full grid, each symbol occurs N times.
    """
    if "0" not in cells or len(cells) != size * size:
        return None
    counts = Counter(cells)
    if set(counts.values()) != {size} or not may_be_full_from_zero(counts, size):
        return None
    if max(map(len, counts)) > 1 or size <= len("0123456789"):
        return tuple(map(str, range(size))), f"read with the numbers 0-{size - 1}"
    symbols = tuple(word for word in _ZERO_FIRST[:size] if word in counts)
    symbols = symbols if len(symbols) == size else tuple(_ZERO_FIRST[:size].lower())
    return symbols, f"read with the symbols 0-{symbols[-1]}"


def _only_other(written: AbstractSet[str], value_of: Mapping[str, int]) -> str | None:
    """Return the only text in a grid that has no value, if it can be the sign for empty cells.

    `written` are the texts of the cells, and `value_of` has the values of the symbols. If a grid
    contains values and one other character, that character is an empty cell (Sudopedia's rule).
    Letters and digits don't count. Returns None if there is no such text.
    """
    others = written - set(value_of) - BLANK_WORDS
    if len(others) != 1:
        return None
    (other,) = others
    fits = count_graphemes(other) == 1 and not other.isalnum() and other.isprintable()
    return other if fits and other != _NOT_TEXT else None


def _deduce(written: AbstractSet[str], size: int) -> Deduced:
    """Return the symbols of a puzzle given its cells' texts, and a note if several choices fit.

    The note is None otherwise. If −1 and 0 occur, −1 is an empty cell, and numbers count from 0.
    Otherwise, numbers of two digits count from 1. Letters without digits count from A. Letters with
    digits continue after 9. In a grid of single characters, 0 is a value if the grid is 36×36. It
    is also one if another sign is used for empty cells and, up to 9×9, all numbers from 1 to
    `size` − 1 occur.
    """
    words = written - BLANK_WORDS
    numbers = {int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 9}
    if _NEGATIVE in written and 0 in numbers and max(numbers) < size:
        return tuple(map(str, range(size))), f"read with the numbers 0-{size - 1}"
    words = words - {_NEGATIVE}
    if size > 36 or any(len(word) > 1 and word.isascii() and word.isdigit() for word in words):
        return Symbols.numbers(size).values, None
    digits = words & set("123456789")
    if not digits and any(len(word) > 1 or not word.isascii() for word in words):
        return _collect(words, size)
    single = {word.upper() for word in words if len(word) == 1 and word.isascii()}
    letters = single & set(_LETTERS)
    if size < 24:
        letters -= {"X"}
    lower = bool(letters) and letters.isdisjoint(written)

    if digits == set(_DIGITS_FIRST[: size - 1]) and "0" in written and written & _BESIDE_ZERO:
        return tuple(map(str, range(size))), f"read with the numbers 0-{size - 1}"
    if size <= 9:
        return _deduce_small(digits, letters, size, lower=lower)
    last = _DIGITS_FIRST[min(size, 35) - 1]
    if size <= 26 and not digits and letters:
        if not letters <= set(_LETTERS[:size]) and len(letters) <= size:
            return _fill_up(_cased("".join(sorted(letters)), lower=lower), size)
        note = f"read with the symbols A-{_LETTERS[size - 1]}" if max(letters) <= last else None
        return _cased(_LETTERS[:size], lower=lower), note
    if size == 36 or ("0" in single and written & _BLANKS_BESIDE_ZERO):
        return _cased(_ZERO_FIRST[:size], lower=lower), None
    note = None if last in single else f"read with the symbols 1-9, A-{last}"
    return _cased(_DIGITS_FIRST[:size], lower=lower), note if size > 10 else None


def _deduce_small(
    digits: AbstractSet[str], letters: AbstractSet[str], size: int, *, lower: bool
) -> Deduced:
    """Return the symbols of a puzzle up to 9×9, and a note or None.

    `digits` and `letters` are those that occur in its cells, with letters in upper case. The
    symbols are letters if the puzzle has no digits, but 1 to `size` different letters: those from A
    on if they include all that occur, or else those that occur and then digits. Otherwise, the
    symbols are digits. The letter B counts only if there are exactly `size` letters, because it may
    be an empty cell. With `lower`, the returned letters are in lower case.
    """
    marks = letters if len(letters) == size else letters - {"B"}
    if digits or not marks:
        return tuple(_DIGITS_FIRST[:size]), None
    first = _LETTERS[:size]
    if marks <= set(first):
        return _cased(first, lower=lower), f"read with the symbols {first}"
    if len(marks) > size:
        return tuple(_DIGITS_FIRST[:size]), None
    return _fill_up(_cased("".join(sorted(marks)), lower=lower), size)


def _collect(words: AbstractSet[str], size: int) -> Deduced:
    """Return the symbols of a grid that is written in words, other letters, or emoji.

    `words` are the different texts of its cells. The symbols are these texts, sorted, without signs
    for empty cells. Upper and lower case are the same symbol, written as in the grid. If the texts
    are digits of another script, the symbols are all its digits from 1 to `size`. If there are
    fewer than `size` symbols, digits and letters are added. If there are more, the result is the
    usual digits or numbers, and the texts will be reported as invalid. Also returns a note for the
    user that names the symbols, or None.
    """
    blanks = {*USUAL_BLANKS[:6], "?", *_OTHER_BLANKS, _NOT_TEXT}
    if words.isdisjoint(USUAL_BLANKS[:6]):
        blanks.update(filter(_is_zero, words))
    else:
        blanks -= _PICTURES
    by_case: dict[str, str] = {}
    for word in sorted(words - blanks):
        if any(unicodedata.category(character) == "Cc" for character in word):
            continue
        by_case.setdefault(word.upper(), word)
    symbols = tuple(sorted(by_case.values()))
    digits = _digits_of(symbols, size)
    if digits is not None and len(set(symbols) - set(digits)) <= 1:
        return digits, f"read with the symbols {''.join(digits)}"
    if len(symbols) > size:
        return tuple(_DIGITS_FIRST[:size]) if size <= 35 else Symbols.numbers(size).values, None
    return _fill_up(symbols, size)


def _is_zero(word: str) -> bool:
    """Return whether a word is a zero in another script, or a keycap zero."""
    return not word.isascii() and _digit(word) == 0


def _digits_of(words: Sequence[str], size: int) -> tuple[str, ...] | None:
    """Return the digits 1 to `size` in the script of a grid's digits, or None.

    `words` are the contents of cells. Words that are single digits determine the script, such as
    ASCII or Arabic, and all others are ignored. Keycap emoji count as a script. Returns None if no
    word is a digit, if the digits are from several scripts, if one of them is 0 or above `size`, or
    if `size` is above 9.
    """
    words = [word for word in words if _digit(word) is not None] or words
    if not words or size > _MOST_DIGITS:
        return None
    word = words[0]
    digit = _digit(word)
    if digit is None:
        return None
    zero = ord(word[0]) - digit
    found = tuple(chr(zero + value) + word[1:] for value in range(1, size + 1))
    digits = all(_digit(each) == value for value, each in enumerate(found, 1))
    return found if digits and set(words) <= set(found) else None


def _digit(word: str) -> int | None:
    """Return the value (0 to 9) of a digit in any script or a keycap emoji, or None."""
    character = _KEY.sub("", word)
    return unicodedata.digit(character, None) if len(character) == 1 else None


def _fill_up(symbols: tuple[str, ...], size: int) -> Deduced:
    """Return `size` symbols: those found in the grid, then unused digits and letters.

    Also returns a note that lists them. At most `size` symbols may have been found.
    """
    missing = size - len(symbols)
    taken = {symbol.upper() for symbol in symbols}
    spare = [symbol for symbol in _DIGITS_FIRST if symbol not in taken][:missing]
    separator = "" if all(count_graphemes(symbol) == 1 for symbol in symbols) else " "
    note = f"read with the symbols {separator.join(symbols)}"
    if missing:
        note += f", and {' '.join(spare)} for values that don't occur"
    return (*symbols, *spare), note


def _cased(symbols: str, *, lower: bool) -> tuple[str, ...]:
    return tuple(symbols.lower() if lower else symbols)


def are_words(words: Sequence[str], size: int) -> bool:
    """Return whether words can be the cells of a grid whose symbols have several characters.

    At least one of the words has several characters, at most `size` different ones occur, and none
    is a number or consists only of punctuation. Empty cells don't count.
    """
    written = set(words) - BLANKS
    long = any(count_graphemes(word) > 1 for word in written)
    return long and len(written) <= size and not any(map(_is_no_word, written))


def _is_no_word(word: str) -> bool:
    return word.isascii() and _NO_WORD.fullmatch(word) is not None
