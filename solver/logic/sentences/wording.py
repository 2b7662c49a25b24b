"""Parts of sentences: lists, and names of cells, values, and houses in the puzzle's symbols."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.logic.deduction import AlmostLockedSet, Candidate, Deduction, Node
from solver.logic.sentences.cell_lists import in_runs, names_of_cells
from solver.logic.sentences.places import house_name, must_differ
from solver.logic.sentences.special_pairs import special_pairs

_PLURALS = {"row": "rows", "column": "columns", "box": "boxes", "region": "regions"}


_LONG_RUN = 3  # consecutive values that are written as a range
_WORTH_SAVING = 4  # words by which another order of removed candidates has to be shorter
_LONG_RUN_IN_SETS = 4  # such values in the braces around a set
_LONG_RUN_OF_LINES = 3  # consecutive lines that are written as a range

# The first word of a sentence, unless it is a name such as r1c2 or a symbol.
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_FIRST_WORD = re.compile(r"[a-z]{2,}(?![\w+])")


def count_in_words(count: int) -> str:
    """Return a count as a word, such as "no" or "three", or in digits if it is above nine."""
    return _COUNTS[count] if count < len(_COUNTS) else str(count)


def listed(words: Iterable[str], *, last: str = "and") -> str:
    """Join one or more words into a list: "a, b, and c". `last` is the word before the last one."""
    *most, end = words
    if len(most) < 2:
        return f"{most[0]} {last} {end}" if most else end
    return f"{', '.join(most)}, {last} {end}"


def lines_named(numbers: Iterable[int]) -> str:
    """Return references to numbered lines, such as "lines 1, 3, and 5–8".

    The numbers must be in ascending order. Ranges stand for three or more consecutive lines.
    """
    names = _ranges_of_lines(numbers)
    is_single = len(names) == 1 and names[0].isdigit()
    return f"line{'' if is_single else 's'} {listed(names)}"


def _ranges_of_lines(numbers: Iterable[int]) -> list[str]:
    """Return numbers as a list of texts, with ranges such as "5–8" for three or more in a row."""
    names: list[str] = []
    for _, run in groupby(enumerate(numbers), lambda entry: entry[1] - entry[0]):
        lines = [str(number) for _, number in run]
        names += [f"{lines[0]}–{lines[-1]}"] if len(lines) >= _LONG_RUN_OF_LINES else lines
    return names


def paragraph(*sentences: str) -> str:
    """Join sentences, each with a capital letter and a period.

    Cell names and symbols at the beginning of a sentence stay as they are.
    """
    return " ".join(f"{_capitalized(text).removesuffix('.')}." for text in sentences)


def joined(clauses: Sequence[str]) -> str:
    """Join one or more clauses that contain lists: "1 from r1c1 and r1c5, and 3 from r1c2".

    Semicolons separate more than two clauses if one of them contains a comma.
    """
    *most, end = clauses
    mark = ";" if len(most) > 1 and any("," in clause for clause in clauses) else ","
    return f"{f'{mark} '.join(most)}{mark} and {end}" if most else end


def connected(clauses: Sequence[str]) -> str:
    """Join clauses as in "a, and b" if one of them contains a list, otherwise as in "a and b"."""
    has_list = any(word in clause for clause in clauses for word in (",", " and ", " or "))
    return joined(clauses) if has_list else listed(clauses)


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:] if _FIRST_WORD.match(text) else text


@dataclass(frozen=True, slots=True)
class Wording:
    """The symbols of one puzzle and the names of its cells and houses, as words for sentences.

    `domains` are the values that each cell can have before the step (bit 0 = value 1, a single bit
    for a filled cell). If it's None, the domains are unknown, and any value counts as possible
    anywhere. `stated` are the rules and other facts that earlier steps stated in full (see
    `rules.rules_stated` and `rules.differences_stated`).
    """

    layout: Layout
    symbols: Symbols
    domains: tuple[int, ...] | None = None
    stated: frozenset[str] = frozenset()

    def can_be(self, cell: int, value: int) -> bool:
        """Return whether a cell can have a value before the step."""
        return self.domains is None or bool(self.domains[cell] >> (value - 1) & 1)

    def candidates_of(self, cell: int) -> list[int]:
        """Return the values that a cell can have before the step, in ascending order."""
        return [value for value in range(1, self.layout.size + 1) if self.can_be(cell, value)]

    def numbers(self, cell: int) -> list[int]:
        """Return the numbers that a cell can have before the step.

        Values count from 1, but numbers count from `layout.lowest`.
        """
        return [value + self.layout.lowest - 1 for value in self.candidates_of(cell)]

    def cells(self, cells: Iterable[int], *, last: str = "and") -> str:
        """Return the names of cells as a list, such as "r1c2, r1c5, and r3c1".

        `last` is the word before the last name. With "and", ranges such as "r1c2–r1c6" stand for
        three or more successive cells.
        """
        if last == "and":
            return listed(names_of_cells(self.layout, [*cells]))
        return listed(map(self.layout.cell_name, cells), last=last)

    def places(self, cells: Iterable[int]) -> str:
        """Return the names of the cells that a value can be in, such as "r1c2–r1c6 or r3c1"."""
        return listed(names_of_cells(self.layout, [*cells]), last="or")

    def one_of(self, cells: Sequence[int]) -> str:
        """Return a cell, or "one of" several cells, such as "one of r1c1 and r1c2"."""
        return f"{'one of ' if len(cells) > 1 else ''}{self.cells(cells)}"

    def none_of(self, cells: Sequence[int]) -> str:
        """Return cells with a negation, as the subject of a sentence.

        For example, "neither r1c1 nor r1c2", or "none of r1c1, r1c2, and r1c3".
        """
        if len(cells) == 2:
            return f"neither {self.cells(cells, last='nor')}"
        return f"none of {self.cells(cells)}"

    @property
    def noun(self) -> str:
        """The word for the puzzle's symbols: "digits", or "values" if not all are digits."""
        return "digits" if all(one.isdigit() for one in self.symbols.values) else "values"

    def value(self, value: int) -> str:
        """Return the symbol of a value, which is counted from 1."""
        return self.symbols.values[value - 1]

    def values(self, values: Iterable[int], *, last: str = "and") -> str:
        """Return the symbols of values as a list, such as "1, 2, and 5".

        `last` is the word before the last symbol.
        """
        return listed(map(self.value, values), last=last)

    def house(self, house: int) -> str:
        """Return the name of a house, such as "row 4" or "the window at r2c2"."""
        return house_name(self.layout, self.layout.houses[house])

    def houses(self, houses: Sequence[int]) -> str:
        """Return the names of houses, such as "row 4", "rows 2 and 7", or "row 2 and box 3".

        Ranges such as "rows 1–3" stand for three or more consecutive houses of a kind. `houses` are
        indices into the layout's houses.
        """
        return listed(self.houses_by_kind(houses))

    def houses_by_kind(self, houses: Sequence[int]) -> list[str]:
        """Return the names of houses as in `houses`, with one text for each kind.

        Houses other than rows, columns, boxes, and regions each have a text.
        """
        by_kind: dict[str, list[int]] = {}
        for house in houses:
            by_kind.setdefault(self.layout.houses[house].kind, []).append(house)
        words: list[str] = []
        for kind, members in by_kind.items():
            if len(members) > 1 and kind in _PLURALS:
                numbers = [self.layout.houses[house].number for house in members]
                words.append(f"{_PLURALS[kind]} {listed(_ranges_of_lines(numbers))}")
            else:
                words += map(self.house, members)
        return words

    def kind(self, houses: Iterable[int]) -> str:
        """Return the common name of some houses: "rows", or "houses" if their kinds differ.

        `houses` are indices into the layout's houses.
        """
        kinds = {self.layout.houses[house].kind for house in houses}
        return _PLURALS.get(kinds.pop(), "houses") if len(kinds) == 1 else "houses"

    def candidates(self, candidates: Iterable[Candidate], *, last: str = "and") -> str:
        """Return candidates as a list, such as "3 in r1c2 and 4 in r1c5".

        If all of them have the same value, only their cells are named: "r1c2 and r1c5". `last` is
        the word before the last one.
        """
        known = tuple(candidates)
        if len({value for _, value in known}) == 1:
            return self.cells((cell for cell, _ in known), last=last)
        return listed(
            (f"{self.value(value)} in {self.layout.cell_name(cell)}" for cell, value in known),
            last=last,
        )

    def outcome(self, deduction: Deduction, *, is_either_way: bool = False) -> str:
        """Return the result of a step, after the special rules that it depends on.

        If pairs of cells differ because of a special rule, such as a knight's move, a sentence
        before the result names the rule. `is_either_way` is as for `result`.
        """
        special = special_pairs(deduction, self.layout, self.can_be)
        return paragraph(*special, self.result(deduction, is_either_way=is_either_way))

    def outcome_in_sight(self, deduction: Deduction, count: int) -> str:
        """Return the result of a step that removes candidates in sight of some cells.

        It ends with "which sees both" or the like. `count` is the number of these cells.
        """
        verb = "see" if len({cell for cell, _ in deduction.eliminations}) > 1 else "sees"
        every = {2: "both", 3: "all three"}.get(count, "all of them")
        return f"{self.outcome(deduction).removesuffix('.')}, which {verb} {every}"

    def result(self, deduction: Deduction, *, is_either_way: bool = False) -> str:
        """Return the result of a step as sentences: "Place 5 in r1c2. Remove 3 from r2c8.".

        Eliminations that follow from the placements are left out. With `is_either_way`, the result
        follows from both of two cases: "Either way, remove 3 from r2c8.".
        """
        by_cell: dict[int, set[int]] = {}
        eliminations = [
            (cell, value)
            for cell, value in deduction.eliminations
            if not any(
                value == placed and must_differ(self.layout, cell, other)
                for other, placed in deduction.placements
            )
        ]
        for cell, value in eliminations:
            by_cell.setdefault(cell, set()).add(value)
        placed: dict[int, list[int]] = {}
        for cell, value in deduction.placements:
            placed.setdefault(value, []).append(cell)
        results = [f"Place {self._placed(placed)}."] if placed else []
        if eliminations:
            verb = "Either way, remove" if is_either_way else "Remove"
            results.append(f"{verb} {self._removed(by_cell)}.")
        return paragraph(*results)

    def _placed(self, by_value: Mapping[int, Sequence[int]]) -> str:
        """Return the values to place in cells, such as "8 in r1c1 and r2c4, and 2 in r1c7"."""
        clauses = [
            f"{self.value(value)} in {self.cells(in_runs(self.layout, cells))}"
            for value, cells in by_value.items()
        ]
        is_short = all(len(cells) == 1 for cells in by_value.values())
        return listed(clauses) if is_short else joined(clauses)

    def _removed(self, by_cell: Mapping[int, Collection[int]]) -> str:
        """Return the values to remove from cells, such as "3 and 5 from r1c2, and 5 from r4c2".

        Cells that lose the same values are listed together. If it is much shorter, the cells of
        each value are listed instead.
        """
        by_values: dict[tuple[int, ...], list[int]] = {}
        by_value: dict[tuple[int, ...], list[int]] = {}
        for cell in sorted(by_cell):
            by_values.setdefault(tuple(sorted(by_cell[cell])), []).append(cell)
            for value in by_cell[cell]:
                by_value.setdefault((value,), []).append(cell)
        by_cells, by_digits = (
            self._removed_from(groups) for groups in (by_values, dict(sorted(by_value.items())))
        )
        saved = by_cells.count(" ") - by_digits.count(" ")
        return by_digits if saved >= _WORTH_SAVING else by_cells

    def _removed_from(self, groups: Mapping[tuple[int, ...], list[int]]) -> str:
        removed = [
            f"{self.ranges(values)} from {self.cells(in_runs(self.layout, cells))}"
            for values, cells in groups.items()
        ]
        is_short = len(removed) == sum(len(v) * len(cells) for v, cells in groups.items()) == 2
        return " and ".join(removed) if is_short else joined(removed)

    def ranges(self, values: Sequence[int], *, last: str = "and") -> str:
        """Return the symbols of values as a list with ranges, such as "1 and 3–7".

        Ranges stand for three or more consecutive values. `last` is the word before the last entry.
        """
        return listed(self._ranges(values), last=last)

    def compact(self, values: Sequence[int]) -> str:
        """Return the symbols of values without commas, such as "1358".

        If any symbol of the puzzle is longer than one character, there are spaces, and ranges stand
        for four or more consecutive values: "1 3–7 12".
        """
        if all(len(symbol) == 1 for symbol in self.symbols.values):
            return "".join(map(self.value, values))
        return " ".join(self._ranges(values, least=_LONG_RUN_IN_SETS))

    def _ranges(self, values: Sequence[int], *, least: int = _LONG_RUN) -> list[str]:
        ranges: list[str] = []
        runs = groupby(enumerate(values), lambda entry: entry[1] - entry[0])
        for _, run in runs:
            symbols = [self.value(value) for _, value in run]
            is_long = len(symbols) >= least
            ranges += [f"{symbols[0]}–{symbols[-1]}"] if is_long else symbols
        return ranges

    def almost_locked(self, group: AlmostLockedSet) -> str:
        """Return an almost locked set with its values, such as "r1c2 and r1c5 {347}"."""
        return f"{self.cells(group.cells)} {{{self.compact(group.values)}}}"

    def assertion(self, node: Node, *, is_true: bool) -> str:
        """Return the statement of a chain's node, or its negation if `is_true` is not set.

        For example, "r1c1 is 5", "5 is in r1c1 or r1c2", or "neither r1c1 nor r1c2 is 5".
        """
        place = self.cells(node.cells)
        value = self.value(node.value)
        if len(node.cells) > 1:
            if is_true:
                return f"{value} is in {self.places(node.cells)}"
            return f"{self.none_of(node.cells)} is {value}"
        return f"{place} is {'' if is_true else 'not '}{value}"


Sentence = Callable[[Deduction, Wording], str]
