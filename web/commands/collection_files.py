"""Read collections of several files: a folder, or a zip archive with at least two folders.

The files are read one by one, so each can have its own format and header.
"""

import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

import click
from msgspec.structs import replace

from solver.board.display import printable
from web.commands.folder_archive import files_in
from web.results.folder_column import with_folder_column
from worker.folders import are_distinguishing, folder_of
from worker.ingest.decompress import OFFICE_FILES, SYSTEM_FILES
from worker.records.chunk_result import ChunkResult
from worker.rejection import Rejected, RejectionKind

_PIECE = 1 << 17
_ENCRYPTED = 1  # bit in the flags of a file in a zip archive
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)
_Read = Callable[[], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class CollectionFile:
    """A file of a collection.

    name    its path in the collection, with slashes
    folder  the name of the folder that contains it, "" if that is the collection itself
    read    returns the file's bytes in pieces
    """

    name: str
    folder: str
    read: _Read


def collection_files(argument: str) -> list[CollectionFile] | None:
    """Return the files of a folder, or of a zip archive with at least two different folders.

    Returns None if a command's argument is anything else, such as another file or a puzzle. Hidden
    files and files that operating systems add are left out. If all files are in the same folder,
    `folder` is "", because that folder doesn't distinguish them.
    """
    path = Path(argument)
    try:
        is_folder = bool(argument) and path.is_dir()
        is_archive = path.is_file() and zipfile.is_zipfile(path)
    except (OSError, ValueError):  # the argument is a puzzle
        return None
    if is_folder:
        return _named(_files_in(path))
    files = _named(_files_in_archive(path)) if is_archive else []
    return files if any(file.folder for file in files) else None


def placed_in(file: CollectionFile, result: ChunkResult) -> ChunkResult:
    """Return the results of a file's puzzles, with their file and folder added.

    A puzzle without a name is named after its file and line. The folder of the file, if any, is
    added as a column, like the user's own columns.
    """
    lines = ChunkResult.integers(result.lines).tolist()
    names = {place: f"{file.name}:{line}" for place, line in enumerate(lines)} | result.names
    named = replace(result, names=names)
    return with_folder_column(named, [file.folder] * len(result)) if file.folder else named


def _named(found: list[tuple[str, _Read]]) -> list[CollectionFile]:
    """Return the files in `found`, which are pairs (path, reader), without hidden and system files.

    The folder of all of them is "" if their folders don't distinguish them.
    """
    files = [
        CollectionFile(printable(path), folder_of(path), read)
        for path, read in found
        if not SYSTEM_FILES.fullmatch(path.encode("utf-8", "replace"))
        and not any(part.startswith(".") for part in PurePosixPath(path).parts)
    ]
    if are_distinguishing(file.folder for file in files):
        return files
    return [CollectionFile(file.name, "", file.read) for file in files]


def _files_in(folder: Path) -> list[tuple[str, _Read]]:
    return [
        (path.relative_to(folder).as_posix(), partial(_read_file, path))
        for path in files_in(folder)
    ]


def _read_file(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from iter(lambda: file.read(_PIECE), b"")


def _files_in_archive(path: Path) -> list[tuple[str, _Read]]:
    """Return the files in an archive as pairs (path, reader), without directories.

    The archive is closed when the command ends. Returns no files if it is damaged, encrypted, or an
    office document.
    """
    try:
        archive = click.get_current_context().with_resource(zipfile.ZipFile(path))
    except zipfile.BadZipFile:
        return []
    files = [info for info in archive.infolist() if not info.is_dir()]
    if any(info.flag_bits & _ENCRYPTED for info in files):
        return []
    if any(info.filename.encode("utf-8", "replace") in OFFICE_FILES for info in files):
        return []
    return [(info.filename, partial(_read_archived, archive, info)) for info in files]


def _read_archived(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    try:
        with archive.open(info) as file:
            yield from iter(lambda: file.read(_PIECE), b"")
    except _DAMAGED as error:
        detail = f"the zip archive is damaged or not supported ({error})"
        raise Rejected(RejectionKind.UNREADABLE, detail) from None
