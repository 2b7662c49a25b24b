"""Conversion of the clients' arguments to upload bodies: text, files, lists, and arrays."""

import io
import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import IO, Any, Protocol, cast

_PIECE_BYTES = 1 << 18
_RAW = "application/octet-stream"
_NDJSON = "application/x-ndjson"
# The members of a JSON request, as opposed to a JSON file with puzzles.
_REQUEST_MEMBERS = {"puzzles", "options", "name"}
_PUZZLE_TYPES = (str, dict, list, tuple)
# A square array of at most this size may be a single puzzle, or one puzzle per row.
_LARGEST_AMBIGUOUS = 36


class Array(Protocol):
    """A NumPy array or a pandas series."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The length in each dimension."""

    @property
    def dtype(self) -> Any:
        """The type of the values."""

    def tolist(self) -> Any:
        """Return the values as nested lists."""


Content = str | bytes | PathLike[str] | IO[bytes] | IO[str] | Sequence[object] | Array


class Upload:
    """The body of an upload, its media type, and the job's default name.

    The body begins at the position that the file has now. `is_own` means that the file was opened
    for this upload.

    A file that isn't seekable can be sent only once.
    """

    def __init__(
        self,
        file: IO[bytes] | IO[str],
        media_type: str = _RAW,
        *,
        name: str = "",
        is_own: bool = True,
    ) -> None:
        self.media_type = media_type
        self.name = name
        self.is_list = media_type == _NDJSON
        self.is_seekable = file.seekable()
        self._file = file
        self._start = file.tell() if self.is_seekable else 0
        self._is_own = is_own

    def rewind(self) -> None:
        """Return to the beginning of the body. Does nothing if the file isn't seekable."""
        if self.is_seekable:
            self._file.seek(self._start)

    def read(self) -> bytes:
        """Return the next piece of the body, which is empty at the end."""
        piece = self._file.read(_PIECE_BYTES)
        return piece.encode() if isinstance(piece, str) else piece

    def close(self) -> None:
        """Close the file, unless it is the caller's."""
        if self._is_own:
            self._file.close()


def open_upload(puzzles: Content) -> Upload:
    """Return the upload for an argument of `Client.submit`.

    `puzzles` is text or bytes, a Path, an open file, a list of puzzles, or an integer array. Text
    contains the puzzles themselves, and isn't a path. Text that is a complete JSON request is sent
    as one, so that the service reads its options. Raises TypeError or ValueError for anything that
    can't be uploaded, and OSError if a file can't be opened.
    """
    if isinstance(puzzles, PathLike):
        return Upload(Path(puzzles).open("rb"), name=Path(puzzles).name)
    if isinstance(puzzles, str | bytes):
        content = puzzles.encode() if isinstance(puzzles, str) else puzzles
        return Upload(io.BytesIO(content), "application/json" if _is_request(content) else _RAW)
    if hasattr(puzzles, "read"):
        return Upload(cast("IO[bytes] | IO[str]", puzzles), is_own=False)
    if isinstance(puzzles, list | tuple):
        return Upload(io.BytesIO(_ndjson(puzzles)), _NDJSON)
    if hasattr(puzzles, "tolist") and hasattr(puzzles, "dtype"):
        return Upload(io.BytesIO(_ndjson(_rows(cast("Array", puzzles)))), _NDJSON)
    raise TypeError(
        "puzzles must be text, bytes, a pathlib.Path, an open file, a list of puzzles, or an "
        f"integer array, not {type(puzzles).__name__}"
    )


def _is_request(content: bytes) -> bool:
    """Return whether the content is a JSON request: a list of puzzles with their options.

    A JSON object with any other members isn't one.
    """
    if not content.lstrip().startswith(b"{"):
        return False
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(value.get("puzzles"), list) and value.keys() <= _REQUEST_MEMBERS


def _ndjson(puzzles: Sequence[object]) -> bytes:
    """Return a list of puzzles as NDJSON, which has one JSON value per line.

    Raises TypeError if a puzzle isn't text, a dict, a list, or a tuple, or can't be written as
    JSON, and ValueError if there are no puzzles. The service checks the members of lists.
    """
    lines = []
    for index, puzzle in enumerate(puzzles):
        if not isinstance(puzzle, _PUZZLE_TYPES):
            raise TypeError(
                f"puzzles[{index}] must be text, a dict, or a list of integers, "
                f"not {type(puzzle).__name__}"
            )
        try:
            lines.append(json.dumps(puzzle, ensure_ascii=False, allow_nan=False))
        except (TypeError, ValueError) as error:
            raise TypeError(f"puzzles[{index}] can't be sent as JSON: {error}") from None
    if not lines:
        raise ValueError("the list of puzzles is empty")
    return "\n".join(lines).encode()


def _rows(array: Array) -> list[Any]:
    """Return the puzzles in an array: (n, cells) or (n, rows, columns) integers, or n texts.

    Arrays convert themselves, so this doesn't import NumPy. Raises TypeError for other arrays, and
    ValueError if the shape could also be that of a single puzzle.
    """
    shape, dtype = array.shape, array.dtype
    if len(shape) == 1 and getattr(dtype, "kind", "O") in "OTU":
        return list(array.tolist())
    if getattr(dtype, "kind", "") not in ("i", "u") or len(shape) not in (2, 3):
        raise TypeError(
            "an array of puzzles must contain integers in the shape (n, cells) or (n, rows, "
            f"columns), not {dtype} in the shape {shape}"
        )
    if len(shape) == 2 and shape[0] == shape[1] <= _LARGEST_AMBIGUOUS:
        raise ValueError(
            f"the shape {shape} is ambiguous; pass array[None] if the array is a single puzzle, or "
            "array.tolist() if each row is a puzzle"
        )
    return list(array.tolist())
