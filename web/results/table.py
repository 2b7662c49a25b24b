"""Arrange results as a table: its columns and the contents of its cells."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import UNSET, UnsetType

from web.results.rows import FIELDS, RATED_FIELDS, RatedRow, Row
from worker.job import JobOptions

Cell = str | int | float | bool | None
_SOURCE_FIELDS = ("source_job", "source_n")
_DATASET_FIELDS = ("group", "copy", "split")
_OURS = frozenset((*FIELDS, *RATED_FIELDS, "minlex"))
_PREFIX = "upload_"  # before the name of an own column that is also the name of a result column


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a table of results.

    `rated`, `minlex`, `duplicates`, `source`, and `dataset` add columns. `minimality` contains the
    names of the columns about redundant givens and constraints. `own` contains the names of the
    columns of the uploaded table that aren't puzzles. They follow the columns of the results.
    `nested` contains the names of columns with several values in a cell, which only Parquet has.
    """

    rated: bool = False
    minlex: bool = False
    duplicates: bool = False
    minimality: tuple[str, ...] = ()
    source: bool = False
    own: tuple[str, ...] = ()
    nested: tuple[str, ...] = ()
    dataset: bool = False

    @classmethod
    def of(
        cls,
        options: JobOptions,
        own: Sequence[str] = (),
        *,
        source: bool = False,
        dataset: bool = False,
        duplicates: bool = False,
    ) -> "Table":
        """Return the table for a job with these options and these own columns of the user.

        `source` states whether the records come from another job. `dataset` states whether rows
        have a group, a number of the copy, and a part. `duplicates` states whether rows have the
        number of the puzzle of which they are duplicates.
        """
        asked = {"true_candidates": options.true_candidates, "all_solutions": options.lists}
        nested = tuple(name for name, wanted in asked.items() if wanted)
        return cls(
            rated=options.rate,
            minlex=options.minlex,
            duplicates=duplicates,
            minimality=(
                *(("minimal", "redundant") if options.needs_minimality else ()),
                *(("reduced",) if options.reduce else ()),
            ),
            source=source,
            own=tuple(own),
            nested=nested,
            dataset=dataset,
        )

    @property
    def heading(self) -> list[str]:
        """The names of the columns, all different, without the nested ones.

        An own column whose name is taken gets a prefix.
        """
        ours = [*FIELDS, *(RATED_FIELDS if self.rated else ()), *(("minlex",) * self.minlex)]
        ours += self.minimality
        ours += _SOURCE_FIELDS if self.source else ()
        ours += _DATASET_FIELDS if self.dataset else ()
        ours += ("duplicate_of",) if self.duplicates else ()
        taken = {*_OURS, *ours, *self.nested}
        names: list[str] = []
        for name in self.own:
            while name in taken or name in names:
                name = _PREFIX + name  # noqa: PLW2901
            names.append(name)
        return ours + names

    def cells(self, row: Row) -> list[Cell]:
        """Return the contents of a row's cells in the order of `heading`, None for empty cells."""
        cells: list[Cell] = [
            row.n, row.line, row.puzzle, row.outcome, row.solution, row.solutions, row.unique,
            row.steps, row.rating, row.detail, row.name,
        ]  # fmt: skip
        if self.rated:
            cells += _rated_cells(row) if isinstance(row, RatedRow) else [None] * len(RATED_FIELDS)
        if self.minlex:
            cells.append(_or_none(row.minlex))
        cells += [_minimality_cell(row, name) for name in self.minimality]
        if self.source:
            cells += [None, None] if row.source is UNSET else [row.source.job, row.source.n]
        if self.dataset:
            cells += [_or_none(row.group), _or_none(row.copy), _or_none(row.split)]
        if self.duplicates:
            cells.append(_or_none(row.duplicate_of))
        if self.own:
            fields = {} if row.columns is UNSET else row.columns
            cells += [fields.get(name) for name in self.own]
        return cells


def _or_none(value: str | int | UnsetType | None) -> Cell:
    return None if value is UNSET else value


def _minimality_cell(row: Row, name: str) -> Cell:
    if name != "redundant":
        return _or_none(row.minimal if name == "minimal" else row.reduced)
    return None if row.redundant is UNSET else row.redundant.text


def _rated_cells(row: RatedRow) -> list[Cell]:
    counts = row.techniques or {}
    needed = "; ".join(f"{number} {name}" for name, number in counts.items())
    return [
        row.ep, row.ed, row.hodoku_score, row.hodoku_level, row.difficulty, needed,
        row.sudokuq_rating, row.sudokuq_difficulty, row.sudokuq_solved,
    ]  # fmt: skip
