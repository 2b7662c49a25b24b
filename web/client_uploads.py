"""Conversion of the client's arguments to upload bodies: text, files, lists, and arrays."""

import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, Any, Protocol, cast

_PIECE_BYTES = 1 << 18
_RAW = "application/octet-stream"
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


@dataclass(frozen=True, slots=True)
class Upload:
    """The body of an upload, its media type, and the job's default name."""

    file: IO[bytes] | IO[str]
    media_type: str = _RAW
    name: str = ""

    @property
    def is_list(self) -> bool:
        """Whether the body is a list of puzzles as NDJSON."""
        return self.media_type == "application/x-ndjson"

    def pieces(self, sent: Callable[[int], object] | None) -> Iterator[bytes]:
        """Yield the rest of the file as bytes, and report the size of each piece to `sent`."""
        while read := self.file.read(_PIECE_BYTES):
            piece = read.encode() if isinstance(read, str) else read
            if sent is not None:
                sent(len(piece))
            yield piece


@contextmanager
def opened(puzzles: Content) -> Iterator[Upload]:
    """Provide the upload for an argument of `Client.submit`. A file given by its path is closed.

    Text that is a complete JSON request stays one, so that the service reads its options. Raises
    TypeError or ValueError for anything that can't be uploaded.
    """
    if isinstance(puzzles, PathLike):
        with Path(puzzles).open("rb") as file:
            yield Upload(file, name=Path(puzzles).name)
    elif isinstance(puzzles, str | bytes):
        content = puzzles.encode() if isinstance(puzzles, str) else puzzles
        kind = "application/json" if _is_request(content) else _RAW
        yield Upload(io.BytesIO(content), kind)
    elif hasattr(puzzles, "read"):
        yield Upload(cast("IO[bytes] | IO[str]", puzzles))
    elif isinstance(puzzles, list | tuple):
        yield Upload(io.BytesIO(_ndjson(puzzles)), "application/x-ndjson")
    elif hasattr(puzzles, "tolist") and hasattr(puzzles, "dtype"):
        yield Upload(io.BytesIO(_ndjson(_rows(cast("Array", puzzles)))), "application/x-ndjson")
    else:
        raise TypeError(
            "puzzles must be text, bytes, a pathlib.Path, an open file, a list of puzzles, or an "
            f"integer array, not {type(puzzles).__name__}"
        )


def _is_request(content: bytes) -> bool:
    """Return whether the content is a JSON request: a list of puzzles with their options."""
    if not content.lstrip().startswith(b"{"):
        return False
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(value.get("puzzles"), list) and value.keys() <= _REQUEST_MEMBERS


def _ndjson(puzzles: Sequence[object]) -> bytes:
    """Return a list of puzzles as NDJSON, which has one JSON value per line."""
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

    Arrays convert themselves, so this doesn't import NumPy.
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
