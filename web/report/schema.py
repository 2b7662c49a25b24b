"""The members of a report. The OpenAPI document is generated from these types."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

Filter = Annotated[
    dict[str, str],
    Meta(
        description="Query parameters that select these puzzles, for the results, for the job's "
        "page, and for running them again."
    ),
]
Count = Annotated[int, Meta(description="Number of puzzles.")]
Name = Annotated[str | None, Meta(description="Name of the puzzle in the upload.")]


class PuzzleReference(msgspec.Struct, frozen=True, omit_defaults=True):
    """A puzzle of the collection, with the reason why it is listed."""

    n: Annotated[int, Meta(description="Number of the puzzle in the collection, from 1.")]
    name: Name = None
    detail: Annotated[str | None, Meta(description="The reason, in words.")] = None
    solutions: Annotated[
        list[str] | UnsetType,
        Meta(description="Two solutions, if the puzzle has several and they were stored."),
    ] = UNSET
    differing_cells: Annotated[
        list[str] | UnsetType, Meta(description="The cells in which these solutions differ.")
    ] = UNSET


class Selected(msgspec.Struct, frozen=True):
    """A part of the collection, and the filter that selects it."""

    puzzles: Count
    filter: Filter


class Counted(msgspec.Struct, frozen=True):
    """A named part of the collection, such as the puzzles with one difficulty."""

    name: Annotated[str, Meta(description="Name of their common property.")]
    puzzles: Count
    filter: Filter


class Listing(msgspec.Struct, frozen=True):
    """A part of the collection with its first puzzles."""

    puzzles: Count
    filter: Filter
    first: Annotated[list[PuzzleReference], Meta(description="The first of the puzzles.")]


class Defect(msgspec.Struct, frozen=True):
    """A reason why puzzles can't be published, and these puzzles."""

    kind: Annotated[
        str,
        Meta(
            description="The reason.",
            extra_json_schema={
                "enum": [
                    "invalid", "unsolvable", "multiple", "undecided", "wrong-solution", "unrated",
                ]
            },
        ),
    ]  # fmt: skip
    title: Annotated[str, Meta(description="The reason, in words.")]
    puzzles: Count
    filter: Filter
    first: Annotated[list[PuzzleReference], Meta(description="The first of the puzzles.")]


class Repeated(msgspec.Struct, frozen=True):
    """Puzzles that repeat earlier puzzles of the collection."""

    puzzles: Annotated[int, Meta(description="Number of puzzles, without the first of each group.")]
    groups: Annotated[int, Meta(description="Number of groups of two or more puzzles.")]
    filter: Filter
    first: Annotated[
        list[list[PuzzleReference]],
        Meta(description="The first groups, each with its first puzzles."),
    ]


class SharedPuzzle(msgspec.Struct, frozen=True):
    """A puzzle that is in another collection, too."""

    n: Annotated[int, Meta(description="Number of the puzzle in the collection, from 1.")]
    name: Name
    other_n: Annotated[int, Meta(description="Its number in the other collection.")]
    other_name: Annotated[str | None, Meta(description="Its name in the other collection.")]
    identical: Annotated[bool, Meta(description="Whether the givens are the same.")]


class Shared(msgspec.Struct, frozen=True):
    """Puzzles that are in another collection, too."""

    collection: Annotated[str, Meta(description="Name of the other collection.")]
    puzzles: Count
    identical: Annotated[int, Meta(description="Number of these puzzles with the same givens.")]
    filter: Filter
    first: Annotated[list[SharedPuzzle], Meta(description="The first of the puzzles.")]


class Duplicates(msgspec.Struct, frozen=True):
    """Duplicates in the collection, and puzzles that are in another collection, too."""

    identical: Annotated[Repeated, Meta(description="Puzzles with the same givens.")]
    equivalent: Annotated[
        Repeated | None,
        Meta(
            description="Puzzles that are equal up to symmetry, including identical ones. Null "
            "without the option `minlex`."
        ),
    ]
    transformed: Annotated[
        Repeated | None,
        Meta(
            description="The puzzles of `equivalent` without those of `identical`: they equal an "
            "earlier puzzle only after turning, mirroring, relabeling, or moving rows."
        ),
    ]
    against: Annotated[Shared | None, Meta(description="With the parameter `against`, else null.")]


class ClaimedLevel(msgspec.Struct, frozen=True):
    """A claimed level, and how hard its puzzles really are."""

    name: Annotated[str, Meta(description="Name of the level in the upload.")]
    puzzles: Count
    filter: Filter
    lowest: Annotated[
        float | None, Meta(description="Lowest measured difficulty that fits the level.")
    ]
    highest: Annotated[
        float | None, Meta(description="Highest measured difficulty that fits the level.")
    ]
    measured: Annotated[
        list[Counted], Meta(description="Its puzzles by measured difficulty, easiest first.")
    ]


class Disagreement(msgspec.Struct, frozen=True):
    """A puzzle whose claimed level doesn't fit its measured difficulty."""

    n: Annotated[int, Meta(description="Number of the puzzle in the collection, from 1.")]
    name: Name
    claimed: Annotated[str, Meta(description="The claimed level.")]
    fitting: Annotated[str, Meta(description="The level that the measured difficulty fits.")]
    rating: Annotated[float | None, Meta(description="Sudoku Explainer's rating.")]
    hodoku_score: Annotated[int | None, Meta(description="HoDoKu's score.")]


class Claims(msgspec.Struct, frozen=True):
    """The difficulty that the upload claims, compared with the measured difficulty.

    The measured difficulties are cut into one range per level, in the order of the levels, so that
    as many puzzles as possible fit their level. The others disagree.
    """

    column: Annotated[str, Meta(description="The column of the upload with the claims.")]
    measure: Annotated[
        str,
        Meta(
            description="The measured difficulty that fits the claims better.",
            extra_json_schema={"enum": ["rating", "hodoku_score"]},
        ),
    ]
    compared: Annotated[int, Meta(description="Number of rated puzzles with a claim.")]
    levels: Annotated[list[ClaimedLevel], Meta(description="The levels, easiest first.")]
    disagreements: Count
    filter: Filter
    first: Annotated[list[Disagreement], Meta(description="The first disagreements.")]


class Distribution(msgspec.Struct, frozen=True):
    """How often each value occurs, and the puzzles whose value is unusual in the collection."""

    parts: Annotated[list[Counted], Meta(description="The puzzles with each value.")]
    outliers: Annotated[Listing, Meta(description="The puzzles with an unusual value.")]


class BookLevel(msgspec.Struct, frozen=True):
    """A level of a book: about as many puzzles as in the other levels."""

    level: Annotated[int, Meta(description="Number of the level, from 1 for the easiest.")]
    puzzles: Count
    lowest: Annotated[float, Meta(description="Lowest rating in the level.")]
    highest: Annotated[float, Meta(description="Highest rating in the level.")]
    filter: Annotated[
        dict[str, str],
        Meta(description="Query parameters that select and sort the puzzles of the level."),
    ]
    measured: Annotated[
        list[Counted], Meta(description="Its puzzles by difficulty word, easiest first.")
    ]


class Book(msgspec.Struct, frozen=True):
    """A proposed order for a book: all publishable, rated puzzles, easiest first, in levels."""

    puzzles: Count
    filter: Annotated[
        dict[str, str], Meta(description="Query parameters that select and sort these puzzles.")
    ]
    levels: Annotated[list[BookLevel], Meta(description="The levels, easiest first.")]


class Report(msgspec.Struct, frozen=True):
    """A report on the puzzles of a job, for their publisher.

    A number with a `filter` next to it counts the puzzles that this filter selects.
    """

    name: Annotated[str, Meta(description="Name of the collection.")]
    puzzles: Annotated[int, Meta(description="Number of puzzles in the collection.")]
    publishable: Annotated[
        Selected,
        Meta(
            description="Puzzles with exactly one solution and without any problem, without "
            "duplicates of earlier puzzles."
        ),
    ]
    problems: Annotated[
        list[Defect], Meta(description="Reasons why puzzles can't be published, if any.")
    ]
    duplicates: Annotated[Duplicates, Meta(description="Duplicates.")]
    difficulty: Annotated[
        Distribution | None,
        Meta(description="Difficulty words, easiest first. Null without the option `rate`."),
    ]
    claims: Annotated[
        Claims | None,
        Meta(
            description="Claimed and measured difficulty. Null if the upload has no column such as "
            "difficulty, level, or stars, or if the puzzles aren't rated."
        ),
    ]
    givens: Annotated[Distribution, Meta(description="Numbers of givens.")]
    symmetry: Annotated[Distribution, Meta(description="Symmetries of the pattern of givens.")]
    minimality: Annotated[
        Distribution | None,
        Meta(description="Whether every given is needed. Null without the option `minimal`."),
    ]
    hardest_techniques: Annotated[
        list[Counted] | None,
        Meta(description="The hardest technique that each puzzle needs. Null without ratings."),
    ]
    required_techniques: Annotated[
        list[Counted] | None,
        Meta(description="All techniques that puzzles need. Null without ratings."),
    ]
    book: Annotated[
        Book | None, Meta(description="A proposed order for a book. Null without ratings.")
    ]
