"""Read the puzzles of a book, and divide them into chapters."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from solver.board.layout import Layout
from solver.logic.explanation import Explanation
from solver.logic.rating.difficulty import WORDS
from web.boards.drawing import Drawing
from web.boards.renderers.registry import RuleText, describe_rules
from web.boards.result_drawing import draw_result
from web.results.equal_levels import easiest_first, equal_levels
from web.results.rows import RatedRow
from web.results.writers import ResultPage, stored_explanation
from worker.records.boards import StoredBoard


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle of a book.

    `number` is its number in the book, from 1. `page` holds its result, and has only this row. The
    other members are copies of the row's, with `score` for HoDoKu's score and `level` for the
    difficulty word.
    """

    number: int
    page: ResultPage
    board: StoredBoard
    rating: float | None
    score: int | None
    level: str

    @property
    def title(self) -> str:
        """The heading above the puzzle, such as "Puzzle 12 · hard 4.2"."""
        known = f" · {self.level}" if self.level else ""
        known += f" {self.rating}" if self.rating is not None else ""
        return f"Puzzle {self.number}{known}"

    @property
    def drawing(self) -> Drawing | None:
        """The drawing of the puzzle, or None if its text doesn't fit the stored board."""
        (row,) = self.page.rows
        return draw_result(self.board, row.puzzle, None)

    @property
    def rules(self) -> Sequence[RuleText]:
        """The rules beyond rows, columns, and boxes in words."""
        return describe_rules(self.board.layout, self.board.symbols)

    @property
    def solved_board(self) -> StoredBoard:
        """The puzzle's board without its constraints, on which the solution is drawn."""
        return replace(self.board, layout=_without_rules(self.board.layout))

    @property
    def is_solved(self) -> bool:
        """Whether there is a solution."""
        (row,) = self.page.rows
        return bool(row.solution)

    @property
    def solution(self) -> Drawing | None:
        """The drawing of the solution without the rules, or None if there is none."""
        (row,) = self.page.rows
        if not row.solution:
            return None
        return draw_result(self.solved_board, row.puzzle, row.solution, None, row.regions)

    @property
    def explanation(self) -> Explanation | None:
        """The stored explanation, if any."""
        return stored_explanation(self.page)


@dataclass(frozen=True, slots=True)
class Chapter:
    """Consecutive puzzles of a book. The title is empty if the book has no chapters."""

    title: str
    entries: Sequence[Entry]

    @property
    def subtitles(self) -> Iterator[str]:
        """The lines below the title: the numbers of the puzzles, and their ratings."""
        first, last = self.entries[0].number, self.entries[-1].number
        yield f"Puzzle {first}" if first == last else f"Puzzles {first}–{last}"
        ratings = [entry.rating for entry in self.entries if entry.rating is not None]
        if ratings:
            low, high = min(ratings), max(ratings)
            yield f"Rating {low}" if low == high else f"Ratings {low}–{high}"


def read_entries(pages: Iterable[ResultPage]) -> list[Entry]:
    """Return the puzzles that can be printed: those whose board is stored.

    They are numbered from 1, in this order.
    """
    entries: list[Entry] = []
    for page in pages:
        for single in page.singles():
            ((row, board),) = single.with_boards()
            if board is None or board.read(row.puzzle) is None:
                continue
            score, level = (
                (row.hodoku_score, row.difficulty) if isinstance(row, RatedRow) else (None, None)
            )
            number = len(entries) + 1
            entries.append(Entry(number, single, board, row.rating, score, level or ""))
    return entries


def make_chapters(entries: Sequence[Entry], chapters: str) -> list[Chapter]:
    """Return the entries in chapters, numbered in this order.

    `chapters` is that of `BookOptions`. With "none", there is one chapter without a title, and the
    entries stay as they are. Otherwise, unrated puzzles come last, and chapters without puzzles are
    left out.
    """
    if chapters == "none":
        return [Chapter("", entries)]
    if chapters == "difficulty":
        parts = [
            (word.capitalize(), [entry for entry in entries if entry.level == word])
            for word in WORDS
        ]
    else:
        parts = _levels(entries, int(chapters))
    placed = {entry.number for _, members in parts for entry in members}
    parts.append(("Unrated", [entry for entry in entries if entry.number not in placed]))
    found, start = [], 1
    for title, members in parts:
        numbered = [replace(entry, number=start + place) for place, entry in enumerate(members)]
        found += [Chapter(title, numbered)] if numbered else []
        start += len(members)
    return found


def _levels(entries: Sequence[Entry], count: int) -> list[tuple[str, list[Entry]]]:
    """Return (title, rated entries) for each of `count` levels of equal size, easiest first."""
    rated = [entry for entry in entries if entry.rating is not None]
    ratings = [each.rating for each in entries if each.rating is not None]
    scores = [-1 if each.score is None else each.score for each in rated]
    order = easiest_first(ratings, scores)
    return [
        (f"Level {number}", [rated[place] for place in level])
        for number, level in enumerate(equal_levels(order, count), 1)
    ]


@lru_cache(maxsize=64)
def _without_rules(layout: Layout) -> Layout:
    return replace(layout, constraints=())
