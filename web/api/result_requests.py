"""Request schemas about results of a job: a filter, and parameters of downloads and pictures."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from web.books.options import (
    CHAPTERS,
    HINTS,
    MAX_BLEED,
    MAX_TITLE,
    PAGE_SIZES,
    PER_PAGE,
    PRESETS,
    SOLUTIONS,
)
from web.results.formats import (
    DATASET_FORMATS,
    DRAWN_FORMATS,
    DUPLICATES,
    MAX_COPIES,
    MAX_NUMBERS,
    MAX_PIXELS,
    MAX_SEARCH_LENGTH,
    MAX_SEED,
    MIN_PIXELS,
    NUMBERS_PATTERN,
    RESULT_FORMATS,
    SHOWN,
    SORTS,
    SPLIT_PATTERN,
    USUAL_PIXELS,
)

Pixels = Annotated[
    int, Meta(ge=MIN_PIXELS, le=MAX_PIXELS, description="Width of a picture in pixels.")
]
_INKS = {"enum": ["color", "gray"]}
Ink = Annotated[
    str,
    Meta(
        description="Colors of pictures: `color`, or `gray` for black-and-white print.",
        extra_json_schema=_INKS,
    ),
]


class PictureParameters(msgspec.Struct):
    """Query parameters of a request for a picture of one puzzle."""

    size: Pixels = USUAL_PIXELS
    show: Annotated[
        str,
        Meta(
            description="The puzzle alone, with its solution, or with the candidates of its empty "
            "cells. Candidates are drawn on boards with up to 16 values.",
            extra_json_schema={"enum": [*SHOWN]},
        ),
    ] = "puzzle"
    ink: Ink = "color"


class Where(msgspec.Struct):
    """A filter for the puzzles of a job."""

    outcome: Annotated[
        str | UnsetType,
        Meta(
            description="Only puzzles with these outcomes, separated by commas (default: all).",
            examples=["invalid,multiple"],
        ),
    ] = UNSET
    rating: Annotated[
        str | UnsetType,
        Meta(
            description="Only puzzles with a Sudoku Explainer rating in this range: 7.1.., ..3.0, "
            "or 7.1..8.0. Needs a job with the option `rate`.",
            examples=["7.1..8.0"],
        ),
    ] = UNSET
    sudokuq_rating: Annotated[
        str | UnsetType,
        Meta(
            description="Only puzzles with a sudokuq rating in this range. Needs a job with the "
            "option `rate`.",
            examples=["200..500"],
        ),
    ] = UNSET
    technique: Annotated[
        str | UnsetType,
        Meta(
            description="Only puzzles that need one of these techniques, separated by commas. "
            "Needs a job with the option `rate`.",
            examples=["X-Wing"],
        ),
    ] = UNSET
    search: Annotated[
        Annotated[str, Meta(max_length=MAX_SEARCH_LENGTH)] | UnsetType,
        Meta(
            description="Only puzzles whose name contains this text, in any case, or that have "
            "this number.",
            examples=["grid 12"],
        ),
    ] = UNSET
    duplicates: Annotated[
        str | UnsetType,
        Meta(
            description="`only` for duplicates of earlier puzzles in the job, or `without` for all "
            "other puzzles. Needs a job with the option `minlex` that has ended.",
            examples=["without"],
            extra_json_schema={"enum": [*DUPLICATES]},
        ),
    ] = UNSET
    finding: Annotated[
        str | UnsetType,
        Meta(
            description="Only puzzles with this finding of the job's report, such as "
            "`publishable`, `disagrees`, `identical`, or `givens:24`. The filters in the report "
            "have all of them. Needs a job that has ended.",
            examples=["publishable"],
        ),
    ] = UNSET
    numbers: Annotated[
        Annotated[str, Meta(pattern=NUMBERS_PATTERN)] | UnsetType,
        Meta(
            description=f"Only puzzles with these numbers, at most {MAX_NUMBERS:,}, as a list with "
            "ranges.",
            examples=["3,7,10-20"],
        ),
    ] = UNSET


class ResultParameters(Where):
    """Query parameters of a request for a job's results."""

    format: Annotated[
        str,
        Meta(
            description="Format of the results.",
            examples=["csv"],
            extra_json_schema={"enum": [*RESULT_FORMATS, *DRAWN_FORMATS]},
        ),
    ] = "jsonl"
    sort: Annotated[
        str | UnsetType,
        Meta(
            description="Sort order, by default that of the upload. `steps` is the number of "
            "guesses. The lowest is first, or with a minus sign the highest. Puzzles with the same "
            "`rating` are in the order of their `hodoku_score`, unless the job has more than "
            "10,000 with this rating. Needs a job that has ended.",
            examples=["-rating"],
            extra_json_schema={"enum": [*SORTS]},
        ),
    ] = UNSET
    offset: Annotated[int, Meta(ge=0, description="Number of results to skip.")] = 0
    count: Annotated[
        Annotated[int, Meta(ge=0)] | UnsetType,
        Meta(description="Maximum number of results (default: all).", examples=[100]),
    ] = UNSET
    partial: Annotated[
        bool, Meta(description="Whether to return the results so far if the job is unfinished.")
    ] = False
    bom: Annotated[
        bool,
        Meta(
            description="Whether CSV starts with a byte order mark, so that Excel reads it as "
            "UTF-8."
        ),
    ] = False
    augment: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_COPIES,
            description="Number of random symmetries to add after each classic 9x9 puzzle. Needs a "
            "job with the option `minlex`, and the format "
            f"{', '.join(DATASET_FORMATS[:-1])}, or {DATASET_FORMATS[-1]}.",
        ),
    ] = 0
    split: Annotated[
        str | UnsetType,
        Meta(
            description="Relative sizes of the parts train and test, or train, validation, and "
            "test. Puzzles that are equal up to symmetry are in the same part, in all jobs. Needs "
            "the same job and formats as `augment`.",
            extra_json_schema={"pattern": SPLIT_PATTERN},
        ),
    ] = UNSET
    seed: Annotated[
        int,
        Meta(ge=0, le=MAX_SEED, description="Number that determines symmetries and parts."),
    ] = 0
    size: Pixels = USUAL_PIXELS
    show: Annotated[
        str | UnsetType,
        Meta(
            description="What the pictures in an archive show. By default, there is a picture of "
            "each puzzle, and one of each solution.",
            extra_json_schema={"enum": [*SHOWN]},
        ),
    ] = UNSET
    ink: Annotated[
        str | UnsetType,
        Meta(
            description="Colors: `color` or `gray`. Pictures are colored by default, and books are "
            "gray.",
            extra_json_schema=_INKS,
        ),
    ] = UNSET
    title: Annotated[
        Annotated[str, Meta(max_length=MAX_TITLE)] | UnsetType,
        Meta(description="Title of a book. By default the name of the job."),
    ] = UNSET
    author: Annotated[
        str, Meta(max_length=MAX_TITLE, description="Author on the cover sheet of a book.")
    ] = ""
    page: Annotated[
        str | UnsetType,
        Meta(
            description=f"Trim size of a book: {', '.join(PAGE_SIZES)}, or width and height such "
            "as 170x240mm. By default 6x9in, or 8.5x11in in large print.",
            examples=["a4"],
        ),
    ] = UNSET
    bleed: Annotated[
        int, Meta(ge=0, le=MAX_BLEED, description="Bleed around a page in millimeters.")
    ] = 0
    per_page: Annotated[
        int | UnsetType,
        Meta(
            description="Maximum number of puzzles on a page of a book. Boards that would be too "
            "small get more room. By default 2, or 1 in large print.",
            extra_json_schema={"enum": [int(number) for number in PER_PAGE]},
        ),
    ] = UNSET
    chapters: Annotated[
        str,
        Meta(
            description="Chapters of a book: one for each difficulty, or a number of levels of "
            "equal size by rating. Needs a job with the option `rate`.",
            extra_json_schema={"enum": [*CHAPTERS]},
        ),
    ] = "none"
    cover: Annotated[bool, Meta(description="Whether a book starts with a cover sheet.")] = True
    heads: Annotated[bool, Meta(description="Whether pages of a book have running heads.")] = True
    page_numbers: Annotated[bool, Meta(description="Whether pages of a book have numbers.")] = True
    solutions: Annotated[
        str,
        Meta(
            description="Where a book has its solutions: at the end, upside down on the page of "
            "the puzzle, or nowhere.",
            extra_json_schema={"enum": [*SOLUTIONS]},
        ),
    ] = "end"
    hints: Annotated[
        str,
        Meta(
            description="Whether a book has a hint for each puzzle, or all steps that solve it. "
            "Needs a job with the option `explain`.",
            extra_json_schema={"enum": [*HINTS]},
        ),
    ] = "none"
    rules: Annotated[
        bool, Meta(description="Whether the rules of a variant are printed under each puzzle.")
    ] = True
    large_print: Annotated[
        bool, Meta(description="Whether the boards and texts of a book are larger.")
    ] = False
    preset: Annotated[
        str,
        Meta(
            description="`kdp` follows the rules of Amazon KDP for margins, font sizes, line "
            "widths, and the number of pages.",
            extra_json_schema={"enum": [*PRESETS]},
        ),
    ] = "none"
