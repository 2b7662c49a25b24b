"""Check the lines of trials: each follows from the lines, rules, and sums that it names."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple, cast

from sentence_checker.names import numbers_in
from sentence_checker.rule_boards import (
    bit_of,
    board_of_rule,
    facts_in,
    is_impossible,
    wording_of,
)
from sentence_checker.step import Step
from sentence_checker.sum_equations import read_equation
from solver.board.layout import Layout
from solver.board.primitive_constraints import Links, Sum, by_field
from solver.logic.deduction import LineKind
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.trial_reasons import short_place
from solver.logic.sentences.wording import Wording
from solver.rules.rule import Constraint

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

Conclusion = list[tuple[int, int]]  # cells, each with its possible values as bits
Refuted = list[tuple[int, int]]  # cells, each with values that it cannot have, as bits


def trial_complaints(step: Step) -> Iterator[str]:
    """Yield complaints about the lines of a trial. Each must follow from those that it names.

    A line that names none must follow from the line before it. The first line must assume the
    candidate that the step removes, and the last line must be a contradiction. Lines between them
    are numbered.
    """
    first, *numbered, end = step.text.splitlines()
    ((cell, value),) = step.deduction.eliminations
    assumption = f"{step.layout.cell_name(cell)} is {step.names.symbols.values[value - 1]}"
    if first != f"Suppose {assumption}.":
        yield f"assumes {first!r}"
    conclusions = [_conclusion(assumption, step)]
    equations: set[str] = set()  # that earlier lines have derived
    for number, line in enumerate(numbered, 1):
        prefix, _, text = line.partition(". ")
        premises = _premises(text, number)
        if prefix != f"{number}" or max(premises) >= number:
            yield f"{line!r} is misnumbered, or names a later line"
            return
        known = _Known.after(step, [conclusions[each] for each in premises])
        conclusions.append(_conclusion(re.split(r": | \(", text)[0], step))
        yield from _line(step, text, conclusions[-1], known, equations)
    text = end.split(". Remove")[0]
    premises = _premises(text, len(numbered) + 1)
    if max(premises) > len(numbered):
        yield f"{text!r} names a missing line"
        return
    known = _Known.after(step, [conclusions[each] for each in premises])
    yield from _contradiction(step, text, known, equations)


def _premises(text: str, number: int) -> list[int]:
    """Return the numbers of the lines that line `number` names, after 0 for the assumption.

    If it names none, returns the line before it.
    """
    after = _reason_in(text).rpartition("; ")[2]
    numbers = re.search(r"lines? ([\d–, and]+)$", after)
    return [0, *map(int, numbers_in(numbers[1]))] if numbers else [0, number - 1]


def _reason_in(text: str) -> str:
    """Return the only text in parentheses, which can contain parentheses itself, or else ""."""
    found = re.findall(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)(?:[.,]|$)", text)
    return cast("str", found[0]) if len(found) == 1 else ""


def _conclusion(text: str, step: Step) -> Conclusion:
    """Return the values that a text such as "r1c1 is 2 and r1c2 is not 3 or 4" leaves in cells.

    A placement such as "r1c1 is 2, not 5" only states the value.
    """
    cells, values = step.names.patterns["cells"], step.names.patterns["values"]
    full = (1 << step.layout.size) - 1
    found: Conclusion = []
    for match in re.finditer(rf"({cells}) (?:is|are|can only be)( not)? ({values})", text):
        mask = sum(map(bit_of, step.names.values(match[3])))
        found += [(cell, full & ~mask if match[2] else mask) for cell in step.names.cells(match[1])]
    return found


def _line(
    step: Step, text: str, conclusion: Conclusion, known: "_Known", equations: set[str]
) -> Iterator[str]:
    """Yield complaints about the text of a line of a trial, if its conclusion doesn't follow.

    It must follow from `known`, what the lines that it names state. `equations` are those that
    earlier lines derived.
    """
    domains = known.domains
    if not conclusion:
        yield f"{text!r} has no conclusion"
    reason, plural = _reason_in(text), "s" if len(conclusion) > 1 else ""
    if re.match(rf"last candidate{plural}(;|$)", reason):
        is_true = all(domains[cell] == mask for cell, mask in conclusion)
    elif _equation_of(reason) or _rules_named(reason, step):
        claim, _, facts = text.rpartition(f" ({reason})")[0].partition(": ")
        refuted = _refuted_by_rule(claim, conclusion, domains, step)
        boards = _boards_named(step, reason, equations)
        is_true = _is_implied(step, facts, refuted, known, boards)
        for cell, mask in conclusion:
            excluded = _named_as_excluded(claim, cell, step)
            is_true &= not excluded or not domains[cell] & ~excluded & ~mask
    else:
        is_true = reason.startswith(f"last place{plural} ") and any(
            len(house.cells) == step.layout.size
            and all(
                [each for each in house.cells if domains[each] & mask] == [cell]
                for cell, mask in conclusion
            )
            for house in step.names.houses(reason)
        )
    if not is_true:
        yield f"{text!r} doesn't follow"


def _refuted_by_rule(
    claim: str, conclusion: Conclusion, domains: Sequence[int], step: Step
) -> Refuted:
    """Return what a rule must exclude for a claim such as "r1c1 is 5, not 7" or "r1c1 is 5".

    Returns pairs of a cell and values (bits), one for each cell of the conclusion. A placement
    without excluded values claims that the rule leaves nothing else, whatever the candidates are.
    """
    full = (1 << step.layout.size) - 1
    refuted: Refuted = []
    for cell, mask in conclusion:
        gone = full & ~mask
        if mask.bit_count() == 1:
            gone = _named_as_excluded(claim, cell, step) or gone
        refuted.append((cell, gone & domains[cell] if "can only be" in claim else gone))
    return refuted


def _named_as_excluded(claim: str, cell: int, step: Step) -> int:
    """Return the values (bits) after "not" in a placement such as "r1c1 is 5, not 7", or 0."""
    value, values = step.names.patterns["value"], step.names.patterns["values"]
    match = re.search(rf"{step.layout.cell_name(cell)} is {value}, not ({values})", claim)
    return sum(map(bit_of, step.names.values(match[1]))) if match else 0


def _contradiction(step: Step, text: str, known: "_Known", equations: set[str]) -> Iterator[str]:
    """Yield complaints about the last line. `known` follows from the lines that it refers to."""
    names, domains = step.names, known.domains
    reason = _reason_in(text)
    claim = text.partition(" (")[0]
    if match := re.match(r"(\S+) has no place left (.*)", claim):
        (value,), (house,) = names.values(match[1]), names.houses(match[2])
        is_true = not any(domains[cell] & bit_of(value) for cell in house.cells)
        is_true &= len(house.cells) == step.layout.size
    elif not (_equation_of(reason) or _rules_named(reason, step)):
        is_true = claim.endswith("has no candidate left") and all(
            domains[cell] == 0 for cell in names.cells(claim)
        )
    else:
        cell, *_ = names.cells(claim)
        symbol = names.patterns["value"]
        if match := re.search(rf"would have to be ({symbol})", claim):
            (only,) = names.values(match[1])
            is_true = not domains[cell] & bit_of(only)
            end = text.rpartition(", but it ")[2]
            is_true &= end == "cannot" or _is_seen_or_decided(step, cell, only, end, known)
        else:
            stated = names.values(re.split(r"cannot be |, because |, its last ", claim)[1])
            is_true = not domains[cell] & ~sum(map(bit_of, stated))
            if text.endswith(", contrary to the assumption"):
                is_true &= [(cell, *stated)] == [*step.deduction.eliminations]
            if ", but it is " in text:
                is_true &= names.values(text.rpartition(", but it is ")[2]) == stated
            if match := re.search(r", its last candidate(s?)", claim):
                is_true &= bool(match[1]) == (len(stated) > 1)
        facts = "".join(re.split(r", because |, its last candidates?: ", claim)[1:])
        boards = _boards_named(step, reason, equations)
        is_true &= _is_implied(step, facts, [(cell, domains[cell])], known, boards)
    if not is_true:
        yield f"{text!r} doesn't follow"


def _is_seen_or_decided(step: Step, cell: int, value: int, end: str, known: "_Known") -> bool:
    """Return whether the end "is 4" or "sees the 5 in r1c1" shows that a cell isn't the value."""
    match = re.fullmatch(r"sees the (\S+) in (\S+)", end)
    if match is None:
        return known.domains[cell] == bit_of(*step.names.values(end))
    (other,) = step.names.cells(match[2])
    is_placed = (other, bit_of(value)) in known.placed and step.names.values(match[1]) == (value,)
    return is_placed and other in peers_of_cells(step.layout)[cell]


def _rules_named(reason: str, step: Step) -> list[int]:
    """Return the constraints of a trial that a reason names, as indices.

    If it states a sum or another number, they must require this number.
    """
    words = wording_of(step)
    kinds = (LineKind.BY_RULE, LineKind.BROKEN_RULE)
    used = {line.source for line in step.deduction.lines if line.kind in kinds}
    name = reason.partition(";")[0]
    return [index for index in sorted(used) if _is_named(name, index, step.layout, words)]


def _is_named(name: str, index: int, layout: Layout, words: Wording) -> bool:
    """Return whether a name in a text, such as "cage at r1c1, sum 9", fits a constraint.

    `index` is the constraint's index in the layout. The name may leave out the clue (", sum 9"),
    but a clue must be that of the constraint.
    """
    place = short_place(index, words)
    if not name.startswith(place):
        return False
    clue, constraint = name.removeprefix(place), cast("Constraint", layout.constraints[index])
    if constraint.name == "lookandsay":
        symbols = words.symbols.values
        counts = zip(constraint.values[::2], constraint.values[1::2], strict=True)
        stated = [(_COUNTS.index(count), one) for count, one in re.findall(r"(\w+) (\w)s?\b", clue)]
        expected = [(count, symbols[number - layout.lowest]) for count, number in counts]
        return not clue or [one for one in stated if one[1] in symbols] == expected
    known = {constraint.number, *_totals_of(index, layout)}
    if constraint.name in ("pairs", "allpairs"):
        numbers = constraint.values
        gaps = [abs(a - b) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
        known = {min(gaps), max(gaps)}
    return not clue or bool(re.fullmatch(rf", [a-z ]+ (?:{'|'.join(map(str, known))})", clue))


def _totals_of(index: int, layout: Layout) -> list[int]:
    """Return the sums that a constraint requires for all of its cells together, unweighted."""
    constraint = cast("Constraint", layout.constraints[index])
    return [
        part.target
        for part in constraint.parts(layout)
        if isinstance(part, Sum) and {*part.factors} == {1} and {*part.cells} == {*constraint.cells}
    ]


def _equation_of(reason: str) -> re.Match[str] | None:
    """Return the parts of a reason such as "r1c1 = r2c1 + 3, the sum of row 1".

    They are the groups "equation" and "houses" of a match, or None if the reason has another form.
    """
    return re.match(
        r"(?P<equation>[rc\d+ ×]+ = [rc\d+ ×]+)(?:, the sum of (?P<houses>[^;]*))?(?:;|$)", reason
    )


def _is_derived(step: Step, match: re.Match[str], equations: set[str]) -> bool:
    """Return whether an equation follows from houses and cages, or is one of `equations`.

    The latter were derived by earlier lines. `match` has the groups "equation" and "houses", the
    names of its houses. If there are any, the equation is added to `equations`, even if it doesn't
    follow.
    """
    equation, names = match["equation"], match["houses"]
    if not names:
        return equation in equations
    equations.add(equation)
    terms, total = read_equation(step, equation)
    houses = step.names.houses(names)
    cages = [
        part
        for constraint in step.layout.constraints
        for part in constraint.parts(step.layout)
        if isinstance(part, Sum) and {*part.factors} == {1}
    ]
    inside = Counter(cell for house in houses for cell in house.cells)
    sums = len(houses) * sum(step.layout.numbers)
    disjoint: list[Sum] = []
    for part in cages:
        if all({*part.cells}.isdisjoint(other.cells) for other in disjoint):
            disjoint.append(part)
    # Each cage is subtracted, or it isn't. Its cells in the equation decide which.
    for sign in (1, -1):
        rest, left = Counter(inside), sums
        for part in disjoint:
            with_it = Counter(rest)
            with_it.subtract(part.cells)
            if all(with_it[cell] == sign * terms.get(cell, 0) for cell in part.cells):
                rest, left = with_it, left - part.target
        if {c: sign * n for c, n in rest.items() if n} == terms and sign * left == total:
            return True
    return False


def _boards_named(step: Step, reason: str, equations: set[str]) -> list[Layout]:
    """Return a board for each rule or equation that a reason can mean, with nothing else.

    Several constraints can have the same name. `equations` are those that earlier lines derived.
    """
    match = _equation_of(reason)
    if match is None:
        rules = _rules_named(reason, step)
        return [board_of_rule(step.layout, rule, with_sight=True) for rule in rules]
    return [_board_with(step, match["equation"])] if _is_derived(step, match, equations) else []


def _is_implied(
    step: Step,
    facts: str,
    refuted: Refuted,
    known: "_Known",
    boards: Sequence[Layout],
) -> bool:
    """Return whether some facts, with the placements in `known`, refute values.

    `refuted` are pairs of a cell and its refuted values, as bits. Each pair must be impossible on
    at least one of the boards. False as well if a fact doesn't hold yet in `known`, which is the
    grid after the lines that a line names.
    """
    stated = [(1 << step.layout.size) - 1] * step.layout.cells
    for cell, mask in known.placed:
        stated[cell] = mask
    for cell, mask in facts_in(facts, step.names, step.layout.size):
        if known.domains[cell] & ~mask:
            return False
        stated[cell] &= mask
    return all(
        any(is_impossible(board, [*stated[:cell], gone, *stated[cell + 1 :]]) for board in boards)
        for cell, gone in refuted
        if gone
    )


def _board_with(step: Step, equation: str) -> Layout:
    """Return a board with nothing but an equation, whose cells differ where they see each other."""
    terms, total = read_equation(step, equation)
    peers = peers_of_cells(step.layout)
    seen = tuple((a, b) for a, b in combinations(sorted(terms), 2) if b in peers[a])
    part = Sum(tuple(terms), tuple(terms.values()), total)
    return step.layout.changed(
        houses=(),
        links=(Links("sight", seen),) if seen else (),
        constraints=(),
        auxiliary_count=0,
        auxiliary_houses=(),
        **by_field([part]),
    )


class _Known(NamedTuple):
    """The grid after the conclusions of some lines and nothing else, and their placements."""

    domains: list[int]
    placed: Conclusion

    @classmethod
    def after(cls, step: Step, conclusions: Iterable[Conclusion]) -> "_Known":
        """Apply the conclusions of some lines to the grid before the step.

        A placed value is removed from all cells that see its cell.
        """
        domains, placed = list(step.domains), Conclusion()
        peers = peers_of_cells(step.layout)
        for cell, mask in chain.from_iterable(conclusions):
            domains[cell] &= mask
            if mask.bit_count() == 1:
                placed.append((cell, mask))
                for peer in peers[cell]:
                    domains[peer] &= ~mask
        return cls(domains, placed)
