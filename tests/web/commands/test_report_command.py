"""The command `sudokuq report`."""

from pathlib import Path

from click.testing import CliRunner

from web.commands.report import report


def test_report_without_any_valid_puzzle_gives_the_reasons(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text(f"11{'.' * 79}\n")
    result = CliRunner().invoke(report, [str(file)])
    assert result.exit_code == 1, result.output
    assert "1 twice" in result.output
    assert "This is unknown for all puzzles." in result.output
