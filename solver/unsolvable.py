"""Name the givens and constraints that make a puzzle unsolvable."""

from dataclasses import dataclass

import numpy as np

from solver.board.conflict import Conflict
from solver.board.display import as_sentence
from solver.board.puzzle import Puzzle
from solver.checks.givens import find_conflict
from solver.conflicting import conflict_in
from solver.engines.engine import NEVER, StopFlag
from solver.wrong_entries import wrong_entries_advice


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a puzzle has no solution.

    conflict  givens and constraints that contradict each other, or None if none were found
    advice    sentences that name entries that may be wrong, and the conflict if it is small. They
              continue a sentence about the missing solution. "" if there are none.
    """

    conflict: Conflict | None
    advice: str


def fault_of(puzzle: Puzzle, *, stop: StopFlag = NEVER) -> Fault:
    """Return why an unsolvable puzzle has no solution.

    If `stop` is raised, the result can be incomplete. Givens that repeat a value in a house aren't
    reported as a conflict, because the result of the puzzle names them already.
    """
    givens = np.array(puzzle.givens, np.uint8)
    is_invalid = find_conflict(puzzle.layout, givens, puzzle.symbols) is not None
    conflict = None if is_invalid else conflict_in(puzzle, stop=stop)
    # Without a wrong entry there is a solution, so every conflict contains the entry.
    among = None if conflict is None else conflict.givens
    entries = wrong_entries_advice(puzzle, among=among, stop=stop)
    sentences = [] if entries is None else [entries]
    if conflict is not None and conflict.is_small:
        sentences.append(as_sentence(conflict.detail).removesuffix("."))
    return Fault(conflict, ". ".join(sentences))
