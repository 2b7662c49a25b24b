"""What is known while the sentences of a step's text are checked, one after the other."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from sentence_checker.deadly_patterns import clauses_of_uniqueness
from sentence_checker.names import Candidate, CellSet
from sentence_checker.results import Result
from sentence_checker.statements import Statement
from sentence_checker.step import Step
from sentence_checker.sub_puzzle import Fact, SubPuzzle, peers_of
from solver.board.primitive_constraints import House


class Context:
    """A step, the result that its text states, and what the sentences so far have established.

    `puzzle` consists of the cells and houses that the reason names. Sums are added when a sentence
    that states them is checked. `cells` are those named in the previous sentence, and `value` is
    the one whose places it gave. `announced` are the facts of which it stated that at least one
    must hold. `cases` are the assumptions of which it stated the consequences. `base` and `cover`
    are the houses of a fish. `explained` are the eliminated candidates for which a sentence has
    stated which cells they see. `seen` are the cells of which it stated that one has the value.
    `seeing` are the names of a color and of the two colors that it sees, and `pair` are the values
    of a remote pair. `lines` are the statements of each numbered line, `ends` the last statements
    that follow from each assumption, and `alternatives` the statements of which one must hold.
    `sets` and `colors` have the names of almost locked sets and of colors. `has_sets` is set if a
    sentence has listed the sets of numbers for a sum. `holding` are the sets of cells of which it
    stated all values. `parts` is "least" or "most", the total of the parts into which a sum was
    divided, and their cells.
    """

    def __init__(self, step: Step, result: Result) -> None:
        self.step = step
        self.placements = list(result.placements)
        self.eliminations = list(result.eliminations)
        self._has_result = bool(result.placements or result.eliminations)
        self.cells: tuple[int, ...] = ()
        self.value: int | None = None
        self.base: tuple[House, ...] = ()
        self.cover: tuple[House, ...] = ()
        self.fins: tuple[int, ...] = ()
        self.explained: set[tuple[int, int]] = set()
        self.places: set[tuple[int, int]] = set()
        self.announced: list[Fact] = []
        self.cases: list[list[Fact]] = []
        self.lines: dict[str, list[Statement]] = {}
        self.last_line = 0
        self.assumed: Statement | None = None
        self.alternatives: list[Statement] = []
        self.ends: dict[Statement, list[Statement]] = {}
        self.chain: list[tuple[Statement, Statement]] = []
        self.sets: dict[str, CellSet] = {}
        self.colors: dict[str, tuple[int, ...]] = {}
        self.seen: tuple[int, ...] = ()
        self.seeing = ("", "", "")
        self.pair = (0, 0)
        self.has_sets = False
        self.proven: set[tuple[int, int]] = set()
        self.parts: tuple[str, int, list[tuple[int, ...]]] = ("", 0, [])
        self.holding: list[CellSet] = []
        reason = " ".join(result.reason)
        lines = (
            step.names.lines(step.names.cells(sentence))
            for sentence in result.reason
            if "their rows and columns" in sentence
        )
        named = {*step.names.cells(reason), *(cell for cell, _ in result.placements)}
        if re.search(r"The \S.* r\S+ sums to|, the undecided cells sum to", reason):
            named |= {cell for cell, _ in step.deduction.terms}
        self.puzzle = SubPuzzle(
            step.layout,
            step.domains,
            cells=named,
            targets=[cell for cell, _ in result.eliminations],
            houses=[
                *step.names.houses(reason),
                *chain.from_iterable(lines),
                *linked_houses(step, reason),
            ],
        )
        for clause in clauses_of_uniqueness(step, result.reason):
            self.puzzle.add_if_unique(clause)

    def implies(
        self, conclusion: Iterable[Fact], *, given: Iterable[Fact] = (), unique: bool = True
    ) -> bool:
        """Return whether a fact of `conclusion` must hold if the `given` ones do.

        This is `SubPuzzle.implies` of the named cells and houses, with the same `unique`.
        """
        return self.puzzle.implies(conclusion, given=given, unique=unique)

    def state(self, cell: int, value: int) -> None:
        """Add a placement that a sentence states, unless the text ends with a result sentence."""
        if not self._has_result:
            self.placements.append(Candidate(cell, value))

    def unproven(self) -> Iterator[str]:
        """Complain about each part of the result that doesn't follow from the named reason."""
        facts = [Fact(cell, value) for cell, value in self.placements]
        facts += [Fact(cell, value, is_true=False) for cell, value in self.eliminations]
        for fact in facts:
            others = [(fact.cell, value) for value in self._others(fact)]
            if self.proven.issuperset(others):
                continue
            if not self.implies([fact]):
                yield f"the reason doesn't imply that {self.told(fact)}"

    def _others(self, fact: Fact) -> Iterator[int]:
        """Yield the values of which a fact states that its cell doesn't have them."""
        if not fact.is_true:
            yield fact.value
            return
        for value in range(1, self.step.layout.size + 1):
            if value != fact.value and self.step.can_be(fact.cell, value):
                yield value

    def unexplained(self) -> Iterator[str]:
        """Complain if the text explains some of the eliminated candidates, but not all."""
        if self.explained and not self.explained.issuperset(self.eliminations):
            yield "the text doesn't explain all eliminated candidates"

    def differences(self) -> Iterator[str]:
        """Yield how the stated result differs from the result of the step.

        Eliminations may be left out if the placements show them.
        """
        deduction, peers = self.step.deduction, peers_of(self.step.layout)
        implied = {
            Candidate(peer, value) for cell, value in deduction.placements for peer in peers[cell]
        }
        placements = {Candidate(*one) for one in deduction.placements}
        eliminations = {Candidate(*one) for one in deduction.eliminations}
        if {*self.placements} != placements:
            yield f"places {sorted(self.placements)}, expected {sorted(placements)}"
        removed = {*self.eliminations}
        if not removed <= eliminations or eliminations - removed - implied:
            yield f"removes {sorted(removed)}, expected {sorted(eliminations)}"

    def wrong_sight(self) -> Iterator[str]:
        """Complain if a result ends with "which sees both" or the like, and that is wrong.

        The eliminated cells must see all cells in `seen`, and both numbers of cells must fit.
        """
        match = re.search(r", which (sees?) (both|all three|all of them)\.$", self.step.text)
        if match is None:
            return
        peers, losing = peers_of(self.step.layout), {cell for cell, _ in self.eliminations}
        if not self.seen or not all(peers[cell].issuperset(self.seen) for cell in losing):
            yield "an eliminated cell does not see them"
        if (match[1] == "sees") != (len(losing) == 1):
            yield "the number of eliminated cells is another"
        if match[2] != {2: "both", 3: "all three"}.get(len(self.seen), "all of them"):
            yield "the number of cells is another"

    def told(self, fact: Fact) -> str:
        """Return a fact as words, such as "r1c2 is not 5"."""
        value = self.step.names.symbols.values[fact.value - 1]
        return f"{self.step.layout.cell_name(fact.cell)} is {'' if fact.is_true else 'not '}{value}"


def linked_houses(step: Step, reason: str) -> Iterator[House]:
    """Yield the houses with exactly two places for the value in "Strong links on 4".

    Yields nothing for a reason without such words.
    """
    found = re.search(rf"Strong links on ({step.names.patterns['value']})", reason)
    if found is not None:
        (value,) = step.names.values(found[1])
        for house in step.layout.houses:
            if sum(step.can_be(cell, value) for cell in house.cells) == 2:
                yield house
