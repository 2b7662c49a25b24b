"""Check the texts of steps from rules and of trials.

The engines decide whether the facts that a text names imply its result. They solve a board that has
nothing but the rule and these facts.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import cast

from sentence_checker.names import Names, numbers_in
from sentence_checker.results import Result, result_of
from sentence_checker.step import Step
from solver.board.layout import Layout
from solver.board.parts import House, Links, Part, by_field
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
_SIGHT = "Cells that see each other also differ."
_ENUMERATION = re.compile(
    r"An enumeration of all ways to (?:fill (.*?))?(?: and to )?(?:satisfy (.*))? "
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
    for cell, mask in _excluded(step):
        if not _is_impossible(board, [*domains[:cell], mask, *domains[cell + 1 :]]):
            yield f"the facts don't exclude {mask:b} from {step.layout.cell_name(cell)}"


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
    match = always or end
    if match is None:
        yield f"has no conclusion in {text!r}"
        return
    places = step.names.cells(match[3 if always else 1])
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
    domains, complaints = _stated(" ".join(others), step)
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
    for number, line in enumerate(numbered, 1):
        prefix, _, text = line.partition(". ")
        premises = _premises(text)
        if prefix != f"{number}" or max(premises, default=0) >= number:
            yield f"{line!r} is misnumbered, or names a later line"
            return
        domains = _after(step, [conclusions[each] for each in premises])
        conclusions.append(_conclusion(re.split(r": | \(", text)[0], step))
        yield from _line(step, text, conclusions[-1], domains)
    text = end.split(". Remove")[0]
    premises = _premises(text)
    if max(premises, default=0) > len(numbered):
        yield f"{text!r} names a missing line"
        return
    yield from _contradiction(step, text, _after(step, [conclusions[each] for each in premises]))


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
    """Return what a text such as "r1c1 is 2 and r1c2 is not 3 or 4" states about cells."""
    cells, values = step.names.patterns["cells"], step.names.patterns["values"]
    full = (1 << step.layout.size) - 1
    found: Conclusion = []
    for match in re.finditer(rf"({cells}) (?:is|are)( not)? ({values})", text):
        mask = sum(map(_bit, step.names.values(match[3])))
        found += [(cell, full & ~mask if match[2] else mask) for cell in step.names.cells(match[1])]
    return found


def _line(step: Step, text: str, conclusion: Conclusion, domains: list[int]) -> Iterator[str]:
    """Yield complaints about a line of a trial, given the candidates after those that it names."""
    if not conclusion:
        yield f"{text!r} has no conclusion"
    (reason,) = _reasons_in(text)
    if reason.startswith("last candidate"):
        is_true = all(domains[cell] == mask for cell, mask in conclusion)
    elif reason.startswith("the sum of ") or _rules_named(reason, step):
        _, _, facts = text.rpartition(f" ({reason})")[0].partition(": ")
        is_true = _is_implied(step, reason, facts, conclusion, domains)
    else:
        (house,) = step.names.houses(reason)
        ((cell, mask),) = conclusion
        is_true = [each for each in house.cells if domains[each] & mask] == [cell]
        is_true &= len(house.cells) == step.layout.size and reason.startswith("last place ")
    if not is_true:
        yield f"{text!r} doesn't follow"


def _contradiction(step: Step, text: str, domains: list[int]) -> Iterator[str]:
    """Yield complaints about the last line, given the candidates after those that it names."""
    names = step.names
    (reason,) = _reasons_in(text)
    claim = text.partition(" (")[0]
    if match := re.match(r"There is no place left for (\S+) (.*)", claim):
        (value,), (house,) = names.values(match[1]), names.houses(match[2])
        is_true = not any(domains[cell] & _bit(value) for cell in house.cells)
        is_true &= len(house.cells) == step.layout.size
    elif not (_rules_named(reason, step) or reason.startswith("the sum of ")):
        (cell,) = names.cells(claim)
        is_true = claim.endswith("has no candidate left") and domains[cell] == 0
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
        facts = claim.partition(", because ")[2]
        is_true &= _is_implied(step, reason, facts, [(cell, 0)], domains)
    if not is_true:
        yield f"{text!r} doesn't follow"


def _rules_named(reason: str, step: Step) -> list[int]:
    """Return the constraints of a trial that a reason names, as indices."""
    words = _words(step)
    kinds = (LineKind.BY_RULE, LineKind.BROKEN_RULE)
    used = {line.source for line in step.deduction.lines if line.kind in kinds}
    return [
        index for index in sorted(used) if f"{reason};".startswith(f"{place_of(index, words)};")
    ]


def _is_implied(
    step: Step, reason: str, facts: str, conclusion: Conclusion, domains: Sequence[int]
) -> bool:
    """Return whether a rule or a sum implies a conclusion, because of nothing but some facts.

    Several constraints can have the same name. The facts must hold within the domains. Of the cells
    in the conclusion, the candidates are known.
    """
    full = (1 << step.layout.size) - 1
    stated = [full] * step.layout.cells
    for cell, mask in _facts(facts, step.names, step.layout.size):
        if domains[cell] & ~mask:
            return False
        stated[cell] &= mask
    boards = [_board_of(step.layout, rule, with_sight=True) for rule in _rules_named(reason, step)]
    if reason.startswith("the sum of "):
        # The houses are stated with the cages around them, so all cages are searched. The cells
        # that are named also differ from those that they see.
        houses = step.names.houses(reason.partition(";")[0])
        peers = peers_of_cells(step.layout)
        named = {*step.names.cells(facts), *(cell for cell, _ in conclusion)}
        seen = tuple({(min(a, b), max(a, b)) for a in named for b in peers[a]})
        links = (*step.layout.links, Links("sight", seen))
        boards = [step.layout.changed(houses=houses, links=links)]
    return all(
        any(
            _is_impossible(board, [*stated[:cell], domains[cell] & ~mask, *stated[cell + 1 :]])
            for board in boards
        )
        for cell, mask in conclusion
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
