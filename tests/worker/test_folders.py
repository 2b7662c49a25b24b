"""The folders of an archive's files are found through the lines of their puzzles."""

import io
import zipfile

import pytest

from solver.formats import FORMATS, read_block
from solver.formats.format import Format
from worker.folders import MAX_CHANGES, FolderRecorder, Folders
from worker.ingest.stream import Stream, open_stream
from worker.job import JobOptions
from worker.options import read_options
from worker.settings import Settings

_OPTIONS = JobOptions()


def archive(files: list[tuple[str, str]]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for path, text in files:
            archive.writestr(path, text)
    return written.getvalue()


def recorded(paths: list[str]) -> Folders | None:
    recorder = FolderRecorder()
    for line, path in enumerate(paths, 1):
        recorder.begin(path.encode(), line=line)
    return recorder.folders


def folders_of_puzzles(files: list[tuple[str, str]]) -> list[str]:
    """Return the folder of each puzzle in an archive, in order."""
    stream = open_stream([archive(files)], options=_OPTIONS, settings=Settings())
    assert isinstance(stream, Stream)
    context, options = stream.context, read_options(_OPTIONS)
    lines = [
        read_block(block, format=stream.format, context=context, options=options).lines
        for block in stream.blocks()
    ]
    folders = stream.recorder.folders
    assert folders is not None
    return [folder for part in lines for folder in folders.of(part)]


@pytest.mark.parametrize("end", ["", "\n", "\n\n\n"])
@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
def test_puzzles_of_every_format_are_found_in_their_folders(format_: Format, end: str) -> None:
    text = format_.example.rstrip("\n") + end
    found = folders_of_puzzles([("easy/1", text), ("easy/2", text), ("hard/3", text)])
    third = len(found) // 3
    assert third > 0
    assert found == ["easy"] * 2 * third + ["hard"] * third


def test_adjacent_files_in_a_folder_are_recorded_once() -> None:
    paths = ["cover.txt", "a/easy/1", "b/easy/2", "hard/3", "hard/4", "easy/5"]
    assert recorded(paths) == Folders((1, 2, 4, 6), ("", "easy", "hard", "easy"))


def test_a_single_folder_is_not_recorded() -> None:
    assert recorded(["cover.txt", "book/1", "other/book/2"]) is None


def test_too_many_changes_of_the_folder_are_not_recorded() -> None:
    paths = [f"{number % 2}/{number}" for number in range(MAX_CHANGES)]
    assert recorded(paths) is not None
    assert recorded([*paths, "2/x"]) is None
