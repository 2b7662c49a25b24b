"""Check the texts of steps from rules. `together_claims` checks those from several rules together.

The engines decide whether the facts that a text names imply its result. They solve a board that has
nothing but the rule and these facts.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import cast

from sentence_checker.circle_claims import CircleReasons, has_circle_reasons
from sentence_checker.or_claims import CONCLUSION, cells_either_way, wrong_conclusions
from sentence_checker.results import Result, result_of
from sentence_checker.rule_boards import (
    SIGHT,
    bit_of,
    board_of_rule,
    excluded_by,
    is_impossible,
    stated_domains,
    wording_of,
)
from sentence_checker.step import Step
from sentence_checker.together_claims import together_complaints
from sentence_checker.trial_claims import trial_complaints
from solver.board.layout import Layout
from solver.logic.deduction import Candidate
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.places import reason_to_differ
from solver.logic.sentences.rule_names import demand_of, reminder_of
from solver.logic.sentences.wording import paragraph
from solver.rules.rule import Constraint

_RULE, _RULE_AND_HOUSES, _REQUIRED, _COMMON_PEERS, _TRIAL, _SEARCHED, _TOGETHER = (
    f"{code}" for code in range(4000, 4007)
)
CODES = (_RULE, _RULE_AND_HOUSES, _REQUIRED, _COMMON_PEERS, _TRIAL, _SEARCHED, _TOGETHER)
_CIRCLES = "countingcircles"
_BY_REGION = "regionsamevalues"
_IN_LINES = ("sandwich", "xsum", "skyscraper", "hiddenskyscraper")  # clues of rows and columns
_POSITION = "is the position of the digit"
_SEEN = ", but they see each other."


def complaints_about(step: Step) -> list[str]:
    """Return what is wrong with the text of a step from a rule, or of a trial.

    Of a step that was found by search, only the stated result is checked.
    """
    result = result_of(step.text, step.names)
    complaints = list(_differences(step, result))
    code = step.deduction.code
    if code == _TRIAL:
        return complaints + list(trial_complaints(step))
    if code == _COMMON_PEERS:
        return complaints + list(_common_peers(step))
    if code == _TOGETHER:
        return complaints + list(together_complaints(step, result))
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
    """Yield complaints about the text of a step that uses one rule and facts about its cells.

    The text must begin with the rule. The facts in it must be true, and must exclude all
    candidates that the step removes.
    """
    deduction, words = step.deduction, wording_of(step)
    index = cast("int", deduction.rule)
    text = " ".join(result.reason)
    # Later steps only name the rule.
    demands = [paragraph(each(index, words)) for each in (demand_of, reminder_of)]
    constraint = cast("Constraint", step.layout.constraints[index])
    demand = next(filter(text.startswith, demands), None)
    if demand is None and constraint.options and CONCLUSION.match(text):
        demand = ""  # An earlier step stated the options.
    if demand is None:
        yield f"doesn't begin with one of {demands}"
        return
    rest = text.removeprefix(demand).strip()
    yield from wrong_conclusions(step, constraint, rest)
    if constraint.name == _CIRCLES and has_circle_reasons(rest):
        yield from CircleReasons(step, constraint.cells).complaints(rest)
        return
    has_sight = deduction.code == _RULE_AND_HOUSES or bool(deduction.base) or SIGHT in rest
    has_sight |= constraint.name in (_BY_REGION, _CIRCLES)  # No step states this each time.
    named, wrong = _named_pairs(step, rest)
    yield from wrong
    # "The position of the digit 1" implies that no other cell of the row is 1.
    has_houses = has_sight or deduction.code == _REQUIRED or _POSITION in demand
    has_houses |= constraint.name in _IN_LINES or any(
        one.name in _IN_LINES for one in chain(*constraint.options)
    )
    while differing := re.match(r"The (?:digits|values) in (.*?) differ\.", rest):
        has_houses = True
        (house,) = step.names.houses(differing[1])
        if not any(set(house.cells).issuperset(cells) for cells in _readings(step, index)):
            yield "names a house without all cells of the rule"
        rest = rest.removeprefix(differing[0]).strip()
    board = board_of_rule(
        step.layout, index, with_sight=has_sight, has_houses=has_houses, only=named
    )
    rest = rest.removeprefix(SIGHT).strip()
    rest = re.sub(r"^[^.]* differ \([^.]*\)\. ?", "", rest)
    if deduction.code == _REQUIRED:
        yield from _required(step, rest, board)
        return
    yield from _excluded_by_facts(step, rest, board)


def _excluded_by_facts(step: Step, rest: str, board: Layout) -> Iterator[str]:
    """Yield complaints unless the facts in a text, or the sequences in it, show the step's result.

    `rest` is the text after the rule, and `board` has only this rule.
    """
    if sequences := re.match(r"Its candidates allow only (.*?)\.(?= |$)", rest):
        yield from _wrong_sequences(step, sequences[1])
        return
    rest, wrong = _without_place(step, rest)
    yield from wrong
    domains, complaints = stated_domains(rest, step)
    yield from complaints
    yield from _false_example(step, rest, domains)
    placed = {cell for cell, _ in step.deduction.placements}
    narrowed = dict(_narrowed(rest, step)) | dict(cells_either_way(step, rest))
    for cell, mask in excluded_by(step):
        gone = mask
        if cell in placed and narrowed.get(cell) != step.domains[cell]:
            # Without the cell's candidates, the rule alone must exclude all other values.
            gone = mask | ((1 << step.layout.size) - 1) & ~step.domains[cell]
        if not is_impossible(board, [*domains[:cell], gone, *domains[cell + 1 :]]):
            yield f"the facts don't exclude {gone:b} from {step.layout.cell_name(cell)}"


def _without_place(step: Step, text: str) -> tuple[str, list[str]]:
    """Return a text without the square or the distance of a step's cells, and complaints."""
    cells, complaints = step.deduction.cells, list[str]()
    if match := re.match(r"In the 2×2 square at (r\d+c\d+), ", text):
        first, columns = step.layout.cell_named(match[1]) or 0, step.layout.columns
        if {*cells} != {first, first + 1, first + columns, first + columns + 1}:
            complaints.append("names another square")
    elif match := re.match(r"(r\d+c\d+) and (r\d+c\d+) are (\d+) steps? apart\. ?", text):
        places = [
            divmod(step.layout.cell_named(match[n]) or 0, step.layout.columns) for n in (1, 2)
        ]
        distance = sum(abs(one - other) for one, other in zip(*places, strict=True))
        if {*step.names.cells(match[0])} != {*cells} or distance != int(match[3]):
            complaints.append("names another distance")
    return (text[match.end() :] if match else text), complaints


def _wrong_sequences(step: Step, text: str) -> Iterator[str]:
    """Yield complaints about the sequences of digits that a line is said to allow.

    They must be all that fit the candidates, and show the result of the step.
    """
    index = cast("int", step.deduction.rule)
    symbols, cells = step.names.symbols.values, _cells_of(step)
    stated = {
        tuple(symbols.index(one) + 1 for one in word.split("-"))
        for word in re.split(r", or | or |, ", text)
    }
    every = frozenset(stated)
    board = board_of_rule(step.layout, index, with_sight=True)
    if any(len(word) != len(cells) for word in stated):
        yield "names sequences of another length"
        return
    waiting = [tuple(step.domains)]
    while waiting:
        domains = waiting.pop()
        left = next((cell for cell in cells if domains[cell].bit_count() > 1), None)
        if is_impossible(board, domains):
            continue
        if left is None:
            stated.discard(tuple(domains[cell].bit_length() for cell in cells))
            found = any(domains[cell] & mask for cell, mask in excluded_by(step))
            if found or tuple(domains[cell].bit_length() for cell in cells) not in every:
                yield "another sequence is possible"
            continue
        masks = (bit_of(value) for value in range(1, step.layout.size + 1))
        waiting += [
            (*domains[:left], mask, *domains[left + 1 :]) for mask in masks if domains[left] & mask
        ]
    if stated:
        yield f"{len(stated)} sequences are impossible"


def _named_pairs(step: Step, text: str) -> tuple[frozenset[tuple[int, int]] | None, list[str]]:
    """Return the pairs of cells that differ according to a text, and complaints about them.

    The pairs that differ because of special rules are included. Without a sentence about cells that
    differ, the pairs are None.
    """
    cells, houses = step.names.patterns["cells"], step.names.patterns["house"]
    found = re.findall(rf"({cells}|[Ii]ts cells) differ \(({houses})\)", text)
    if not found:
        return None, []
    pairs: set[tuple[int, int]] = set()
    complaints: list[str] = []
    for named, place in found:
        own = _cells_of(step) if named.endswith("cells") else step.names.cells(named)
        (house,) = step.names.houses(place)
        if not {*own} <= {*house.cells}:
            complaints.append(f"{named} aren't all in {place}")
        pairs |= {(min(pair), max(pair)) for pair in combinations(own, 2)}
    every = combinations(range(step.layout.cells), 2)
    pairs |= {pair for pair in every if reason_to_differ(step.layout, *pair) is not None}
    return frozenset(pairs), complaints


def _false_example(step: Step, text: str, domains: list[int]) -> Iterator[str]:
    """Yield complaints about an example such as "If r1c1 were 5, r1c2 would have to be 5, but …".

    The rule and the facts, which leave the domains, must force the value into the cells.
    """
    if _SEEN not in text:
        return
    cells, value = step.names.patterns["cells"], step.names.patterns["value"]
    form = (
        rf"(?:For example, if|If) ({cells}) were ({value}), ({cells}) would (both )?have to be "
        rf"({value}){_SEEN}"
    )
    match = re.search(form, text)
    if match is None:
        yield "has an unknown example"
        return
    (cell,), (own,) = step.names.cells(match[1]), step.names.values(match[2])
    named, (forced,) = step.names.cells(match[3]), step.names.values(match[5])
    pair = named if match[4] else (cell, *named)
    if len(pair) != 2 or pair[1] not in peers_of_cells(step.layout)[pair[0]]:
        yield "names cells that don't see each other"
    if (cell, own) not in step.deduction.eliminations or not (match[4] or forced == own):
        yield "has an example that removes nothing"
    index = cast("int", step.deduction.rule)
    board = board_of_rule(step.layout, index, with_sight=False)
    assumed = [*domains[:cell], domains[cell] & bit_of(own), *domains[cell + 1 :]]
    for other in named:
        without = assumed[other] & ~bit_of(forced)
        if not is_impossible(board, [*assumed[:other], without, *assumed[other + 1 :]]):
            yield f"{step.layout.cell_name(other)} can have another value in the example"


def _readings(step: Step, index: int) -> Iterator[Sequence[int]]:
    """Yield the cells of a constraint, and those of each constraint in its options."""
    constraint = cast("Constraint", step.layout.constraints[index])
    yield from (one.cells for one in (constraint, *chain(*constraint.options)))


def _narrowed(text: str, step: Step) -> Iterator[tuple[int, int]]:
    """Yield cells that have one possible candidate according to a text, with all candidates (bits).

    The texts are such as "Of 5 and 8 in r1c5, only 5 fits." and "Of the candidates in each of r1c5
    and r2c5, only one fits." The candidates are 5 and 8 in the first text, and those of the step in
    the second one. Cells for which the text names another value than the step places are left out.
    """
    values, cells = step.names.patterns["values"], step.names.patterns["cells"]
    value = step.names.patterns["value"]
    form = (
        rf"[Oo]f (?:({values})|the candidates) in (?:each of )?({cells}), only (one|{value}) fits"
    )
    for match in re.finditer(form, text):
        for cell in step.names.cells(match[2]):
            only = dict(step.deduction.placements).get(cell)
            if match[3] == "one" or only in step.names.values(match[3]):
                named = sum(map(bit_of, step.names.values(match[1]))) if match[1] else 0
                yield cell, named or step.domains[cell]


def _required(step: Step, text: str, board: Layout) -> Iterator[str]:
    """Yield complaints about the value that the rule must contain, and about what sees it.

    `text` are the facts and the conclusion. Sentences can follow that name the houses in which
    cells see others.
    """
    (value,) = {value for _, value in step.deduction.fins}
    symbol = step.names.symbols.values[value - 1]
    domains, complaints = stated_domains(text.partition("So ")[0], step)
    yield from complaints
    always = re.match(
        r"(?:Its (?P<count>\d+) cells always contain|Any (?P<run>\d+) consecutive \w+ include) "
        r"(?P<value>[^ .]+)(?:, which fits only in (?P<places>[^.]*))?\.",
        text,
    )
    end = re.search(r"So (?:one of )?([^.]*) must be ([^.]*)\.", text)
    # The text needs no conclusion if the rule itself is that one of its cells has the value.
    rule = re.match(r"The clue for (.*) requires (\S+) in one of them\.", step.text)
    match = always if always and always["places"] else end or rule
    if match is None:
        yield f"has no conclusion in {text!r}"
        return
    every = None if match is always else re.fullmatch(r"its (\d+) cells", match[1])
    named = match["places"] if match is always else match[1]
    places = _cells_of(step) if every else step.names.cells(named)
    if every and int(every[1]) != len(places):
        yield f"states the wrong number of cells in {match[0]!r}"
    if (match["value"] if match is always else match[2]) != symbol:
        yield f"names the wrong value in {match[0]!r}"
    if {*places} != {cell for cell, _ in step.deduction.fins}:
        yield f"names the wrong places in {match[0]!r}"
    sight = step.names.cells(text[match.end() :])
    if not {*sight} <= {*places, *(cell for cell, _ in step.deduction.eliminations)}:
        yield f"names other cells in {text[match.end() :]!r}"
    if always:
        yield from _wrong_run(step, always)
        own = _cells_of(step)
        if {cell for cell in own if step.can_be(cell, value)} != {*places}:
            yield f"leaves out places in {always[0]!r}"
        places = own
    yield from _wrong_sets(step, text, board, domains)
    without = [
        mask & ~bit_of(value) if cell in places else mask for cell, mask in enumerate(domains)
    ]
    if not is_impossible(board, without):
        yield "the rule needs no such value"
    yield from _unseen(step, [cell for cell, _ in step.deduction.fins])


def _wrong_run(step: Step, always: re.Match[str]) -> Iterator[str]:
    """Yield a complaint if a text is wrong about the values that a rule's cells always contain."""
    count, size = int(always["count"] or always["run"]), step.layout.size
    if count != len(_cells_of(step)):
        yield f"states the wrong number of cells in {always[0]!r}"
    (value,) = step.names.values(always["value"])
    if always["run"] and not size - count < value <= count:
        yield f"{count} consecutive values need not include {always['value']}"


def _wrong_sets(step: Step, text: str, board: Layout, domains: list[int]) -> Iterator[str]:
    """Yield a complaint if a text lists the sets of values for a rule's cells incompletely."""
    match = re.search(r"That leaves only ({.*?})\.", text)
    if match:
        sets = {step.names.values_in_set(one) for one in re.findall(r"{([^}]*)}", match[1])}
        if not _all_in(sets, board, domains, _cells_of(step)):
            yield f"other sets than {match[1]!r} are possible"


def _all_in(
    sets: set[tuple[int, ...]], board: Layout, domains: list[int], cells: Sequence[int]
) -> bool:
    """Return whether cells can only have values that are one of the sets, in any order.

    `sets` are ascending tuples. `domains` are the values of each cell of the board, as bits.
    """
    left = next((cell for cell in cells if domains[cell].bit_count() > 1), None)
    if left is None:
        return tuple(sorted(domains[cell].bit_length() for cell in cells)) in sets
    choices = (
        [*domains[:left], mask, *domains[left + 1 :]]
        for mask in map(bit_of, range(1, board.size + 1))
        if domains[left] & mask
    )
    return all(is_impossible(board, one) or _all_in(sets, board, one, cells) for one in choices)


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
