"""Names of cells, values, houses, and chains, in the symbols of the puzzle."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.logic.deduction import AlmostLockedSet, Candidate, Deduction, Node

_PLURALS = {"row": "rows", "column": "columns", "box": "boxes", "region": "regions"}


# The first word of a sentence, unless it is a name such as r1c2 or a symbol.
_FIRST_WORD = re.compile(r"[a-z]{2,}(?![\w+])")


def listed(words: Iterable[str], *, last: str = "and") -> str:
    """Join words into a list: "a, b, and c"."""
    *most, end = words
    if len(most) < 2:
        return f"{most[0]} {last} {end}" if most else end
    return f"{', '.join(most)}, {last} {end}"


def paragraph(*sentences: str) -> str:
    """Join sentences, each with a capital letter and a period.

    Cell names and symbols at the beginning of a sentence stay as they are.
    """
    return " ".join(f"{_capitalized(said).removesuffix('.')}." for said in sentences)


def _joined(results: Sequence[str]) -> str:
    """Join results that are lists themselves: "1 and 2 from r1c1, and 3 from r1c2"."""
    *most, end = results
    return f"{', '.join(most)}, and {end}" if most else end


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:] if _FIRST_WORD.match(text) else text


@dataclass(frozen=True, slots=True)
class Wording:
    """The symbols of one puzzle and the names of its cells and houses, as words for sentences.

    `domains` are the values that each cell can have before the step (bit 0 = value 1, a single bit
    for a filled cell). If it's None, the domains are unknown, and any value counts as possible
    anywhere.
    """

    layout: Layout
    symbols: Symbols
    domains: tuple[int, ...] | None = None

    def can_be(self, cell: int, value: int) -> bool:
        """Return whether a cell can have a value before the step."""
        return self.domains is None or bool(self.domains[cell] >> (value - 1) & 1)

    def cells(self, cells: Iterable[int], *, last: str = "and") -> str:
        """Return the names of cells as a list, such as "r1c2, r1c5 and r3c1"."""
        return listed(map(self.layout.cell_name, cells), last=last)

    def none_of(self, cells: Sequence[int]) -> str:
        """Return "neither r1c1 nor r1c2", or "none of r1c1, r1c2, and r1c3"."""
        if len(cells) == 2:
            return f"neither {self.cells(cells, last='nor')}"
        return f"none of {self.cells(cells)}"

    @property
    def noun(self) -> str:
        """What the symbols are called: "digits", or "values" if they aren't all digits."""
        return "digits" if all(one.isdigit() for one in self.symbols.values) else "values"

    def value(self, value: int) -> str:
        """Return the symbol of a value."""
        return self.symbols.values[value - 1]

    def values(self, values: Iterable[int], *, last: str = "and") -> str:
        """Return the symbols of values as a list, such as "1, 2 and 5"."""
        return listed(map(self.value, values), last=last)

    def house(self, house: int) -> str:
        """Return the name of a house, such as row 4."""
        return self.layout.houses[house].name

    def houses(self, houses: Sequence[int]) -> str:
        """Return the names of houses, such as "row 4", "rows 2 and 7", or "row 2 and box 3"."""
        by_kind: dict[str, list[int]] = {}
        for house in houses:
            by_kind.setdefault(self.layout.houses[house].kind, []).append(house)
        words: list[str] = []
        for kind, members in by_kind.items():
            if len(members) > 1 and kind in _PLURALS:
                numbers = [str(self.layout.houses[house].number) for house in members]
                words.append(f"{_PLURALS[kind]} {listed(numbers)}")
            else:
                words += map(self.house, members)
        return listed(words)

    def differ(self, cells: Sequence[int]) -> bool:
        """Return whether cells must all differ, because of a house or of not-equal pairs."""
        members = set(cells)
        if any(members.issubset(house.cells) for house in self.layout.houses):
            return True
        pairs = {frozenset(pair) for links in self.layout.links for pair in links.pairs}
        return all(frozenset(pair) in pairs for pair in combinations(cells, 2))

    def candidates(self, candidates: Iterable[Candidate], *, last: str = "and") -> str:
        """Return the names of candidates: only their cells if all candidates have the same value.

        For example, "r1c2 and r1c5", or "3 in r1c2 and 4 in r1c5".
        """
        known = tuple(candidates)
        if len({value for _, value in known}) == 1:
            return self.cells((cell for cell, _ in known), last=last)
        return listed(
            (f"{self.value(value)} in {self.layout.cell_name(cell)}" for cell, value in known),
            last=last,
        )

    def outcome(self, deduction: Deduction) -> str:
        """Return the result of a step as sentences: "Place 5 in r1c2. Remove 3 from r2c8."."""
        by_cell: dict[int, set[int]] = {}
        for cell, value in deduction.eliminations:
            by_cell.setdefault(cell, set()).add(value)
        by_values: dict[tuple[int, ...], list[int]] = {}
        for cell in sorted(by_cell):
            by_values.setdefault(tuple(sorted(by_cell[cell])), []).append(cell)
        results = [
            f"Place {self.value(value)} in {self.layout.cell_name(cell)}."
            for cell, value in deduction.placements
        ]
        removed = [
            f"{self.values(values)} from {self.cells(cells)}" for values, cells in by_values.items()
        ]
        if removed:
            is_short = len(removed) == len(deduction.eliminations) == 2
            results.append(f"Remove {' and '.join(removed) if is_short else _joined(removed)}.")
        return " ".join(results)

    def impossible(self, deduction: Deduction) -> str:
        """Return the contradiction that an assumption leads to, such as "leaves r1c1 no value".

        Contradictions that are neither a cell without a value nor a house without a place are just
        "cannot be".
        """
        ends = [chain[-1] for chain in deduction.chains if not chain[0].link]
        cells = {cell for node in ends for cell in node.cells}
        values = {node.value for node in ends}
        if all(node.link == "weak" for node in ends):
            if len(cells) == 1 < len(values):
                return f"leaves {self.cells(cells)} no value"
            houses = [house.name for house in self.layout.houses if cells <= set(house.cells)]
            if len(values) == 1 < len(cells) and len(houses) == 1:
                return f"leaves {self.value(min(values))} no place in {houses[0]}"
        return "cannot be"

    def almost_locked(self, group: AlmostLockedSet) -> str:
        """Return an almost locked set with its values, such as "r1c2 and r1c5 {3 4 7}"."""
        values = " ".join(map(self.value, group.values))
        return f"{self.cells(group.cells)} {{{values}}}"

    def assertion(self, node: Node, *, is_true: bool) -> str:
        """Return the statement of a chain's node.

        For example, "r1c1 is 5" or "neither r1c1 nor r1c2 is 5".
        """
        place = self.cells(node.cells)
        value = self.value(node.value)
        if len(node.cells) > 1:
            return f"{f'one of {place}' if is_true else self.none_of(node.cells)} is {value}"
        return f"{place} is {'' if is_true else 'not '}{value}"

    def chain(self, chain: Sequence[Node], *, is_true: bool) -> str:
        """Return a chain, such as "if r1c1 is 5, then r1c9 is not 5, then r3c9 is 5".

        `is_true` is the assumption about its first node.
        """
        first, *rest = chain
        words = [f"if {self.assertion(first, is_true=is_true)}"]
        words += [f"then {self.assertion(node, is_true=node.link == 'strong')}" for node in rest]
        return ", ".join(words)


Sentence = Callable[[Deduction, Wording], str]
