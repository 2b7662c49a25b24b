"""The schema of explanations in the API and the command line's JSON output.

The OpenAPI document is generated from these types.
"""

import msgspec


class Difficulty(msgspec.Struct, frozen=True, kw_only=True):
    """How hard a puzzle is: in a word, by Sudoku Explainer (ER, EP, ED), and by HoDoKu."""

    word: str
    rating: float | None
    pearl: float | None
    diamond: float | None
    hodoku_score: int
    hodoku_level: str
    techniques: dict[str, int]


class Candidate(msgspec.Struct, frozen=True):
    """A value that a cell may have."""

    cell: str
    value: str


class Node(msgspec.Struct, frozen=True):
    """A node of a chain: a value in one cell, or in a group of cells of which one may have it."""

    cells: list[str]
    value: str


class Link(msgspec.Struct, frozen=True):
    """A link of a chain: `strong` if at least one end is true, `weak` if at least one is false."""

    start: Node
    end: Node
    kind: str


class Deduction(msgspec.Struct, frozen=True, kw_only=True):
    """One step: the application of a technique, as a sentence and as data for drawing it.

    `houses` are the base houses of a fish, or the houses of another pattern, and `covers` the cover
    houses. `marks` contains candidates by role: placed, removed, fin, pattern, and first and
    second, which are the two alternatives of an argument.
    """

    technique: str
    code: str
    rating: float | None
    sentence: str
    placements: list[Candidate]
    eliminations: list[Candidate]
    cells: list[str]
    houses: list[str]
    covers: list[str]
    marks: dict[str, list[Candidate]]
    links: list[Link]


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """The steps by which a person could solve a puzzle, in order.

    `ending` is how they end: solved, stuck (no technique finds another step), cut (too many steps,
    or abandoned), or refused (not explained, for the reason in `detail`).
    """

    order: str
    ending: str
    solved: bool
    detail: str | None
    difficulty: Difficulty | None
    counts: dict[str, int]
    deductions: list[Deduction]
