"""The command `sudokuq report`: its text, folders as claimed levels, and unreadable files."""

import json
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from web.commands.report import report

_SAMPLE = files("solver").joinpath("samples/sample.txt").read_text().split()
_GRID = "\n".join(_SAMPLE[2][start : start + 9] for start in range(0, 81, 9))
# An SDK file has one puzzle, and the tables have different headers.
_BOOK = {
    "book/easy/001.sdk": f"{_GRID}\n",
    "book/easy/more/table.csv": f"puzzle,author\n{_SAMPLE[3]},Ada\n",
    "book/Level 3/puzzles.txt": f"{_SAMPLE[0]}\n{_SAMPLE[1]}\n",
    "book/Level 3/rated.csv": f"id,puzzle,difficulty\nfour,{_SAMPLE[4]},4\n",
    "book/front.txt": f"{_SAMPLE[5]}\n",
    "book/.DS_Store": "unreadable",
    "__MACOSX/book/easy/._001.sdk": "unreadable",
}


def run(*arguments: str) -> tuple[Result, Any]:
    result = CliRunner().invoke(report, [*arguments, "--json"])
    return result, json.loads(result.stdout) if result.stdout else None


def archive(path: Path, contents: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as written:
        for name, text in contents.items():
            written.writestr(name, text)
    return path


def folder(path: Path, contents: dict[str, str]) -> Path:
    for name, text in contents.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return path


def levels(found: Any) -> dict[str, int]:
    return {level["name"]: level["puzzles"] for level in found["claims"]["levels"]}


def test_names_with_square_brackets_are_printed_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "[bold] book.csv"
    file.write_text(f"name,puzzle\n[red]one,{_SAMPLE[0]}\n[/red]two,{'.' * 81}\n")
    result = CliRunner().invoke(report, [str(file)])
    assert result.exit_code == 1, result.output
    assert "Report on [bold] book.csv" in result.output
    assert "[/red]two" in result.output


def test_titles_of_sections_are_not_repeated_above_their_only_table(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text(f"{_SAMPLE[0]}\n{_SAMPLE[1]}\n")
    result = CliRunner().invoke(report, [str(file)])
    lines = result.output.splitlines()
    assert lines.count("Symmetry") == 1
    assert lines.count("Difficulty") == 1


def test_report_without_any_valid_puzzle_gives_the_reasons(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text(f"11{'.' * 79}\n")
    result = CliRunner().invoke(report, [str(file)])
    assert result.exit_code == 1, result.output
    assert "1 twice" in result.output
    assert "This is unknown for all puzzles." in result.output


@pytest.mark.parametrize("make", [archive, folder])
def test_folders_of_a_collection_are_claimed_levels(tmp_path: Path, make: Any) -> None:
    result, found = run(str(make(tmp_path / "collection", _BOOK)))
    assert (found["name"], found["puzzles"]) == ("collection", 6)
    assert levels(found) == {"easy": 1, "more": 1, "Level 3": 2, "book": 1, "4": 1}
    assert result.stderr == ""


def test_puzzles_without_names_are_named_after_their_file_and_line(tmp_path: Path) -> None:
    contents = _BOOK | {"book/easy/wrong.txt": f"{_SAMPLE[6]}\n11{'.' * 79}\n"}
    result, found = run(str(folder(tmp_path / "collection", contents)))
    (problem,) = found["problems"]
    assert [each["name"] for each in problem["first"]] == ["book/easy/wrong.txt:2"]
    assert result.exit_code == 1


@pytest.mark.parametrize("make", [archive, folder])
def test_a_single_folder_claims_nothing(tmp_path: Path, make: Any) -> None:
    contents = {"book/1.txt": _SAMPLE[0], "book/2.txt": _SAMPLE[1]}
    result, found = run(str(make(tmp_path / "collection", contents)))
    assert (result.exit_code, found["puzzles"], found["claims"]) == (0, 2, None)


def test_unreadable_files_of_a_collection_are_reported(tmp_path: Path) -> None:
    contents = {"easy/1.txt": _SAMPLE[0], "hard/2.txt": _SAMPLE[1], "cover.pdf": "%PDF-1.7"}
    result, found = run(str(folder(tmp_path, contents)))
    assert (result.exit_code, found["puzzles"]) == (1, 2)
    assert result.stderr.startswith("sudokuq: cover.pdf: ")
    result, found = run(str(folder(tmp_path / "other", {"cover.pdf": "%PDF-1.7"})))
    assert (result.exit_code, found) == (2, None)
    assert result.stderr.endswith("contains no file with puzzles\n")


def test_damage_in_an_archive_is_reported_with_the_file(tmp_path: Path) -> None:
    path = archive(tmp_path / "book.zip", {"easy/1.txt": _SAMPLE[0], "hard/2.txt": _SAMPLE[1]})
    damaged = bytearray(path.read_bytes())
    damaged[damaged.index(b"hard/2.txt") + 20] ^= 255
    path.write_bytes(damaged)
    result, found = run(str(path))
    assert (result.exit_code, found["puzzles"]) == (1, 1)
    assert "hard/2.txt: the zip archive is damaged" in result.stderr


def test_level_without_fitting_ratings_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "book.csv"
    file.write_text(f"level,puzzle\n1,{_SAMPLE[0]}\n1,{_SAMPLE[0]}\n2,{_SAMPLE[0]}\n")
    printed = CliRunner().invoke(report, [str(file)]).output
    assert "Fitting ratings" in printed
    assert "A level with “none” has no range of its own" in printed


def test_first_copies_of_a_repeated_puzzle_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text(f"{_SAMPLE[0]}\n" * 12)
    printed = CliRunner().invoke(report, [str(file)]).output
    assert "2, 3, 4, 5, 6, 7, 8, 9, and 3 more" in " ".join(printed.split())
