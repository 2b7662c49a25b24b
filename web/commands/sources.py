"""Open the inputs of commands: a file, a folder, a puzzle, or a dash for standard input."""

import errno
import io
import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import click
from click.shell_completion import CompletionItem

from solver.board.display import shown
from solver.board.puzzle import Invalid, Puzzle
from solver.formats import parse
from solver.formats.recognize import NO_FORMAT
from web.commands.exits import fail
from web.commands.folder_archive import open_folder
from web.commands.local_settings import options_and_settings
from worker.options import read_options

_NO_FILE = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ)


@dataclass(frozen=True, slots=True)
class Source:
    """An opened input of a command: a file, a folder, standard input, or a puzzle.

    `size` is in bytes, or None if unknown. `puzzle` is the argument if that is a puzzle, else None.
    """

    file: IO[bytes]
    size: int | None = None
    puzzle: str | None = None

    def unreadable(self, detail: str) -> str:
        """Return the error message for an unreadable input. `detail` is the parser's message."""
        if self.puzzle is None or detail.startswith("Unknown"):  # an unknown format or variant
            return detail
        neither = f"{shown(self.puzzle)} is neither a file nor a puzzle"
        return neither if detail.startswith(NO_FORMAT) else f"{neither}: {detail}"


def open_source(argument: str, *, with_folders: bool = True) -> Source:
    """Open a command's argument: a file, a folder, - for standard input, or a puzzle's text.

    A folder becomes a zip archive of its files. The argument counts as a puzzle if there is no file
    with this name. Exits with an error message if a file can't be opened, or for a folder if
    `with_folders` is False.
    """
    if argument == "-":
        if sys.stdin is None:
            fail("standard input is closed")
        return Source(sys.stdin.buffer, _size(sys.stdin.buffer))
    try:
        if not argument:
            raise FileNotFoundError(errno.ENOENT, "empty name")
        if Path(argument).is_dir():
            if not with_folders:
                fail(f"{argument} is a folder; give the name of a file")
            archive = open_folder(Path(argument))
            return Source(archive, _size(archive))
        file = Path(argument).open("rb")  # noqa: SIM115 (read until the command ends)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno not in _NO_FILE:
            fail(f"can't open {argument}: {error.strerror}")
        text = argument.encode("utf-8", "replace")
        return Source(io.BytesIO(text), len(text), puzzle=argument)
    click.get_current_context().call_on_close(file.close)
    return Source(file, _size(file))


def complete_source(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Make the shell complete file names for an argument (a click callback)."""
    del ctx, parameter
    return [CompletionItem(incomplete, type="file")]


def puzzles_in(argument: str, options: Mapping[str, str | None]) -> list[Puzzle | Invalid]:
    """Parse the puzzles in a file, in standard input (-), or in the argument itself.

    `options` are the options that affect parsing. Exits with an error message if the input contains
    no puzzle, or a single invalid one.
    """
    source = open_source(argument, with_folders=False)
    job = read_options(options_and_settings(options)[0])
    puzzles = parse(
        source.file.read(),
        format=job.format,
        box=job.box,
        symbols=job.symbols,
        blank=job.blank,
        variant=job.variant,
    )
    if len(puzzles) == 1 and isinstance(puzzles[0], Invalid):
        fail(source.unreadable(puzzles[0].detail))
    return list(puzzles)


def _size(file: IO[bytes]) -> int | None:
    """Return the size of a regular file in bytes, or None for a pipe or another kind of file."""
    try:
        status = os.fstat(file.fileno())
    except (OSError, ValueError):  # no real file, as in tests
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
