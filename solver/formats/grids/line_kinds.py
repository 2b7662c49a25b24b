"""What one line of a drawn grid is by itself: blank, a rule, markup around it, or other text."""

import re
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from solver.board.layout import MAX_SIZE
from solver.formats.grids.row_splits import BARS, row_body, row_width

_DRAWING = re.compile(rf"[\s+*=.'`,~_#{BARS}\u2500-\u257f-]+")
# Two signs of a horizontal line next to each other, or corners alone.
_RULE = re.compile(r"--|==|~~|__|##|\*\*\*|──|━━|══|┄┄|╌╌|┈┈|-\+-|\+(?:\s*\+)+|:\.|\.:|\.\.\.")
_FENCE = re.compile(
    r"\s*```\w*\s*|\s*~~~\s*|\s*\[/?(?:code|quote|pre)\]\s*"
    r"|(?:\s*\\[a-z]+(?:\{[^}]*\}|\[[^\]]*\])*\s*)+"
    r"|(?:[\w .:]+=)?\s*(?:\"{3}|'{3})[\s,;)]*"
)
_IGNORED_IN_ROWS = re.compile(rf"[\s{BARS}]+")
SECTION = re.compile(r"\s*\[(?!/?(?:code|quote|pre)\])([^\]]*)\]\s*")
COMMENT = re.compile(r"\s*#(?![\s#]*[-+#]{2}).*")
_CACHED = 96  # characters
_TABS = 3  # of a row without anything in it: a 4×4 one has so many
# What stands between the head of a table of Markdown and its rows.
_HEAD_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|){3,}\s*(?::?-+:?)?\s*")
# A title without doubt: a comment, a [section], "Grid 01" and its like, or a capitalised word.
_TITLE = re.compile(
    r"\s*(#.*|\[(?!/?(?:code|quote|pre)\])[^\]]*\]\s*"
    r"|(?i:(grid|puzzle|sudoku|game|board|no\.?|nr\.?|number)\b[^.]*))"
    r"|.*\b([A-Z][a-z]{2,}|SUDOKU|PUZZLE).*"
)
_MAY_BE_TITLE = re.compile(r"[#\[]|[A-Za-z]{2}")
_SAME_DIGIT = str.maketrans("123456789", "0" * 9)
# Signs that are blanks in some grids and lines in others.
_EITHER = "-_*~=#"
_DATE = re.compile(r"\s*\d{4}-\d\d-\d\d\s*")
_FEWEST_WITH_SIGN = 2  # lines


class Kind(Enum):
    """What a line is."""

    BLANK = "blank"
    RULE = "rule"
    MARKUP = "markup"
    SECTION = "section"
    COMMENT = "comment"
    OTHER = "other"


def kind_of(line: str, signs: str) -> Kind:
    """Return what a line is in an upload whose grids write blanks with `signs`."""
    return _kept_kind(line, signs) if len(line) <= _CACHED else _kind(line, signs)


def _kind(line: str, signs: str) -> Kind:
    if not line.strip():
        return Kind.OTHER if line.count("\t") >= _TABS else Kind.BLANK
    if SECTION.fullmatch(line):
        return Kind.SECTION
    if may_be_rule(line) and not _is_blank_row(line, signs):
        return Kind.RULE
    if COMMENT.fullmatch(line):
        return Kind.COMMENT
    return Kind.MARKUP if _FENCE.fullmatch(line) else Kind.OTHER


def may_be_rule(line: str) -> bool:
    """Return whether a line has nothing but what rules are drawn with, or rows without values."""
    return _DRAWING.fullmatch(line) is not None and _RULE.search(line) is not None


_kept_kind = lru_cache(maxsize=1 << 13)(_kind)


def _is_blank_row(line: str, signs: str) -> bool:
    """Return whether a line of drawing characters is a row whose cells are all blank."""
    cells = set(_IGNORED_IN_ROWS.sub("", line)) - set(",")
    return len(cells) == 1 and cells <= {".", *signs}


def is_title(line: str) -> bool:
    """Return whether a line by itself is a title without doubt."""
    return _is_title_shape(line.translate(_SAME_DIGIT)) and len(row_body(line)) == len(line)


# No digit is unlike another for this, so "Grid 1" and "Grid 2" need one look.
@lru_cache(maxsize=4096)
def _is_title_shape(line: str) -> bool:
    return _MAY_BE_TITLE.search(line) is not None and _TITLE.fullmatch(line) is not None


def is_date(line: str) -> bool:
    """Return whether a line is a date such as 2024-05-01, which has as many signs as a row."""
    return _DATE.fullmatch(line) is not None


def is_head_rule(line: str, *, width: int) -> bool:
    """Return whether what stands above a line of Markdown may be the head of a table so wide."""
    return line.count("|") >= width - 1 and _HEAD_RULE.fullmatch(line) is not None


def find_signs(lines: list[str]) -> str:
    """Return those of the signs for lines that stand for blanks, as rows with values show."""
    found = ""
    for sign in _EITHER:
        row = re.compile(rf"[0-9A-Za-z.,;\s{BARS}{re.escape(sign)}]+")
        rows = [
            line
            for line in lines
            if sign in line
            and row.fullmatch(line)
            and not is_date(line)
            and not COMMENT.fullmatch(line)
        ]
        rows = [line for line in rows if re.search(r"[0-9A-Za-z]", line) and len(line) >= 4]
        found += sign if len(set(rows)) >= _FEWEST_WITH_SIGN else ""
    return found


def is_empty_row(line: str) -> bool:
    """Return whether a line is a row whose cells are all empty, between commas and the like."""
    return not line.strip(",;\t \r") and any(line.count(each) >= _TABS for each in ",;\t")


def are_parted_by_rows(lines: Sequence[str], *, final: bool) -> bool:
    """Return whether an empty row follows each grid, as in some spreadsheets.

    It could be a row of the next grid by one line alone; so all lines must keep to it.
    """
    if not lines or not any(each in lines[0] for each in ",;\t"):
        return False
    width = row_width(lines[0])
    gaps = range(width, len(lines), width + 1)
    ends_well = len(lines) % (width + 1) in (0, width) if final else len(gaps) > 1
    return (
        _TABS < width <= MAX_SIZE
        and len(gaps) > 0
        and ends_well
        and all(is_empty_row(lines[gap]) for gap in gaps)
        and all(row_width(line) == width for line in lines)
    )
