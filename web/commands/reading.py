"""What commands for single puzzles read: an argument that is a puzzle, a file or a dash."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from solver.board.puzzle import Invalid, Puzzle
from solver.formats import parse
from web.commands.options import as_parameter, checked, fail, settings
from worker.options import OPTIONS, read_options

_READING = ("format", "box", "variant", "symbols", "blank")


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say how puzzles are read."""
    for name in reversed(_READING):
        command = as_parameter(OPTIONS[name])(command)
    return command


def puzzles_in(argument: str, options: Mapping[str, str | None]) -> list[Puzzle | Invalid]:
    """Return the puzzles of an argument; end the command where nothing can be read."""
    job = read_options(checked(dict(options), settings()))
    text = _text(argument)
    puzzles = parse(
        argument.encode("utf-8", "replace") if text is None else text,
        format=job.format,
        box=job.box,
        symbols=job.symbols,
        blank=job.blank,
        variant=job.variant,
    )
    if len(puzzles) == 1 and isinstance(puzzles[0], Invalid):
        fail(puzzles[0].detail + ("" if text is not None else "; nor is there such a file"))
    return list(puzzles)


def _text(argument: str) -> bytes | None:
    """Return what is to be read: standard input or a file; None if the argument is neither."""
    if argument == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(argument).read_bytes()
    except (OSError, ValueError):  # no file, or no name of one: a puzzle may be a long line
        return None
