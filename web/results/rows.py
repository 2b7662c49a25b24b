"""Create rows: the results of single records as the API shows them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Annotated, overload

import msgspec
from msgspec import UNSET, Meta, UnsetType

from solver.board.result import Outcome, decide_unique
from solver.board.text_lines import Lines
from web.results.formats import MAX_COMPARED
from web.results.redundant import Redundant, minimality_columns
from worker.records.chunk_result import ChunkResult
from worker.records.explanations import StoredDifficulty, StoredOwnRating

# The members that RatedRow adds.
RATED_FIELDS = (
    "ep", "ed", "hodoku_score", "hodoku_level", "difficulty", "techniques",
    "sudokuq_rating", "sudokuq_difficulty", "sudokuq_solved",
)  # fmt: skip


class Source(msgspec.Struct, frozen=True):
    """The record of another job that was solved again."""

    job: Annotated[str, Meta(description="Id of the other job.")]
    n: Annotated[int, Meta(description="Number of the record in the other job, from 1.")]


class Row(msgspec.Struct, frozen=True):
    """The result of one record, with the member names of the API.

    `minlex`, `true_candidates`, and `all_solutions` are present only if the job's options request
    them. `duplicate_of` is present only in downloads from jobs that have ended and request
    `minlex`. `minimal`, `redundant`, and `reduced` are present only if the job's options request
    them and the puzzle has a unique solution. `regions` is present only if the solver had to find
    the regions. It lists the region of each cell of the solution, numbered from 1 in reading order.
    `columns` is present only if the uploaded table has other columns, or if the upload is a zip
    archive with several folders. It contains the fields of these columns by column name. `source`
    is present only if the record was selected from another job. `group`, `copy`, and `split` are
    present only in downloads with the parameter `augment` or `split`.
    """

    n: Annotated[int, Meta(description="Number of the record in the upload, from 1.")]
    line: Annotated[int, Meta(description="Line of the upload on which the record starts, from 1.")]
    puzzle: Annotated[str, Meta(description="The givens in reading order.")]
    outcome: Annotated[
        str, Meta(description="Result class of the record, such as solved or invalid.")
    ]
    solution: Annotated[str | None, Meta(description="The first solution in reading order.")]
    solutions: Annotated[int, Meta(description="Number of solutions found, at most `limit`.")]
    unique: Annotated[
        bool | None,
        Meta(description="Whether there is exactly one solution. Null if that is unknown."),
    ]
    steps: Annotated[int, Meta(description="Number of guesses.")]
    rating: Annotated[float | None, Meta(description="Sudoku Explainer's rating (ER), if rated.")]
    detail: Annotated[
        str | None, Meta(description="The reason for the outcome, or a note about the record.")
    ]
    name: Annotated[str | None, Meta(description="Name of the puzzle in the upload.")]
    minlex: Annotated[
        str | UnsetType | None, Meta(description="The canonical form, with the option `minlex`.")
    ] = UNSET
    duplicate_of: Annotated[
        int | UnsetType | None,
        Meta(
            description="Number of the first puzzle of the job that is equal up to symmetry, in "
            "downloads from jobs with the option `minlex` that have ended and have up to "
            f"{MAX_COMPARED:,} puzzles. Null if the puzzle isn't a duplicate of an earlier one."
        ),
    ] = UNSET
    true_candidates: Annotated[
        dict[str, dict[str, int]] | UnsetType,
        Meta(description="Solutions per cell and value, with the option `true_candidates`."),
    ] = UNSET
    minimal: Annotated[
        bool | UnsetType | None,
        Meta(
            description="Whether every given and every constraint is needed, with the option "
            "`minimal` or `reduce`. Null if that is undecided."
        ),
    ] = UNSET
    redundant: Annotated[
        Redundant | UnsetType,
        Meta(
            description="Redundant givens and constraints, with the option `minimal` or `reduce`."
        ),
    ] = UNSET
    reduced: Annotated[
        str | UnsetType | None,
        Meta(
            description="The minimal puzzle as text that can be uploaded, with the option `reduce`."
            " Null if text can't express it."
        ),
    ] = UNSET
    all_solutions: Annotated[
        list[str] | UnsetType, Meta(description="The solutions found, if the job lists them.")
    ] = UNSET
    regions: Annotated[
        list[int] | UnsetType,
        Meta(description="Region of each cell, if the solver had to find the regions."),
    ] = UNSET
    columns: Annotated[
        dict[str, str] | UnsetType,
        Meta(
            description="Fields of the upload's other columns, by column name. `folder` is the "
            "folder of the puzzle's file if the upload is a zip archive with several folders."
        ),
    ] = UNSET
    source: Annotated[
        Source | UnsetType,
        Meta(description="The record of another job that was solved again, if it is one."),
    ] = UNSET
    group: Annotated[
        str | UnsetType | None,
        Meta(
            description="Id that puzzles have in common if they are equal up to symmetry, with the "
            "parameter `augment` or `split`. Null without a canonical form."
        ),
    ] = UNSET
    copy: Annotated[
        int | UnsetType,
        Meta(
            description="0 for the uploaded puzzle, or the number of its random symmetry, with the "
            "parameter `augment` or `split`. Other fields of a copy, such as the rating and the "
            "guesses, are those of the uploaded puzzle."
        ),
    ] = UNSET
    split: Annotated[
        str | UnsetType | None,
        Meta(
            description="train, validation, or test, with the parameter `split`. Null without a "
            "canonical form."
        ),
    ] = UNSET


class RatedRow(Row, frozen=True, kw_only=True):
    """A row of a job with ratings.

    The inherited `rating` is the rating of the hardest step (Sudoku Explainer's ER). This field and
    those that only rated rows have are null if the puzzle wasn't rated.
    """

    ep: Annotated[
        float | None, Meta(description="Rating up to the first placement (Sudoku Explainer's EP).")
    ]
    ed: Annotated[
        float | None, Meta(description="Rating of the first step (Sudoku Explainer's ED).")
    ]
    hodoku_score: Annotated[int | None, Meta(description="HoDoKu's score.")]
    hodoku_level: Annotated[str | None, Meta(description="HoDoKu's level.")]
    difficulty: Annotated[
        str | None,
        Meta(
            description="The difficulty in a word: easy, medium, hard, very hard, diabolical, or "
            "extreme."
        ),
    ]
    techniques: Annotated[
        dict[str, int] | None, Meta(description="Number of steps with each technique.")
    ]
    sudokuq_rating: Annotated[
        int | None,
        Meta(
            description="The sudokuq rating: the cost of the hardest step, for puzzles whose board "
            "or rules Sudoku Explainer doesn't rate. Null if they need a complete search."
        ),
    ]
    sudokuq_difficulty: Annotated[
        str | None,
        Meta(
            description="The difficulty of such puzzles in a word: easy, medium, hard, very hard, "
            "diabolical, or not rated by logic."
        ),
    ]
    sudokuq_solved: Annotated[
        float | None,
        Meta(
            description="Share of candidates that steps remove before the first complete search "
            "of such puzzles, from 0 to 1. It is 1 without a complete search."
        ),
    ]


# The CSV columns that all rows have, and the optional members.
_ASKED_FOR = (
    "minlex", "duplicate_of", "true_candidates", "minimal", "redundant", "reduced", "all_solutions",
    "regions", "columns", "source", "group", "copy", "split",
)  # fmt: skip
FIELDS = [name for name in Row.__struct_fields__ if name not in _ASKED_FOR]


class PlainRows(Sequence[Row]):
    """Rows without ratings, canonical forms, and lists of solutions, created on first access.

    Accessing one row creates all of them. Most downloads never access them. They write whole
    columns of `result` instead.
    """

    def __init__(self, numbers: Sequence[int], result: ChunkResult, *, limit: int) -> None:
        self.numbers = numbers
        self.result = result
        self.limit = limit
        self._rows: list[Row] | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        return self._every()[place]

    def __iter__(self) -> Iterator[Row]:
        return iter(self._every())

    def _every(self) -> list[Row]:
        if self._rows is None:
            self._rows = _made(
                self.numbers, self.result, limit=self.limit, minlex=False, listed=False
            )
        return self._rows


def rows_of(
    numbers: Sequence[int],
    result: ChunkResult,
    *,
    limit: int,
    rated: bool = False,
    minlex: bool = False,
    listed: bool = True,
) -> Sequence[Row]:
    """Return a row for each record of a chunk's results.

    `numbers` contains the numbers of the records in the job, from 1. `limit` is the job's limit on
    solutions. `rated` adds ratings, `minlex` adds canonical forms, and `listed` adds all solutions
    if the limit is above 2.
    """
    listed = listed and limit > 2
    if not (rated or minlex or listed):
        return PlainRows(numbers, result, limit=limit)
    plain = _made(numbers, result, limit=limit, minlex=minlex, listed=listed)
    if not rated:
        return plain
    return [
        _rated(row, result.difficulties.get(place), result.own_ratings.get(place))
        for place, row in enumerate(plain)
    ]


def _rated(row: Row, stored: StoredDifficulty | None, own: StoredOwnRating | None) -> RatedRow:
    """Return the row with the members that only rated rows have.

    They are null as far as the ratings are missing: `stored` by Sudoku Explainer and HoDoKu, `own`
    by sudokuq.
    """
    members = msgspec.structs.asdict(row) | dict.fromkeys(RATED_FIELDS)
    if stored is not None:
        hard = stored.read()
        members |= {
            "rating": hard.rating,
            "ep": hard.pearl,
            "ed": hard.diamond,
            "hodoku_score": hard.score,
            "hodoku_level": None if hard.level is None else hard.level.name.lower(),
            "difficulty": hard.word,
            "techniques": hard.techniques,
        }
    if own is not None:
        members |= {
            "sudokuq_rating": own.rating,
            "sudokuq_difficulty": own.word,
            "sudokuq_solved": round(own.solved, 3),
        }
    return RatedRow(**members)


def _made(
    numbers: Sequence[int], result: ChunkResult, *, limit: int, minlex: bool, listed: bool
) -> list[Row]:
    """Create the rows of a chunk's results, without ratings. The arguments are as in `rows_of`."""
    labels = [outcome.label for outcome in Outcome]
    codes = result.outcomes
    counts = ChunkResult.integers(result.counts).tolist()
    # `unique` depends only on outcome, count, and limit, so compute it once per combination.
    pairs = list(zip(codes, counts, strict=True))
    unique = {
        (code, count): decide_unique(Outcome(code), count, limit=limit)
        for code, count in set(pairs)
    }
    solutions: list[str] | list[str | None] = result.solutions.split()
    if 0 in counts:
        solutions = [solution or None for solution in solutions]
    columns = (
        numbers,
        ChunkResult.integers(result.lines).tolist(),
        result.puzzles.split(),
        map(labels.__getitem__, codes),
        solutions,
        counts,
        map(unique.__getitem__, pairs),
        ChunkResult.integers(result.steps).tolist(),
        repeat(None),
        _at_places(result.details, len(codes)),
        _at_places(result.names, len(codes)),
    )
    # Fast path: the only Python call per row is Row itself.
    optional = (
        result.true_candidates, result.minimality, result.regions, result.own_names, result.source,
    )  # fmt: skip
    if not (minlex or listed or any(optional)):
        return list(map(Row, *columns))
    forms: Iterable[str | UnsetType | None] = repeat(UNSET)
    if minlex:
        forms = [form or None for form in (result.minlex or Lines("\n" * (len(codes) - 1))).split()]
    every: Iterable[list[str] | UnsetType] = repeat(UNSET)
    if listed:
        every = (result.listed.get(n, []) for n in range(len(codes)))
    known = map(result.regions.get, range(len(codes)))
    regions = (UNSET if cells is None else list(cells) for cells in known)
    more = (
        forms, repeat(UNSET), _true_candidates(result), *minimality_columns(result), every, regions,
        _own(result), _sources(result),
    )  # fmt: skip
    return list(map(Row, *columns, *more))


def _own(result: ChunkResult) -> Iterable[dict[str, str] | UnsetType]:
    """Return each record's fields in the user's own columns as {column name: field}.

    Returns UNSET for each record if the upload has no such columns.
    """
    if not result.own_names:
        return repeat(UNSET, len(result))
    rows = map(result.own.get, range(len(result)))
    return [{} if row is None else dict(zip(result.own_names, row, strict=True)) for row in rows]


def _sources(result: ChunkResult) -> Iterable[Source | UnsetType]:
    """Return the record of another job from which each record comes, or UNSET for each."""
    if not result.source:
        return repeat(UNSET, len(result))
    numbers = ChunkResult.integers(result.source_numbers).tolist()
    return map(Source, repeat(result.source), numbers)


def _true_candidates(result: ChunkResult) -> Iterator[dict[str, dict[str, int]] | UnsetType]:
    """Yield each record's true candidates as {cell name: {symbol: number of solutions}}.

    Yields UNSET for records whose true candidates weren't counted.
    """
    for place, board in enumerate(result.boards()):
        stored = result.true_candidates.get(place)
        if stored is None or board is None:
            yield UNSET
        else:
            yield stored.read(board.layout, board.symbols).by_name(board.layout)


def _at_places(texts: dict[int, str], count: int) -> Iterable[str | None]:
    return map(texts.get, range(count)) if texts else repeat(None, count)


def minimality_sentences(row: Row) -> list[str]:
    """Return sentences about what a puzzle doesn't need, [] if it wasn't tested."""
    if isinstance(row.redundant, Redundant) and not row.minimal:
        return row.redundant.sentences
    return ["No given and no constraint is redundant."] if row.minimal is True else []
