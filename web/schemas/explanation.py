"""The schema of explanations in the API and the command line's JSON output.

The OpenAPI document is generated from these types.
"""

from typing import Annotated, Any

import msgspec
from msgspec import Meta


class Difficulty(msgspec.Struct, frozen=True, kw_only=True):
    """How hard a puzzle is: in a word, by Sudoku Explainer (ER, EP, ED), and by HoDoKu."""

    word: Annotated[
        str,
        Meta(
            description="The difficulty in a word: easy, medium, hard, very hard, diabolical, or "
            "extreme. It follows from the Sudoku Explainer rating, or from the hardest technique "
            "if there is none."
        ),
    ]
    rating: Annotated[
        float | None,
        Meta(description="Sudoku Explainer's ER: the rating of the hardest step, or null."),
    ]
    pearl: Annotated[
        float | None,
        Meta(
            description="Sudoku Explainer's EP: the rating of the hardest step until the first "
            "placement, or null."
        ),
    ]
    diamond: Annotated[
        float | None,
        Meta(description="Sudoku Explainer's ED: the rating of the first step, or null."),
    ]
    hodoku_score: Annotated[
        int | None,
        Meta(description="HoDoKu's score: the sum of the scores of all steps, or null."),
    ]
    hodoku_level: Annotated[
        str | None,
        Meta(
            description="HoDoKu's level: that of the hardest step, or higher for a high score, "
            "or null."
        ),
    ]
    techniques: Annotated[dict[str, int], Meta(description="Number of steps with each technique.")]


class OwnRating(msgspec.Struct, frozen=True, kw_only=True):
    """sudokuq's own rating of a board that neither Sudoku Explainer nor HoDoKu rates."""

    rating: Annotated[
        int | None,
        Meta(description="The cost of the hardest step, or null if a complete search was needed."),
    ]
    word: Annotated[
        str,
        Meta(description="easy, medium, hard, very hard, diabolical, or “not rated by logic”."),
    ]
    solved: Annotated[
        float,
        Meta(description="Share of the candidates that steps removed before a complete search."),
    ]


class Candidate(msgspec.Struct, frozen=True):
    """A candidate: one cell, and one value that the cell may have."""

    cell: Annotated[str, Meta(description="Name of the cell, such as r1c1.")]
    value: Annotated[str, Meta(description="The value as a symbol of the puzzle.")]


class Node(msgspec.Struct, frozen=True):
    """A node of a chain: a value in one cell, or in a group of cells of which one may have it."""

    cells: Annotated[list[str], Meta(description="Names of the cells.")]
    value: Annotated[str, Meta(description="The value as a symbol of the puzzle.")]


class Link(msgspec.Struct, frozen=True):
    """A link of a chain: `strong` if at least one end is true, `weak` if at least one is false."""

    start: Annotated[Node, Meta(description="Node at the start.")]
    end: Annotated[Node, Meta(description="Node at the end.")]
    kind: Annotated[str, Meta(description="strong or weak.")]


class Deduction(msgspec.Struct, frozen=True, kw_only=True):
    """One step: the application of a technique, as a sentence and as data for drawing it.

    `sentence` can have several lines. Those of a forcing chain or net are numbered, and each names
    the earlier lines from which it follows. `eureka` contains chains in Eureka notation, one per
    line. It is null for nets and for steps without chains.

    `houses` are the base houses of a fish, or the houses of another pattern, and `covers` the cover
    houses. `marks` contains candidates by role: placed, removed, fin (of a fish), key
    (candidates that decide another pattern, such as the common value of a wing), pattern, and first
    and second, which are the two alternatives of an argument.
    """

    technique: Annotated[str, Meta(description="Name of the technique.")]
    code: Annotated[
        str,
        Meta(
            description="HoDoKu's code, Sudoku Explainer's number, or from 3000 on a code for sums "
            "and other rules."
        ),
    ]
    rating: Annotated[
        float | None, Meta(description="Sudoku Explainer's rating of the step, or null.")
    ]
    sentence: Annotated[str, Meta(description="The step in words, in one or more lines.")]
    eureka: Annotated[
        str | None,
        Meta(description="Its chains in Eureka notation, one per line, or null."),
    ]
    placements: Annotated[list[Candidate], Meta(description="Values that the step places.")]
    eliminations: Annotated[list[Candidate], Meta(description="Candidates that the step removes.")]
    cells: Annotated[list[str], Meta(description="Cells of the pattern.")]
    houses: Annotated[list[str], Meta(description="Houses of the pattern, such as row 1.")]
    covers: Annotated[list[str], Meta(description="Houses that cover the pattern, for fish.")]
    marks: Annotated[
        dict[str, list[Candidate]], Meta(description="Candidates to mark in a drawing, by role.")
    ]
    links: Annotated[list[Link], Meta(description="Links of the chain, if the technique has one.")]


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """Givens and constraints of an unsolvable puzzle that contradict each other.

    They can't all hold on the board. The rules for the board's houses always apply.
    """

    givens: Annotated[list[str], Meta(description="Cells with these givens.")]
    constraints: Annotated[
        list[dict[str, Any]], Meta(description="The constraints, as in a puzzle's JSON object.")
    ]
    detail: Annotated[
        str,
        Meta(
            description="The conflict in words, such as “the 5 in r1c1 and the cage at r1c1 "
            "contradict each other”."
        ),
    ]


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """The steps with which a person could solve a puzzle, in order.

    `ending` is how they end: solved, stuck (no technique finds another step), cut (too many steps,
    or abandoned), or refused (not explained, for the reason in `detail`).
    """

    order: Annotated[
        str, Meta(description="Program whose order of techniques was used: hodoku or explainer.")
    ]
    ending: Annotated[str, Meta(description="How the steps end: solved, stuck, cut, or refused.")]
    solved: Annotated[bool, Meta(description="Whether the steps solve the puzzle.")]
    detail: Annotated[
        str | None, Meta(description="Why the steps don't solve the puzzle, or null.")
    ]
    conflict: Annotated[
        Conflict | None,
        Meta(description="Why the puzzle has no solution, or null if no conflict was found."),
    ]
    difficulty: Annotated[
        Difficulty | None, Meta(description="Difficulty of the puzzle, or null if it wasn't rated.")
    ]
    own_rating: Annotated[
        OwnRating | None,
        Meta(description="sudokuq's own rating of other boards and variants, or null."),
    ]
    counts: Annotated[dict[str, int], Meta(description="Number of steps with each technique.")]
    deductions: Annotated[list[Deduction], Meta(description="The steps in order.")]


class AvailableSteps(msgspec.Struct, frozen=True, kw_only=True):
    """All steps that are available at one position, the simplest first.

    The first step is the next one of the explanation. At most 50 steps of each technique are
    listed.
    """

    after: Annotated[
        int, Meta(description="Number of steps of the explanation that lead to the position.")
    ]
    deductions: Annotated[list[Deduction], Meta(description="The steps, grouped by technique.")]
    unlisted: Annotated[
        list[str], Meta(description="Names of the techniques with more steps than are listed.")
    ]
    complete: Annotated[
        bool, Meta(description="False if the search took too long, so there may be more steps.")
    ]
