"""The contents of each download of results, as tooltips on a job's page."""

DOWNLOADS = {
    "jsonl": "JSON lines: one result per line",
    "json": "JSON: one list of all results",
    "csv": "CSV: a table for spreadsheets and scripts",
    "xlsx": "Excel workbook",
    "txt": "Text: one solution per line",
    "sdm": "Puzzles as .sdm, for other Sudoku programs: one puzzle per line, without its solution",
    "grid": "Text: each solution drawn as a grid",
}
