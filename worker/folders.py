"""Find the folder of each puzzle in an uploaded zip archive.

The name of the folder can be the difficulty level that the uploader claims for the puzzle. An
archive is read as one upload, so the folder of a puzzle is found through the puzzle's line.
"""

from collections.abc import Iterable
from pathlib import PurePosixPath

import msgspec
import numpy as np
from numpy.typing import NDArray

from solver.board.display import printable

# No folders are kept if consecutive files are in different folders more often than this.
MAX_CHANGES = 1_000
_MAX_NAME_LENGTH = 200


class Folders(msgspec.Struct, frozen=True):
    """The folders of an upload. The lines from `lines[i]` on belong to the folder `names[i]`.

    Lines are numbered from 1. The name is "" for files that aren't in a folder.
    """

    lines: tuple[int, ...]
    names: tuple[str, ...]

    def of(self, lines: NDArray[np.int64]) -> list[str]:
        """Return the folder of the file that contains each line, or "" before the first file.

        `lines` are line numbers in the upload.
        """
        before = np.searchsorted(self.lines, lines, side="right")
        names = ("", *self.names)
        return [names[place] for place in before.tolist()]


class FolderRecorder:
    """Records the folders of an archive's files while they are read."""

    def __init__(self) -> None:
        self._lines: list[int] = []
        self._names: list[str] = []

    def begin(self, path: bytes, *, line: int) -> None:
        """Record that the file with this path begins at this line of the upload.

        Only changes of the folder are stored, and only up to a maximum number of them.
        """
        name = folder_of(_decoded(path))[:_MAX_NAME_LENGTH]
        if len(self._names) <= MAX_CHANGES and self._names[-1:] != [name]:
            self._lines.append(line)
            self._names.append(name)

    @property
    def folders(self) -> Folders | None:
        """The folders of the files so far, or None if they aren't useful.

        That is the case if fewer than two different folders occur, or if consecutive files are in
        different folders more than MAX_CHANGES times.
        """
        if len(self._names) > MAX_CHANGES or not are_distinguishing(self._names):
            return None
        return Folders(tuple(self._lines), tuple(self._names))


def folder_of(path: str) -> str:
    """Return the printable name of the folder that contains a file, or "" if there is none.

    It doesn't include the folders above that folder.
    """
    return printable(PurePosixPath(path).parent.name)


def are_distinguishing(folders: Iterable[str]) -> bool:
    """Return whether the folders of some files distinguish them: at least two names differ.

    Files outside of folders, whose folder is "", don't count.
    """
    return len({*folders} - {""}) >= 2


def _decoded(path: bytes) -> str:
    """Return the path of a file in an archive. If it isn't UTF-8, it is in the charset of DOS."""
    try:
        return path.decode()
    except UnicodeDecodeError:
        return path.decode("cp437")
