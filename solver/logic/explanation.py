"""Explanations: how a person would solve a puzzle, as a sequence of deductions with their texts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.conflict import Conflict
from solver.board.html import board_table
from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.checks.givens import candidates
from solver.logic.deduction import Deduction
from solver.logic.rating.difficulty import Difficulty
from solver.logic.rating.own_rating import SEARCHED, OwnRating, own_rating
from solver.logic.sentences.eureka import eureka
from solver.logic.sentences.introductions import Introductions
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.rules import differences_stated, rules_stated
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.wording import Wording
from solver.logic.step_groups import step_groups
from solver.logic.technique_table import RULE_MEANINGS, Level, name_of

_CLASSIC = Layout.boxed(3, 3)
_INDENTED = "\n" + 6 * " "  # Further lines are aligned with the first one's text.


class Ending(StrEnum):
    """How an explanation ends.

    SOLVED means that the grid is full. STUCK means that no technique finds anything. CUT means that
    the maximum number of deductions was reached, or that the explanation was abandoned. REFUSED
    means that the puzzle isn't explained, for the reason in `Explanation.detail`.
    """

    SOLVED = "solved"
    STUCK = "stuck"
    CUT = "cut"
    REFUSED = "refused"


class Position(NamedTuple):
    """A state of the grid.

    `values` are 0 for open cells. `candidates` are bits by cell, 0 for filled cells.
    """

    values: tuple[int, ...]
    candidates: tuple[int, ...]

    @property
    def domains(self) -> tuple[int, ...]:
        """The possible values of each cell, as bits: a single bit for a filled cell."""
        return tuple(
            1 << (value - 1) if value else left
            for value, left in zip(self.values, self.candidates, strict=True)
        )

    def allowed(self, size: int) -> NDArray[np.bool_]:
        """Return which of `size` values each cell can have, as an array (cells, size)."""
        domains = np.array(self.domains, np.uint64)
        bits = domains[:, None] >> np.arange(size, dtype=np.uint64)
        return (bits & np.uint64(1)).astype(np.bool_)


class Step(NamedTuple):
    """A deduction with its sentence, its chains in Eureka notation, and the grid before it."""

    deduction: Deduction
    sentence: str
    notation: str | None
    position: Position


def start_position(
    layout: Layout, givens: Sequence[int], left: Sequence[int] | None = None
) -> Position:
    """Return the grid before the first deduction.

    Its candidates are those that the givens and the rules' domains allow. `left` restricts the
    candidates of each cell further, as bits (e.g. to a puzzle's pencil marks).
    """
    open_values = candidates(layout, np.array(givens, np.uint8))
    bits = [sum(1 << (value - 1) for value in values) for values in open_values]
    if left is not None:
        bits = [mask & own for mask, own in zip(bits, left, strict=True)]
    for domain in layout.domains:
        if 0 <= domain.cell < len(bits):  # the others belong to auxiliary variables
            bits[domain.cell] &= domain.allowed
    return Position(tuple(givens), tuple(bits))


@dataclass(frozen=True, slots=True)
class Explanation:
    """The deductions that solve a puzzle, in order, or that lead as far as the techniques get.

    `start` is the grid with its givens and candidates. `order` is the solving order, "hodoku" or
    "explainer". `difficulty` is None if the puzzle was not explained or not rated. `detail` is the
    reason why a puzzle isn't explained. If the puzzle has no solution, `conflict` has givens and
    constraints that contradict each other, if some were found. `rows` are the deductions as bytes
    (see `solver.logic.deduction.unpack`). `checkpoint` is the checkpoint of an abandoned
    explanation, if it advanced. `pencil_marks` are the candidates of `start` that no rule excludes
    on its own, as bits by cell, for display only. It is None if the board has no rules.
    """

    layout: Layout
    symbols: Symbols
    start: Position
    order: str
    ending: Ending
    deductions: tuple[Deduction, ...] = ()
    difficulty: Difficulty | None = None
    detail: str | None = None
    rows: bytes = b""
    checkpoint: Checkpoint | None = None
    conflict: Conflict | None = None
    pencil_marks: tuple[int, ...] | None = None

    def __repr__(self) -> str:
        return f"<Explanation: {self.summary.splitlines()[0]}>"

    def _repr_html_(self) -> str:
        *_, last = self.positions
        board = board_table(self.layout, self.symbols, last.values, givens=self.start.values)
        return f"{board}<pre>{escape(self.text)}</pre>"

    @property
    def solved(self) -> bool:
        """Whether the deductions lead to the solution."""
        return self.ending is Ending.SOLVED

    @property
    def se_rating(self) -> float | None:
        """Sudoku Explainer's rating (ER), or None.

        Only classic 9×9 puzzles and six of their variants have one, and only if they were rated.
        """
        return None if self.difficulty is None else self.difficulty.rating

    @property
    def hodoku_score(self) -> int | None:
        """HoDoKu's score, or None if the puzzle has none.

        It includes guesses where HoDoKu's techniques find nothing.
        """
        return None if self.difficulty is None else self.difficulty.score

    @property
    def hodoku_level(self) -> Level | None:
        """HoDoKu's difficulty level, or None if the puzzle wasn't rated or has none."""
        return None if self.difficulty is None else self.difficulty.level

    @property
    def own_rating(self) -> OwnRating | None:
        """Our own rating, for variants and boards that aren't classic, else None.

        It is also None if the steps neither lead to the solution nor include a complete search.
        """
        searched = any(deduction.code == SEARCHED for deduction in self.deductions)
        if self.layout is _CLASSIC or not (self.solved or searched):
            return None
        to_remove = _surplus(self.start)
        left = 0
        for deduction, position in zip(self.deductions, self.positions, strict=False):
            if deduction.code == SEARCHED:
                left = _surplus(position)
                break
        return own_rating(self.deductions, solved=1 - left / to_remove if to_remove else 1.0)

    @property
    def counts(self) -> dict[str, int]:
        """How often each technique was needed, by name, in order of first use."""
        return dict(Counter(name_of(deduction.code) for deduction in self.deductions))

    @property
    def sentences(self) -> Iterator[str]:
        """The text of each deduction, without the name of its technique.

        Texts state a rule in full where it's used first, and only name it later. The same holds for
        the cells of lines, cages, and groups.
        """
        stated: frozenset[str] = frozenset()
        introductions = Introductions(Wording(self.layout, self.symbols))
        for deduction, position in zip(self.deductions, self.positions, strict=False):
            words = Wording(self.layout, self.symbols, position.domains, stated)
            text = sentence(deduction, words)
            yield introductions.applied(text)
            stated |= rules_stated(deduction, words) | differences_stated(text)

    @property
    def notations(self) -> Iterator[str | None]:
        """The chains of each deduction in Eureka notation, one per line, or None without chains."""
        words = Wording(self.layout, self.symbols)
        return (eureka(deduction, words) for deduction in self.deductions)

    @property
    def positions(self) -> Iterator[Position]:
        """The grid before each deduction, and finally the grid after all of them."""
        values, candidates = list(self.start.values), list(self.start.candidates)
        peers = peers_of_cells(self.layout)
        for deduction in self.deductions:
            yield Position(tuple(values), tuple(candidates))
            for cell, value in deduction.eliminations:
                candidates[cell] &= ~(1 << (value - 1))
            for cell, value in deduction.placements:
                values[cell], candidates[cell] = value, 0
                for peer in peers[cell]:
                    candidates[peer] &= ~(1 << (value - 1))
        yield Position(tuple(values), tuple(candidates))

    @property
    def steps(self) -> Iterator[Step]:
        """The deductions in order, each with its texts and the grid before it."""
        return map(Step, self.deductions, self.sentences, self.notations, self.positions)

    @property
    def filled(self) -> tuple[int, int]:
        """How many cells the deductions fill, and how many cells were open at the start."""
        filled = sum(len(deduction.placements) for deduction in self.deductions)
        open_cells = self.start.values.count(0) - len(self.layout.holes)
        return filled, open_cells

    @property
    def summary(self) -> str:
        """The outcome and the difficulty, in one line each.

        The second line includes our own rating, if there is one. If there is no rating at all, the
        line is missing or "Not rated.".
        """
        if self.ending is Ending.REFUSED:
            return f"Not explained: {(self.detail or '').removesuffix('.')}."
        filled, open_cells = self.filled
        number = f"{len(self.deductions)} step{'' if len(self.deductions) == 1 else 's'}"
        progress = f"{number}, {filled} of {open_cells} empty cells filled"
        searched = sum(deduction.code == SEARCHED for deduction in self.deductions)
        lines = {
            Ending.SOLVED: f"Solved in {number}, {searched} of them by a complete search."
            if searched
            else f"Solved by logic alone in {number}.",
            Ending.STUCK: f"No further step found: {progress}.",
            Ending.CUT: f"Interrupted after {progress}.",
        }
        own = self.own_rating
        if self.difficulty is not None:
            added = "" if own is None or own.rating is None else f" Sudokuq rating {own.rating}."
            return f"{lines[self.ending]}\n{_rated(self.difficulty)}{added}"
        if own is not None:
            return f"{lines[self.ending]}\n{_own_text(own)}"
        return lines[self.ending] + ("\nNot rated." if self.ending is Ending.STUCK else "")

    @property
    def text(self) -> str:
        """The complete explanation as text.

        Consecutive steps by the same technique are grouped under its name, with a line for each
        step. Several singles in a row are listed together. Arguments of several lines and chains in
        Eureka notation are indented. The number of steps per technique, the meaning of those that
        belong to no other program, and the summary follow.
        """
        words = Wording(self.layout, self.symbols)
        texts = [
            f"{text}\n{notation}" if notation else text
            for text, notation in zip(self.sentences, self.notations, strict=True)
        ]
        lines: list[str] = []
        for group in step_groups(self.deductions):
            lines.append(group.name)
            if group.has_singles:
                lines.append(group.singles_text(words))
                continue
            for number in range(group.first, group.first + len(group.deductions)):
                text = _INDENTED.join(texts[number - 1].splitlines())
                lines.append(f"{number:>4}. {text}")
        if self.counts:
            needed = ", ".join(f"{number} × {name}" for name, number in self.counts.items())
            lines += ["", f"Needed: {needed}."]
            used = dict.fromkeys(deduction.code for deduction in self.deductions)
            lines += [f"{name_of(c)}: {RULE_MEANINGS[c]}" for c in used if c in RULE_MEANINGS]
        return "\n".join([*lines, self.summary])


def _surplus(position: Position) -> int:
    """Return how many candidates have yet to be removed: all beyond one per open cell."""
    return sum(max(0, left.bit_count() - 1) for left in position.candidates)


def _own_text(own: OwnRating) -> str:
    """Return the line of text with our own rating, or why logic alone gives none."""
    if own.rating is None:
        return (
            f"Not rated by logic: steps removed {own.solved:.0%} of the wrong candidates before a "
            "complete search was needed."
        )
    return f"Difficulty: {own.word}; sudokuq rating {own.rating}."


def _rated(difficulty: Difficulty) -> str:
    """Return the line of text with a difficulty's word, ratings, and score."""
    parts = [f"Difficulty: {difficulty.word}"]
    if difficulty.rating is not None:
        ratings = difficulty.rating, difficulty.pearl, difficulty.diamond
        parts.append(f"Sudoku Explainer {'/'.join(map(str, ratings))} (ER/EP/ED)")
    if difficulty.score is not None and difficulty.level is not None:
        parts.append(f"HoDoKu {difficulty.score:,} ({difficulty.level.name.capitalize()})")
    return f"{'; '.join(parts)}."
