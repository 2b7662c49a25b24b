"""Select results and convert them to pages of rows, and write them in any output format."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec
from msgspec import UNSET

from solver.board.graphemes import count_graphemes
from solver.board.result import Outcome
from solver.board.symbols import Symbols
from solver.logic.explanation import Explanation
from web.results.csv_table import csv_heading, csv_rows
from web.results.fast_csv_and_json import csv_lines, json_lines
from web.results.folder_column import in_folders
from web.results.result_filter import Filter, Part
from web.results.rows import PlainRows, Row, rows_of
from web.results.table import Table
from web.results.xlsx import workbook
from worker.folders import Folders
from worker.job import JobOptions
from worker.records.boards import StoredBoard
from worker.records.chunk_result import ChunkResult


@dataclass(frozen=True, slots=True)
class ResultPage:
    """Rows of some records of one chunk. `result` contains the results of exactly these records."""

    rows: Sequence[Row]
    result: ChunkResult

    def with_boards(self) -> list[tuple[Row, StoredBoard | None]]:
        """Return each row with its board, or None if the record has no stored board."""
        return list(zip(self.rows, self.result.boards(), strict=True))

    def singles(self) -> Iterator["ResultPage"]:
        """Yield a page for each row, so that the memory of the other rows can be freed."""
        for place, row in enumerate(self.rows):
            yield ResultPage([row], self.result.slice(place, place + 1))


@dataclass(frozen=True, slots=True)
class Writer:
    """An output format.

    `name` is the format's name in the API. `label` is the text of the download button on a job's
    page, and `description` is its tooltip. `body` converts pages of rows to bytes for a table with
    the given columns.
    """

    name: str
    label: str
    description: str
    media_type: str
    body: Callable[[Iterable[ResultPage], Table], Iterator[bytes]]

    @property
    def extension(self) -> str:
        """The extension of the downloaded file."""
        return self.name

    def write(
        self,
        pages: Iterable[ResultPage],
        options: JobOptions,
        own: Sequence[str] = (),
        *,
        source: bool = False,
        dataset: bool = False,
        duplicates: bool = False,
    ) -> Iterator[bytes]:
        """Yield the rows of a job as bytes in this format.

        `options` are the job's options. `own` contains the names of the user's own columns.
        `source` states whether the records come from another job, and `dataset` whether the rows
        have the members of a dataset. `duplicates` states whether they have `duplicate_of`.
        """
        table = Table.of(options, own, source=source, dataset=dataset, duplicates=duplicates)
        return self.body(pages, table)


class Incomplete(Exception):
    """The job was deleted or expired during the download."""

    def __init__(self) -> None:
        super().__init__("the job was deleted, or expired, during the download")


def rows(
    part: Part, *, limit: int, rated: bool = False, minlex: bool = False, listed: bool = True
) -> Sequence[Row]:
    """Return a row for each record in a part. The options are those of `rows.rows_of`."""
    return result_page(part, limit=limit, rated=rated, minlex=minlex, listed=listed).rows


def result_page(
    part: Part,
    *,
    limit: int,
    rated: bool = False,
    minlex: bool = False,
    listed: bool = True,
    places: Sequence[int] | None = None,
    folders: Folders | None = None,
) -> ResultPage:
    """Return the rows of a part as a page.

    `limit`, `rated`, `minlex`, and `listed` are those of `rows_of`. `places` selects records by
    their positions in the part, from 0; None selects all. With `folders`, the folders of the
    upload, each row also contains its puzzle's folder.
    """
    first, result = part
    numbers: Sequence[int] = range(first, first + len(result))
    if places is not None:
        numbers, result = [first + place for place in places], result.at(places)
    result = in_folders(result, folders)
    every = rows_of(numbers, result, limit=limit, rated=rated, minlex=minlex, listed=listed)
    return ResultPage(every, result)


def stored_explanation(page: ResultPage) -> Explanation | None:
    """Return the explanation of the page's only row, or None if the results contain none.

    The page must have exactly one row.
    """
    ((row, board),) = page.with_boards()
    stored = page.result.explanations.get(0)
    givens = None if board is None else board.read(row.puzzle)
    if stored is None or board is None or givens is None:
        return None
    return stored.read(board, givens)


def select(
    parts: Iterable[Part],
    *,
    limit: int,
    rated: bool = False,
    minlex: bool = False,
    listed: bool = True,
    wanted: Filter | None = None,
    offset: int = 0,
    count: int | None = None,
    folders: Folders | None = None,
) -> Iterator[ResultPage]:
    """Yield the rows of the parts that pass the filter `wanted`, with one page per part with rows.

    With a filter, the first `offset` rows that pass it are skipped, and at most `count` rows are
    yielded. Without a filter, all rows are yielded, because the caller has already selected the
    records. `result_page` explains the other options.
    """
    for part in parts:
        places: Sequence[int] | None = None
        if wanted:
            every = wanted.places_in(part).tolist()
            places = every[offset : None if count is None else offset + count]
            offset = max(offset - len(every), 0)
            if count is not None:
                count -= len(places)
        page = result_page(
            part,
            limit=limit,
            rated=rated,
            minlex=minlex,
            listed=listed,
            places=places,
            folders=folders,
        )
        if page.rows:
            yield page
        if wanted and count == 0:
            return


def complete(pages: Iterable[ResultPage], *, rows: int) -> Iterator[ResultPage]:
    """Pass on pages, and then raise Incomplete if they contained fewer than `rows` rows.

    By then, the headers and most of the body have been sent. Aborting the connection is the only
    way to keep a truncated response from looking complete.
    """
    for page in pages:
        rows -= len(page.rows)
        yield page
    if rows > 0:
        raise Incomplete


def _by_columns(page: ResultPage, write: Callable[..., bytes | None]) -> bytes | None:
    rows = page.rows
    return (
        write(rows.numbers, rows.result, limit=rows.limit) if isinstance(rows, PlainRows) else None
    )


def _jsonl(pages: Iterable[ResultPage], _: Table) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    for page in pages:
        yield _by_columns(page, json_lines) or encoder.encode_lines(page.rows)


def _json(pages: Iterable[ResultPage], _: Table) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    before = b"["
    for page in pages:
        for row in page.rows:
            yield before + b"\n" + encoder.encode(row)
            before = b","
    yield b"\n]\n" if before == b"," else b"[]\n"


def _csv(pages: Iterable[ResultPage], table: Table) -> Iterator[bytes]:
    heading = csv_heading(table)
    for page in pages:
        written = None if table.own else _by_columns(page, csv_lines)
        yield heading + (csv_rows(page.rows, table) if written is None else written)
        heading = b""
    if heading:
        yield heading


def _xlsx(pages: Iterable[ResultPage], table: Table) -> Iterator[bytes]:
    return workbook(table.heading, (map(table.cells, page.rows) for page in pages))


def _parquet(pages: Iterable[ResultPage], table: Table) -> Iterator[bytes]:
    # An extra, which takes a quarter of a second to load.
    from web.results.parquet import parquet  # noqa: PLC0415

    return parquet((page.rows for page in pages), table)


def _txt(pages: Iterable[ResultPage], _: Table) -> Iterator[bytes]:
    for page in pages:
        yield page.result.solutions.text.encode() + b"\n"


def _grid(pages: Iterable[ResultPage], _: Table) -> Iterator[bytes]:
    """Write each solution as a grid, after a line with its number and name. Holes become spaces.

    Without a solution, only that line is written. If the record comes from another job, its number
    and the job's id follow in the same line.
    """
    for page in pages:
        lines = []
        for row, board in page.with_boards():
            title = f"# {row.n}" + (f" {row.name}" if row.name else "")
            if row.source is not UNSET:
                title += f" (puzzle {row.source.n} of job {row.source.job})"
            lines.append(title)
            if row.solution:
                lines += [row.solution] if board is None else _grid_lines(row.solution, board)
            lines.append("")
        yield ("\n".join(lines) + "\n").encode()


def _grid_lines(solution: str, board: StoredBoard) -> list[str]:
    layout, cells = board.layout, board.symbols.split(solution)
    width = max(map(count_graphemes, board.symbols.values))
    if layout.holes:
        cells = [
            " " * width if index in layout.holes else cell + " " * (width - count_graphemes(cell))
            for index, cell in enumerate(cells)
        ]
    separator = "" if width == 1 else " "
    starts = range(0, len(cells), layout.columns)
    return [separator.join(cells[start : start + layout.columns]).rstrip() for start in starts]


def _sdm(pages: Iterable[ResultPage], _: Table) -> Iterator[bytes]:
    """Write puzzles as .sdm readers expect them, with 0 for an empty cell.

    9×9 puzzles are written in digits, whatever their symbols. An unparsable record gets an empty
    line, so that line numbers and record numbers agree.
    """
    for page in pages:
        lines = [_sdm_line(row, board) for row, board in page.with_boards()]
        yield "".join([line + "\n" for line in lines]).encode()


def _sdm_line(row: Row, board: StoredBoard | None) -> str:
    if board is None:  # the record couldn't be parsed, or its board is too large to be stored
        return "" if row.outcome == Outcome.INVALID.label else row.puzzle
    symbols, layout = board.symbols, board.layout
    if layout.rows == layout.columns == layout.size == 9:
        values = symbols.read(row.puzzle)
        return Symbols.usual(9, blank="0").write(values)
    if "0" in symbols.values or layout.holes:
        return row.puzzle
    return replace(symbols, blank="0").write(symbols.read(row.puzzle))


WRITERS = {
    writer.name: writer
    for writer in (
        Writer(
            "jsonl",
            "JSON lines",
            "JSON lines: one result per line",
            "application/x-ndjson",
            _jsonl,
        ),
        Writer("json", "JSON", "JSON: one list of all results", "application/json", _json),
        Writer(
            "csv",
            "CSV",
            "CSV: a table for spreadsheets and scripts",
            "text/csv; charset=utf-8",
            _csv,
        ),
        Writer(
            "xlsx",
            "Excel",
            "Excel workbook",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            _xlsx,
        ),
        Writer(
            "parquet",
            "Parquet",
            "Parquet: typed columns for pandas, Polars, and DuckDB",
            "application/vnd.apache.parquet",
            _parquet,
        ),
        Writer(
            "txt",
            "Solutions only (txt)",
            "Text: one solution per line",
            "text/plain; charset=utf-8",
            _txt,
        ),
        Writer(
            "sdm",
            "Puzzles only (sdm)",
            "Puzzles as .sdm, for other Sudoku programs: one puzzle per line, without its solution",
            "text/plain; charset=utf-8",
            _sdm,
        ),
        Writer(
            "grid",
            "Drawn solutions (grid)",
            "Text: each solution drawn as a grid",
            "text/plain; charset=utf-8",
            _grid,
        ),
    )
}
