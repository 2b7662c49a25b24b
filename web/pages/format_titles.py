"""The titles of the input formats on pages, the most common formats first."""

TITLES = {
    "line": "Puzzle lines",
    "grid": "Drawn grids",
    "csv": "CSV and other tables",
    "sudokupad": "SudokuPad and f-puzzles links",
    "json": "JSON",
    "ndjson": "JSON lines",
    "killer": "Killer lines",
    "jigsaw": "Jigsaw lines",
    "iss": "Interactive Sudoku Solver",
    "pencilmarks": "Pencil marks",
    "words": "Words and emoji",
    "lists": "Lists in source code",
    "hodoku": "HoDoKu library",
    "opensudoku": "OpenSudoku files",
    "puzzlink": "puzz.link URLs",
    "sgt": "Simon Tatham’s Solo",
    "sumocue": "SumoCue",
}
