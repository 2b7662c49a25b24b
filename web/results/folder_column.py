"""Add a column with the folder of each puzzle, for uploads of files in several folders."""

from collections.abc import Sequence

from msgspec.structs import replace

from solver.formats.reading.own_columns import own_names
from worker.folders import Folders
from worker.job import Job
from worker.records.chunk_result import ChunkResult

_COLUMN = "folder"


def own_columns_of(job: Job) -> tuple[str, ...]:
    """Return the names of the user's own columns in a job's results, including the folder."""
    names = own_names(job.context)
    return names if job.folders is None or _COLUMN in names else (*names, _COLUMN)


def in_folders(result: ChunkResult, folders: Folders | None) -> ChunkResult:
    """Return results with the folder of each puzzle as a column, or unchanged without folders."""
    if folders is None:
        return result
    return with_folder_column(result, folders.of(ChunkResult.integers(result.lines)))


def with_folder_column(result: ChunkResult, folders: Sequence[str]) -> ChunkResult:
    """Return the results of some puzzles with the folder of each as an additional own column.

    A column of this name in the upload takes precedence.
    """
    if _COLUMN in result.own_names:
        return result
    empty = ("",) * len(result.own_names)
    own = {place: (*result.own.get(place, empty), name) for place, name in enumerate(folders)}
    return replace(result, own=own, own_names=(*result.own_names, _COLUMN))
