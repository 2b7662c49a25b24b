"""The command `sudokuq book`: its file, its progress, omitted puzzles, and errors."""

from pathlib import Path

import pikepdf
from click.testing import CliRunner
from terminals import Terminal

from web.commands.book import book

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def test_book_is_written_with_progress(tmp_path: Path) -> None:
    puzzles, output = tmp_path / "puzzles.txt", tmp_path / "book.pdf"
    puzzles.write_text(f"{EASY}\n" * 3 + "none\n")
    terminal = Terminal("book", str(puzzles), "-o", str(output), "--title", "Train")
    assert terminal.end() == 0
    assert "solving" in terminal.text
    assert "4 of 4 pages" in terminal.text
    assert f"{output}: 3 puzzles on 4 pages; left out: 1 without a unique solution" in terminal.raw
    assert len(pikepdf.open(output).pages) == 4


def test_solutions_are_not_printed_as_puzzles(tmp_path: Path) -> None:
    puzzles, output = tmp_path / "puzzles.txt", tmp_path / "book.pdf"
    puzzles.write_text(f"{SOLUTION}\n" * 2)
    result = CliRunner().invoke(book, [str(puzzles), "-o", str(output)])
    assert result.exit_code == 2
    assert "does the file contain solutions instead of puzzles?" in result.output
    puzzles.write_text(f"{SOLUTION}\n{EASY}\n")
    result = CliRunner().invoke(book, [str(puzzles), "-o", str(output)])
    assert result.exit_code == 0
    assert "1 puzzle on" in result.output
    assert "; left out: 1 without an empty cell\n" in result.output


def test_every_record_that_is_left_out_is_counted_by_its_reason(tmp_path: Path) -> None:
    puzzles, output = tmp_path / "puzzles.txt", tmp_path / "book.pdf"
    puzzles.write_text(f"{EASY}\n{EASY[:-1]}\n{EASY[:-1]}{EASY[0]}\n{SOLUTION}\n")
    result = CliRunner().invoke(book, [str(puzzles), "-o", str(output)])
    assert result.exit_code == 0
    assert "1 puzzle on" in result.output
    assert "; left out: 2 without a unique solution, 1 without an empty cell\n" in result.output


def test_book_that_cannot_be_made_leaves_no_file(tmp_path: Path) -> None:
    puzzles, output = tmp_path / "puzzles.txt", tmp_path / "book.pdf"
    puzzles.write_text(EASY)
    result = CliRunner().invoke(book, [str(puzzles), "-o", str(output), "--preset", "kdp"])
    assert result.exit_code == 2, result.output
    assert "Amazon KDP prints 24 to 828" in result.output
    assert not output.exists()


def test_bleed_of_kdp_books_is_refused(tmp_path: Path) -> None:
    output = tmp_path / "book.pdf"
    result = CliRunner().invoke(book, [EASY, "-o", str(output), "--preset", "kdp", "--bleed", "3"])
    assert result.exit_code == 2
    assert "--bleed: nothing in the book reaches the edge" in result.output
