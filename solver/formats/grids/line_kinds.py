"""Classifies lines of an upload of grids, and finds the signs for its empty cells."""

import re
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from solver.board.layout import MAX_SIZE
from solver.formats.grids.row_splits import BARS, row_body, row_width

_DRAWING = re.compile(rf"[\s+*=.'`,~_#{BARS}\u2500-\u257f-]+")
# Two adjacent signs of a horizontal line, or corners only.
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
_TABS = 3  # Tabs in an empty row of a 4×4 grid, the smallest one.
# The rule between the header and the rows of a Markdown table.
_HEAD_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|){3,}\s*(?::?-+:?)?\s*")
# A certain title: a comment, a [section], a line such as "Grid 01", or a capitalized word.
_TITLE = re.compile(
    r"\s*(#.*|\[(?!/?(?:code|quote|pre)\])[^\]]*\]\s*"
    r"|(?i:(grid|puzzle|sudoku|game|board|no\.?|nr\.?|number)\b[^.]*))"
    r"|.*\b([A-Z][a-z]{2,}|SUDOKU|PUZZLE).*"
)
_MAY_BE_TITLE = re.compile(r"[#\[]|[A-Za-z]{2}")
_SAME_DIGIT = str.maketrans("123456789", "0" * 9)
# Signs that are empty cells in some grids and lines in others.
_EITHER = "-_*~=#"
_DATE = re.compile(r"\s*\d{4}-\d\d-\d\d\s*")
_FEWEST_WITH_SIGN = 2  # lines


class Kind(Enum):
    """The kind of a line in an upload of grids.

    Blank lines and comments have kinds of their own. A rule is a drawn horizontal line. Markup is a
    line such as a code fence. A section is a heading in brackets. All remaining lines are OTHER:
    rows of a grid, titles, and other text. A row of empty cells is OTHER, too, even if it consists
    of tabs.
    """

    BLANK = "blank"
    RULE = "rule"
    MARKUP = "markup"
    SECTION = "section"
    COMMENT = "comment"
    OTHER = "other"


def kind_of(line: str, signs: str) -> Kind:
    """Return the kind of a line in an upload that writes empty cells as one of `signs`.

    These are drawing characters such as -. A line of them is a row of empty cells, not a rule.
    """
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
    """Return whether a line could be a drawn horizontal line, or a row of empty cells.

    It consists of drawing characters and white space. It must contain adjacent signs such as -- or
    ***, a short pattern such as -+-, or corners such as + +.
    """
    return _DRAWING.fullmatch(line) is not None and _RULE.search(line) is not None


_kept_kind = lru_cache(maxsize=1 << 13)(_kind)


def _is_blank_row(line: str, signs: str) -> bool:
    """Return whether a line of drawing characters is a row of empty cells.

    Apart from bars, commas, and white space, such a row has only dots, or only one of `signs`.
    """
    cells = set(_IGNORED_IN_ROWS.sub("", line)) - set(",")
    return len(cells) == 1 and cells <= {".", *signs}


def is_title(line: str) -> bool:
    """Return whether a line is certainly a grid's title, judged by this line alone.

    Certain titles are # comments, [sections], lines that begin with a word such as "grid" or
    "puzzle", and lines with a capitalized word of at least three letters. A line that is a row
    followed by a comment isn't a title.
    """
    return _is_title_shape(line.translate(_SAME_DIGIT)) and len(row_body(line)) == len(line)


# All digits count as equal here, so that "Grid 1" and "Grid 2" share a cache entry.
@lru_cache(maxsize=4096)
def _is_title_shape(line: str) -> bool:
    return _MAY_BE_TITLE.search(line) is not None and _TITLE.fullmatch(line) is not None


def is_date(line: str) -> bool:
    """Return whether a line is a date such as 2024-05-01, which could be a row of 10 cells."""
    return _DATE.fullmatch(line) is not None


def is_head_rule(line: str, *, width: int) -> bool:
    """Return whether a line is the one below the header of a Markdown table.

    `width` is the number of columns in the table.
    """
    return line.count("|") >= width - 1 and _HEAD_RULE.fullmatch(line) is not None


def find_signs(lines: list[str]) -> str:
    """Return the drawing characters, such as - and _, that are empty cells in an upload.

    `lines` are its first lines. Such a character occurs in at least two different rows with values.
    The result contains all of them as one string.
    """
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
    """Return whether a line has only delimiters and spaces, like an empty spreadsheet row.

    One of the delimiters (comma, semicolon, tab) must occur at least three times.
    """
    return not line.strip(",;\t \r") and any(line.count(each) >= _TABS for each in ",;\t")


def are_parted_by_rows(lines: Sequence[str], *, final: bool) -> bool:
    """Return whether the lines are grids of N rows, with separators, and one empty row after each.

    Separators are commas, semicolons, or tabs. Some spreadsheets have such rows. One of them proves
    nothing, because it could be the first row of the next grid. So all lines must follow the
    pattern. If `final`, the lines must end with a grid or with the empty row after it.
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
