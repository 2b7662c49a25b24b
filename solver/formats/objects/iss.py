"""Read Interactive Sudoku Solver puzzles, which take one line or several lines each."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.puzzle import Invalid, Puzzle
from solver.formats.format import Context, ReadOptions, Segments
from solver.formats.objects.iss_notation import is_iss, iss_puzzle, puzzle_of_word
from solver.formats.reading.cells import Reading, refuse
from solver.formats.reading.lines import segment_lines
from solver.formats.reading.one_a_line import OneALine

_CONTINUATIONS = (b" ", b"\t", b"~")
_ALONE = re.compile(rb"\s*\.[A-Z][^.]*")  # one constraint without givens
_BOARD = (b".Shape", b".Jigsaw")


def read_iss(text: str, *, options: ReadOptions) -> Reading:
    """Read a constraint string of Interactive Sudoku Solver, or a URL that contains one.

    Lines that begin with # are comments. Of the options, only variants are used.
    """
    string = text
    if "#" in text:
        lines = [line for line in text.split("\n") if not line.lstrip().startswith("#")]
        string = "\n".join(lines)
    puzzle = iss_puzzle(string, variants=options.variant)
    return refuse(puzzle, text) if isinstance(puzzle, str) else Reading(puzzle)


def read_alone(text: str) -> Puzzle | Invalid | None:
    """Read a text that consists of a single constraint string, skipping format recognition.

    Its continuation lines begin with a space, and it has no blank lines and no comments. The result
    is the same as that of the general reader: the puzzle, or an Invalid with the reason why there
    is none. Returns None for any other text.
    """
    words = text.split()
    if len(words) == 1 and words[0].isascii() and words[0].isprintable():
        puzzle = puzzle_of_word(words[0])
    else:
        puzzle = iss_puzzle(text) if _is_one_string(text.strip()) else None
    return refuse(puzzle, text.strip()).puzzle if isinstance(puzzle, str) else puzzle


def _is_one_string(text: str) -> bool:
    """Return whether all lines form one constraint string that begins in the first line."""
    lines = text.split("\n")
    return (
        text.isascii()
        and text[:1] == "."
        and "#" not in text
        and all(map(is_iss, lines))
        and all(map(str.isprintable, lines))
        and all(line[0] == " " for line in lines[1:])
    )


@dataclass(slots=True, eq=False)
class _ConstraintStrings(OneALine):
    """Constraint strings, one puzzle per line plus its continuation lines.

    Continuation lines begin with white space or ~. If the beginning of the upload has more than two
    lines, and more than half of them have a single constraint, puzzles are paragraphs instead: they
    end with a blank line.
    """

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Recognize an upload if at least half of its first lines begin like constraint strings.

        URLs of such strings count, too. Returns {"paragraphs": bool}, which states whether puzzles
        are paragraphs, or None for any other upload. If the options name this format, any text is
        recognized.
        """
        # Plain super() fails here, because @dataclass(slots=True) replaces the class.
        context = OneALine.recognize(self, head, final=final, options=options)
        return None if context is None else {"paragraphs": _has_paragraphs(head, final=final)}

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the puzzles.

        Unless `final`, the last puzzle is left for the next piece, because it may continue there.
        It can't continue if a blank line follows it.
        """
        lines = segment_lines(data, line=line, final=final)
        if len(lines) == 0:
            return lines
        begins = _begins(data, lines, paragraphs=bool(context.get("paragraphs")))
        puzzles = Segments(
            lines.starts[begins],
            lines.ends[np.append(begins[1:], True)],
            lines.lines[begins],
            lines.consumed,
        )
        if final or _is_blank(data[int(lines.ends[-1]) : lines.consumed]):
            return puzzles
        return Segments(
            puzzles.starts[:-1], puzzles.ends[:-1], puzzles.lines[:-1], int(puzzles.starts[-1])
        )

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Return the offset after an overlong puzzle, or None if `data` doesn't contain its end.

        The puzzle ends with the first line that isn't followed by a continuation line. In
        paragraphs, constraints and comments continue the puzzle, too.
        """
        continuations = (
            (*_CONTINUATIONS, b".", b"#") if context.get("paragraphs") else _CONTINUATIONS
        )
        end = data.find(b"\n")
        while 0 <= end < len(data) - 1:
            if data[end + 1 : end + 2] not in continuations:
                return end + 1
            end = data.find(b"\n", end + 1)
        return None


def _has_paragraphs(head: bytes, *, final: bool) -> bool:
    """Return whether the puzzles of an upload are paragraphs, with one constraint per line.

    More than half of at least three lines must have a single constraint. Two such lines may be two
    puzzles, but three or more are parts of one. No paragraph may have two lines that define a
    board.
    """
    lines = segment_lines(head, line=1, final=final)
    texts = [head[s:e] for s, e in zip(lines.starts.tolist(), lines.ends.tolist(), strict=True)]
    boards = 0
    for text, begins in zip(texts, _begins(head, lines, paragraphs=True), strict=True):
        boards = 0 if begins else boards
        boards += text.lstrip().startswith(_BOARD)
        if boards > 1:
            return False
    return 2 < len(texts) < 2 * sum(_ALONE.fullmatch(text) is not None for text in texts)


def _begins(data: bytes, lines: Segments, *, paragraphs: bool) -> NDArray[np.bool_]:
    """Return a mask of the lines that begin a puzzle.

    If puzzles are `paragraphs`, these are the first line and the lines after a blank one.
    Otherwise, they are these lines and all that aren't continuation lines.
    """
    starts, ends = lines.starts.tolist(), lines.ends.tolist()
    begins = np.ones(len(lines), np.bool_)
    for place in range(1, len(lines)):
        continues = paragraphs or data[starts[place] : starts[place] + 1] in _CONTINUATIONS
        begins[place] = not continues or _is_blank(data[ends[place - 1] : starts[place]])
    return begins


def _is_blank(between: bytes) -> bool:
    """Return whether the text between two lines, including their line breaks, has a blank line."""
    return any(not line.strip() for line in between.split(b"\n")[1:-1])


ISS = _ConstraintStrings(
    "iss",
    "One puzzle per line as a constraint string of Interactive Sudoku Solver, or as its URL: "
    "givens .~R1C1_5 and constraints .Thermo~R1C1~R1C2. A line that begins with white space "
    "continues the puzzle of the line before. If each line has one constraint, a puzzle ends with "
    "a blank line.",
    ".Shape~4x4.Thermo~R1C1~R2C2~R3C3.WhiteDot~R4C3~R4C4.~R2C3_3\n"
    ".Shape~4x4\n"
    "  .WhiteDot~R1C1~R1C2.Palindrome~R2C1~R3C2~R4C3\n"
    "  .~R2C3_1~R4C1_2~R4C4_3\n",
    is_iss,
    read_iss,
)
