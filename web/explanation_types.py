"""What the API and the command line say of an explanation; its description is made of it."""

import msgspec


class Difficulty(msgspec.Struct, frozen=True, kw_only=True):
    """How hard a puzzle is: in a word, by Sudoku Explainer (ER, EP, ED), by HoDoKu."""

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
    """A step of a chain: one of these cells has the value, or none has."""

    cells: list[str]
    value: str


class Link(msgspec.Struct, frozen=True):
    """A link of a chain; `strong`: one of the two is true, `weak`: one is false."""

    start: Node
    end: Node
    kind: str


class Deduction(msgspec.Struct, frozen=True, kw_only=True):
    """One application of a technique, in a sentence and as data to draw it by.

    `marks` are candidates by role: placed, removed, fin, first and second (the two sides of what
    is either so or so), pattern.
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
    """How a person would solve a puzzle, in order; `ending` is solved, stuck, cut or refused."""

    order: str
    ending: str
    solved: bool
    detail: str | None
    difficulty: Difficulty | None
    counts: dict[str, int]
    deductions: list[Deduction]
