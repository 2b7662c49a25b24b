"""Check the texts of steps from rules and of trials.

The engines decide whether the facts that a text names imply its result. They solve a board that has
nothing but the rule and these facts.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import cast

from sentence_checker.names import Names, numbers_in
from sentence_checker.results import Result, result_of
from sentence_checker.step import Step
from sentence_checker.sum_claims import read_equation
from solver.board.layout import Layout
from solver.board.parts import House, Links, Part, Sum, by_field
from solver.board.puzzle import Puzzle
from solver.board.result import Outcome
from solver.board.symbols import Symbols
from solver.logic.deduction import Candidate, LineKind
from solver.logic.sentences.links import links_without_constraint, peers_of_cells
from solver.logic.sentences.rule_names import demand_of, place_of, reminder_of
from solver.logic.sentences.wording import Wording, paragraph
from solver.rules.auxiliary_cells import renumber_auxiliary
from solver.rules.rule import Constraint
from solver.solving import solve

_RULE, _RULE_AND_HOUSES, _REQUIRED, _COMMON_PEERS, _TRIAL, _SEARCHED, _TOGETHER = (
    f"{code}" for code in range(4000, 4007)
)
CODES = (_RULE, _RULE_AND_HOUSES, _REQUIRED, _COMMON_PEERS, _TRIAL, _SEARCHED, _TOGETHER)
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SIGHT = "Cells that see each other also differ."
_ENUMERATION = re.compile(
    r"Listing all ways to (?:fill (.*?))?(?: and to )?(?:satisfy (.*))? "
    r"gives this result\."
)


def complaints_about(step: Step) -> list[str]:
    """Return what is wrong with the text of a step from a rule, or of a trial."""
    result = result_of(step.text, step.names)
    complaints = list(_differences(step, result))
    code = step.deduction.code
    if code == _TRIAL:
        return complaints + list(_trial(step))
    if code == _COMMON_PEERS:
        return complaints + list(_common_peers(step))
    if code == _TOGETHER:
        return complaints + list(_together(step, result))
    if code == _SEARCHED:
        return complaints
    return complaints + list(_rule(step, result))


def _differences(step: Step, result: Result) -> Iterator[str]:
    expected = {*step.deduction.placements}, {*step.deduction.eliminations}
    stated = (
        {Candidate(*one) for one in result.placements},
        {Candidate(*one) for one in result.eliminations},
    )
    if stated != expected:
        yield f"states the result {stated}, expected {expected}"


def _rule(step: Step, result: Result) -> Iterator[str]:
    """Yield complaints about a step that uses one rule and some facts about its cells."""
    deduction, words = step.deduction, _words(step)
    index = cast("int", deduction.rule)
    text = " ".join(result.reason)
    # Later steps only name the rule.
    demands = [paragraph(each(index, words)) for each in (demand_of, reminder_of)]
    demand = next(filter(text.startswith, demands), None)
    if demand is None:
        yield f"doesn't begin with one of {demands}"
        return
    rest = text.removeprefix(demand).strip()
    has_sight = rest.startswith(_SIGHT)
    if has_sight < (deduction.code == _RULE_AND_HOUSES):
        yield "does not mention sight"
    differing = re.match(r"The (?:digits|values) in (.*?) differ\.", rest)
    if differing:
        (house,) = step.names.houses(differing[1])
        if not set(house.cells).issuperset(step.layout.constraints[index].cells):
            yield "names a house without all cells of the rule"
        rest = rest.removeprefix(differing[0]).strip()
    has_houses = has_sight or differing is not None or deduction.code == _REQUIRED
    board = _board_of(step.layout, index, with_sight=has_sight, has_houses=has_houses)
    rest = rest.removeprefix(_SIGHT).strip()
    if deduction.code == _REQUIRED:
        yield from _required(step, rest, board)
        return
    domains, complaints = _stated(rest, step)
    yield from complaints
    placed = {cell for cell, _ in step.deduction.placements}
    narrowed = dict(_narrowed(rest, step))
    for cell, mask in _excluded(step):
        gone = mask
        if cell in placed and narrowed.get(cell) != step.domains[cell]:
            # Without the cell's candidates, the rule alone must exclude all other values.
            gone = mask | ((1 << step.layout.size) - 1) & ~step.domains[cell]
        if not _is_impossible(board, [*domains[:cell], gone, *domains[cell + 1 :]]):
            yield f"the facts don't exclude {gone:b} from {step.layout.cell_name(cell)}"


def _narrowed(text: str, step: Step) -> Iterator[tuple[int, int]]:
    """Yield the cells of which a text names the candidates, with these as bits.

    For example, "Of 5 and 8 in r1c5, only 5 fits." names both candidates of r1c5.
    """
    values, cell = step.names.patterns["values"], step.names.patterns["cell"]
    value = step.names.patterns["value"]
    for match in re.finditer(rf"[Oo]f ({values}) in ({cell}), only ({value}) fits", text):
        (own,), (only,) = step.names.cells(match[2]), step.names.values(match[3])
        if (own, only) in step.deduction.placements:
            yield own, sum(map(_bit, step.names.values(match[1])))


def _stated(text: str, step: Step) -> tuple[list[int], list[str]]:
    """Return the candidates that the facts in a text leave, and complaints about false facts."""
    domains = [(1 << step.layout.size) - 1] * step.layout.cells
    complaints: list[str] = []
    for cell, mask in _facts(text, step.names, step.layout.size):
        if step.domains[cell] & ~mask:
            complaints.append(f"{step.layout.cell_name(cell)} has other candidates than stated")
        domains[cell] &= mask
    return domains, complaints


def _excluded(step: Step) -> Iterator[tuple[int, int]]:
    """Yield (cell, removed values as bits) for each cell in which the step has an effect.

    A cell in which the step places a value loses all others.
    """
    yield from _by_cell(step.deduction.eliminations)
    for cell, value in step.deduction.placements:
        yield cell, step.domains[cell] & ~_bit(value)


def _required(step: Step, text: str, board: Layout) -> Iterator[str]:
    """Yield complaints about the value that the rule must contain, and about what sees it.

    `text` are the facts and the conclusion. Sentences can follow that name the houses in which
    cells see others.
    """
    (value,) = {value for _, value in step.deduction.fins}
    symbol = step.names.symbols.values[value - 1]
    domains, complaints = _stated(text.partition("So ")[0], step)
    yield from complaints
    always = re.match(r"Its (\d+) cells always contain (\S+), which fits only in ([^.]*)\.", text)
    end = re.search(r"So (?:one of )?([^.]*) must be ([^.]*)\.", text)
    # The text needs no conclusion if the rule itself is that one of its cells has the value.
    rule = re.match(r"The clue for (.*) requires (\S+) in one of them\.", step.text)
    match = always or end or rule
    if match is None:
        yield f"has no conclusion in {text!r}"
        return
    every = re.fullmatch(r"its (\d+) cells", match[1])
    places = _cells_of(step) if every else step.names.cells(match[3 if always else 1])
    if every and int(every[1]) != len(places):
        yield f"states the wrong number of cells in {match[0]!r}"
    if match[2] != symbol:
        yield f"names the wrong value in {match[0]!r}"
    if {*places} != {cell for cell, _ in step.deduction.fins}:
        yield f"names the wrong places in {match[0]!r}"
    sight = step.names.cells(text[match.end() :])
    if not {*sight} <= {*places, *(cell for cell, _ in step.deduction.eliminations)}:
        yield f"names other cells in {text[match.end() :]!r}"
    if always:
        own = _cells_of(step)
        if int(always[1]) != len(own):
            yield f"states the wrong number of cells in {always[0]!r}"
        if {cell for cell in own if step.can_be(cell, value)} != {*places}:
            yield f"leaves out places in {always[0]!r}"
        places = own
    yield from _wrong_sets(step, text, board, domains)
    without = [mask & ~_bit(value) if cell in places else mask for cell, mask in enumerate(domains)]
    if not _is_impossible(board, without):
        yield "the rule needs no such value"
    yield from _unseen(step, [cell for cell, _ in step.deduction.fins])


def _wrong_sets(step: Step, text: str, board: Layout, domains: list[int]) -> Iterator[str]:
    """Yield a complaint if a text lists the sets of values for a rule's cells incompletely."""
    match = re.search(r"Then its cells can only hold (.*?)\.", text)
    if match:
        sets = {step.names.values(one) for one in re.findall(r"{([^}]*)}", match[1])}
        if not _all_in(sets, board, domains, _cells_of(step)):
            yield f"other sets than {match[1]!r} are possible"


def _all_in(
    sets: set[tuple[int, ...]], board: Layout, domains: list[int], cells: Sequence[int]
) -> bool:
    """Return whether cells can only have values that are one of the sets, in any order."""
    left = next((cell for cell in cells if domains[cell].bit_count() > 1), None)
    if left is None:
        return tuple(sorted(domains[cell].bit_length() for cell in cells)) in sets
    choices = (
        [*domains[:left], mask, *domains[left + 1 :]]
        for mask in map(_bit, range(1, board.size + 1))
        if domains[left] & mask
    )
    return all(_is_impossible(board, one) or _all_in(sets, board, one, cells) for one in choices)


def _cells_of(step: Step) -> tuple[int, ...]:
    """Return the cells of the grid to which the rule of a step applies."""
    constraint = cast("Constraint", step.layout.constraints[cast("int", step.deduction.rule)])
    return tuple(cell for cell in dict.fromkeys(constraint.cells) if cell < step.layout.cells)


def _unseen(step: Step, places: Sequence[int]) -> Iterator[str]:
    peers = peers_of_cells(step.layout)
    for cell, _ in step.deduction.eliminations:
        if not peers[cell].issuperset(places):
            yield f"{step.layout.cell_name(cell)} doesn't see all places"


def _common_peers(step: Step) -> Iterator[str]:
    reason = step.text.split(".")[0]
    (house,) = step.names.houses(reason)
    value = step.deduction.eliminations[0].value
    places = {cell for cell in house.cells if step.can_be(cell, value)}
    _, _, listed = reason.partition(", ")
    named = step.names.cells(listed)
    if {*named} != places or not listed.startswith(step.names.symbols.values[value - 1]):
        yield "names the wrong places or the wrong value"
    yield from _unseen(step, named)


def _together(step: Step, result: Result) -> Iterator[str]:
    """Yield complaints about rules and houses that exclude candidates together."""
    *others, last = result.reason
    deduction = step.deduction
    match = _ENUMERATION.fullmatch(last)
    if match is None:
        yield f"no house or rule is named in {last!r}"
        return
    named = {(house.kind, house.number) for house in step.names.houses(match[1] or "")}
    base = [step.layout.houses[index] for index in deduction.base]
    if named != {(house.kind, house.number) for house in base}:
        yield f"names other houses in {last!r}"
    if _names_in(match[2] or "") != _names_in(" and ".join(_places(step, deduction.rules))):
        yield f"names other rules in {last!r}"
    links = {
        each
        for each in links_without_constraint(step.layout)
        if f"Cells {each.place} must differ." in others
    }
    facts = " ".join(others)
    for demand in {paragraph(demand_of(index, _words(step))) for index in deduction.rules}:
        facts = facts.replace(demand, "")
    domains, complaints = _stated(facts, step)
    yield from complaints
    board = _board_together(step.layout, deduction.rules, deduction.base, frozenset(links))
    for cell, mask in _excluded(step):
        if not _is_impossible(board, [*domains[:cell], mask, *domains[cell + 1 :]]):
            yield f"the rules don't exclude {mask:b} from {step.layout.cell_name(cell)}"


def _places(step: Step, rules: Iterable[int]) -> list[str]:
    return [place_of(index, _words(step)) for index in rules]


def _names_in(text: str) -> set[str]:
    """Return the kinds and the places in the names of rules, of which several can be listed.

    A kind is in the singular, and a place is a cell, or two cells from which or between which a
    rule goes.
    """
    pairs = re.findall(r"(?:from|between) (r\d+c\d+ (?:to|and) r\d+c\d+)", text)
    cells = re.findall(r"r\d+c\d+", text)
    kinds = re.findall(r"the ([^“]+?)s? (?:at|from|between|for|by)(?= )", text)
    return {*pairs, *cells, *kinds, *re.findall(r"“[^”]*”", text)}


@lru_cache(maxsize=512)
def _board_together(
    layout: Layout, rules: tuple[int, ...], houses: tuple[int, ...], pairs: frozenset[Links]
) -> Layout:
    """Return a board with some constraints, houses, and not-equal pairs, and nothing else."""
    parts: list[Part] = []
    auxiliary = 0
    for index in rules:
        made = cast("Constraint", layout.constraints[index]).parts(layout)
        assert not isinstance(made, str)
        own, count = renumber_auxiliary(made, layout.solution_size + auxiliary)
        auxiliary += count
        parts += own
    every = [*(layout.houses[house] for house in houses), *parts]
    own_houses = [part for part in every if isinstance(part, House)]
    links = [part for part in parts if isinstance(part, Links)]
    return layout.changed(
        houses=tuple(house for house in own_houses if max(house.cells) < layout.cells),
        links=(*pairs, *links),
        constraints=(),
        auxiliary_count=auxiliary,
        auxiliary_houses=tuple(h for h in own_houses if max(h.cells) >= layout.cells),
        **by_field(parts),
    )


def _trial(step: Step) -> Iterator[str]:
    """Yield complaints about the lines of a trial. Each must follow from those that it names."""
    first, *numbered, end = step.text.splitlines()
    ((cell, value),) = step.deduction.eliminations
    assumption = f"{step.layout.cell_name(cell)} is {step.names.symbols.values[value - 1]}"
    if first != f"Suppose {assumption}.":
        yield f"assumes {first!r}"
    conclusions = [_conclusion(assumption, step)]
    equations: set[str] = set()  # that earlier lines have derived
    for number, line in enumerate(numbered, 1):
        prefix, _, text = line.partition(". ")
        premises = _premises(text)
        if prefix != f"{number}" or max(premises, default=0) >= number:
            yield f"{line!r} is misnumbered, or names a later line"
            return
        domains = _after(step, [conclusions[each] for each in premises])
        conclusions.append(_conclusion(re.split(r": | \(", text)[0], step))
        yield from _line(step, text, conclusions[-1], domains, equations)
    text = end.split(". Remove")[0]
    premises = _premises(text)
    if max(premises, default=0) > len(numbered):
        yield f"{text!r} names a missing line"
        return
    domains = _after(step, [conclusions[each] for each in premises])
    yield from _contradiction(step, text, domains, equations)


Conclusion = list[tuple[int, int]]  # cells, each with its possible values as bits


def _premises(text: str) -> list[int]:
    """Return the numbers of the lines that a line names, 0 for the assumption."""
    (reason,) = _reasons_in(text)
    after = reason.rpartition("; ")[2]
    numbers = re.search(r"lines? ([\d–, and]+)$", after)
    own = [int(number) for number in numbers_in(numbers[1])] if numbers else []
    return [*([0] if "the assumption" in after else []), *own]


def _reasons_in(text: str) -> list[str]:
    """Return the texts in parentheses, which can contain parentheses themselves."""
    return re.findall(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)(?:[.,]|$)", text)


def _conclusion(text: str, step: Step) -> Conclusion:
    """Return what a text such as "r1c1 is 2 and r1c2 is not 3 or 4" states about cells.

    A placement such as "r1c1 is 2, not 5" only states the value.
    """
    cells, values = step.names.patterns["cells"], step.names.patterns["values"]
    full = (1 << step.layout.size) - 1
    found: Conclusion = []
    for match in re.finditer(rf"({cells}) (?:is|are|can only be)( not)? ({values})", text):
        mask = sum(map(_bit, step.names.values(match[3])))
        found += [(cell, full & ~mask if match[2] else mask) for cell in step.names.cells(match[1])]
    return found


def _line(
    step: Step, text: str, conclusion: Conclusion, domains: list[int], equations: set[str]
) -> Iterator[str]:
    """Yield complaints about a line of a trial, given the candidates after those that it names."""
    if not conclusion:
        yield f"{text!r} has no conclusion"
    (reason,) = _reasons_in(text)
    if reason.startswith("last candidate"):
        is_true = all(domains[cell] == mask for cell, mask in conclusion)
    elif _equation_of(reason) or _rules_named(reason, step):
        claim, _, facts = text.rpartition(f" ({reason})")[0].partition(": ")
        refuted = _refuted_by_rule(claim, conclusion, domains, step)
        boards = _boards_named(step, reason, equations)
        is_true = _is_implied(step, facts, refuted, domains, boards)
        for cell, mask in conclusion:
            excluded = _named_as_excluded(claim, cell, step)
            is_true &= not excluded or not domains[cell] & ~excluded & ~mask
    else:
        is_true = reason.startswith("last place ") and any(
            len(house.cells) == step.layout.size
            and [(each, mask) for each in house.cells if domains[each] & mask] == conclusion
            for house in step.names.houses(reason)
            for _, mask in conclusion
        )
    if not is_true:
        yield f"{text!r} doesn't follow"


Refuted = list[tuple[int, int]]  # cells, each with values that it cannot have, as bits


def _refuted_by_rule(
    claim: str, conclusion: Conclusion, domains: Sequence[int], step: Step
) -> Refuted:
    """Return what a rule must exclude for a claim such as "r1c1 is 5, not 7" or "r1c1 is 5".

    A placement without excluded values claims that the rule leaves nothing else, whatever the
    candidates are.
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
    """Return the values (bits) after "not" in a placement such as "r1c1 is 5, not 7"."""
    value, values = step.names.patterns["value"], step.names.patterns["values"]
    match = re.search(rf"{step.layout.cell_name(cell)} is {value}, not ({values})", claim)
    return sum(map(_bit, step.names.values(match[1]))) if match else 0


def _contradiction(step: Step, text: str, domains: list[int], equations: set[str]) -> Iterator[str]:
    """Yield complaints about the last line, given the candidates after those that it names."""
    names = step.names
    (reason,) = _reasons_in(text)
    claim = text.partition(" (")[0]
    if match := re.match(r"There is no place left for (\S+) (.*)", claim):
        (value,), (house,) = names.values(match[1]), names.houses(match[2])
        is_true = not any(domains[cell] & _bit(value) for cell in house.cells)
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
            is_true = not domains[cell] & _bit(only)
            end = text.rpartition(", but it ")[2]
            is_true &= end == f"cannot be {match[1]}" or domains[cell] == _bit(*names.values(end))
        else:
            stated = names.values(re.split(r"cannot be |, because ", claim)[1])
            is_true = not domains[cell] & ~sum(map(_bit, stated))
            if ", but it is " in text:
                is_true &= names.values(text.rpartition(", but it is ")[2]) == stated
        facts = claim.partition(", because ")[2]
        boards = _boards_named(step, reason, equations)
        is_true &= _is_implied(step, facts, [(cell, domains[cell])], domains, boards)
    if not is_true:
        yield f"{text!r} doesn't follow"


def _rules_named(reason: str, step: Step) -> list[int]:
    """Return the constraints of a trial that a reason names, as indices.

    If it states a sum or another number, they must require this number.
    """
    words = _words(step)
    kinds = (LineKind.BY_RULE, LineKind.BROKEN_RULE)
    used = {line.source for line in step.deduction.lines if line.kind in kinds}
    name = reason.partition(";")[0]
    return [index for index in sorted(used) if _is_named(name, index, step.layout, words)]


def _is_named(name: str, index: int, layout: Layout, words: Wording) -> bool:
    """Return whether a name is that of a constraint, with its own number if it has one."""
    place = place_of(index, words)
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
    """Return the sums that a constraint requires for all of its cells together."""
    constraint = cast("Constraint", layout.constraints[index])
    return [
        part.target
        for part in constraint.parts(layout)
        if isinstance(part, Sum) and {*part.factors} == {1} and {*part.cells} == {*constraint.cells}
    ]


def _equation_of(reason: str) -> re.Match[str] | None:
    """Return the parts of a reason such as "r1c1 = r2c1 + 3, the sum of row 1"."""
    return re.match(
        r"(?P<equation>[rc\d+ ×]+ = [rc\d+ ×]+)(?:, the sum of (?P<houses>[^;]*))?(?:;|$)", reason
    )


def _is_derived(step: Step, match: re.Match[str], equations: set[str]) -> bool:
    """Return whether an equation follows from houses and cages, or is one of those derived before.

    It is added to these if it names its houses.
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
        return [_board_of(step.layout, rule, with_sight=True) for rule in rules]
    return [_board_with(step, match["equation"])] if _is_derived(step, match, equations) else []


def _is_implied(
    step: Step,
    facts: str,
    refuted: Refuted,
    domains: Sequence[int],
    boards: Sequence[Layout],
) -> bool:
    """Return whether one of some boards refutes values, because of nothing but some facts.

    The facts must hold within the domains.
    """
    stated = [(1 << step.layout.size) - 1] * step.layout.cells
    for cell, mask in _facts(facts, step.names, step.layout.size):
        if domains[cell] & ~mask:
            return False
        stated[cell] &= mask
    return all(
        any(_is_impossible(board, [*stated[:cell], gone, *stated[cell + 1 :]]) for board in boards)
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


def _after(step: Step, conclusions: Iterable[Conclusion]) -> list[int]:
    """Return the domains of the grid, restricted by nothing but the conclusions of some lines."""
    domains = list(step.domains)
    peers = peers_of_cells(step.layout)
    for cell, mask in chain.from_iterable(conclusions):
        domains[cell] &= mask
        if mask.bit_count() == 1:
            for peer in peers[cell]:
                domains[peer] &= ~mask
    return domains


def _facts(text: str, names: Names, size: int) -> Iterator[tuple[int, int]]:
    """Yield the cells in the facts of a text, each with the values that it can have, as bits."""
    cells, values = names.patterns["cells"], names.patterns["values"]
    form = rf"({cells}) (is|are|can only be|cannot be)( at least| at most)? ({values})"
    for match in re.finditer(form, text):
        stated = names.values(match[4])
        mask = sum(map(_bit, stated))
        if match[3] == " at least":
            mask = (1 << size) - _bit(stated[0])
        elif match[3] == " at most":
            mask = 2 * _bit(stated[0]) - 1
        elif match[2] == "cannot be":
            mask = (1 << size) - 1 - mask
        for cell in names.cells(match[1]):
            yield cell, mask


def _by_cell(candidates: Iterable[Candidate]) -> Iterator[tuple[int, int]]:
    masks: dict[int, int] = {}
    for cell, value in candidates:
        masks[cell] = masks.get(cell, 0) | _bit(value)
    yield from masks.items()


def _bit(value: int) -> int:
    return 1 << (value - 1)


def _words(step: Step) -> Wording:
    return Wording(step.layout, step.names.symbols, step.domains)


@lru_cache(maxsize=512)
def _board_of(layout: Layout, index: int, *, with_sight: bool, has_houses: bool = True) -> Layout:
    """Return a board with one constraint of a layout and nothing else.

    With `with_sight`, the constraint's cells also differ where they see each other. Without
    `has_houses`, the constraint is compiled as if there were no houses in which its cells differ.
    """
    constraint = cast("Constraint", layout.constraints[index])
    made = constraint.parts(layout if has_houses else layout.changed(houses=(), links=()))
    if isinstance(made, str):  # a rule about houses
        made = constraint.parts(layout)
    assert not isinstance(made, str)
    parts, count = renumber_auxiliary(made, layout.solution_size)
    peers = peers_of_cells(layout)
    cells = [cell for cell in constraint.cells or range(layout.cells) if cell < layout.cells]
    seen = [pair for pair in combinations(cells, 2) if with_sight and pair[1] in peers[pair[0]]]
    own = [part for part in parts if isinstance(part, Links)]
    houses = [part for part in parts if isinstance(part, House) and max(part.cells) < layout.cells]
    fields = by_field(parts)
    return layout.changed(
        houses=tuple(houses),
        links=(*own, Links("sight", tuple(seen))) if seen else tuple(own),
        constraints=(constraint,),
        auxiliary_count=count,
        auxiliary_houses=(),
        **fields,
    )


def _is_impossible(board: Layout, domains: Sequence[int]) -> bool:
    """Return whether the board has no solution within the domains."""
    if 0 in [mask for cell, mask in enumerate(domains) if cell not in board.holes]:
        return True
    puzzle = Puzzle(board, (0,) * board.cells, Symbols.usual(board.size), tuple(domains))
    return solve(puzzle, limit=1).outcome is Outcome.UNSOLVABLE
