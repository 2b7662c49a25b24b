"""Claims about chains, loops, and nets.

A chain is checked link by link. Each statement must follow from the one before and from the house
that the link names. A numbered line must follow from the lines that it names.
"""

import re
from collections.abc import Iterator

from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.names import LOCATED, numbers_in
from sentence_checker.net_patterns import wrong_pattern
from sentence_checker.pattern_claims import Cells, Values, places
from sentence_checker.statements import (
    Statement,
    follows,
    is_impossible,
    removed_by,
    statements_in,
    wrong_houses,
)
from sentence_checker.sub_puzzle import Fact, peers_of
from solver.board.primitive_constraints import House

_LINK = re.compile(r"(?P<said>[^()]*?)(?: \((?P<reason>[^()]*)\))?(?: but (?P<other>\S+))?")
_RANGE = r"\d+(?:–\d+)?"
_LINES = rf"lines? {_RANGE}(?:,? and {_RANGE}|, {_RANGE})*"
_AFTER = rf"(?P<after>(?:the assumption|this case)(?: and {_LINES})?|{_LINES})"
_CLAUSES = re.compile(r"[,;] (?:and )?(?=\S+ is )")
_SET = re.compile(r"(?P<cells>.*) loses? (?P<lost>\S+) and holds? (?P<held>.*)")


@claim(r"{cell} is {values}\.")
def is_one_of(context: Context, *, cell: int, values: Values) -> Iterator[str]:
    if context.step.domains[cell] != sum(1 << (value - 1) for value in values):
        yield "the cell has other candidates"
    context.alternatives = [Statement((cell,), value, is_true=True) for value in values]


@claim(r"Either {cell} is {value} or it is not\.")
def is_or_not(context: Context, *, cell: int, value: int) -> Iterator[str]:
    true = Statement((cell,), value, is_true=True)
    context.alternatives = [true, true.opposite]
    yield from ()


@claim(LOCATED + r" {house}, {value} is in {cells}\.")
def is_in_one_of(context: Context, *, house: House, value: int, cells: Cells) -> Iterator[str]:
    if places(context, house, value) != set(cells) or len(house.cells) != context.step.layout.size:
        yield "the house has other places"
    context.alternatives = [Statement((cell,), value, is_true=True) for cell in cells]


@claim(r"(?P<opening>Suppose) {statement}\.", r"(?P<opening>If) {statement}:")
def assume(context: Context, *, opening: str, statement: str) -> Iterator[str]:
    (context.assumed,) = statements_in(statement, context.step.names)
    name = "the assumption" if opening == "Suppose" else "this case"
    context.lines = {name: [context.assumed]}
    context.ends[context.assumed] = []
    yield from ()


@claim(rf"{{number}}\. {{said:text}} \((?:{{reason:text}}; )?{_AFTER}\)\.")
def is_line(
    context: Context, *, number: int, said: str, after: str, reason: str = ""
) -> Iterator[str]:
    said, _, pattern = said.partition(": ")
    statements = statements_in(said, context.step.names)
    before = named_lines(context, after)
    if not statements or not before or (reason and pattern):
        yield "the line makes no statement"
    for statement in statements:
        if not follows(context.step, statement, before, reason=reason or pattern):
            yield "this does not follow from the reason"
        if reason:
            yield from wrong_houses(context.step, statement, before, reason)
        if pattern:
            yield from wrong_pattern(context.step, pattern, statement, before)
    if number != context.last_line + 1:
        yield "the numbers of lines have a gap"
    context.last_line = number
    context.lines[str(number)] = statements
    if context.assumed is not None:
        context.ends[context.assumed] = statements


def named_lines(context: Context, after: str) -> list[Statement]:
    """Return the statements that "the assumption and lines 3 and 5" names.

    Returns [] if it names a line that hasn't been checked before, or if the numbers don't ascend.
    """
    names = [*re.findall(r"the assumption|this case", after), *numbers_in(after)]
    numbers = [int(name) for name in names if name.isdigit()]
    if numbers != sorted(set(numbers)) or not all(name in context.lines for name in names):
        return []
    return [one for name in names for one in context.lines[name]]


@claim(
    r"(?P<one>Lines \d+|The assumption) and (?:line )?(?P<other>\d+) contradict each other"
    r"(?: \({reason:text}\))?\.",
    r"Line (?P<one>\d+) contradicts (?P<other>the assumption)\.",
)
def contradict(context: Context, *, one: str, other: str, reason: str = "") -> Iterator[str]:
    one = one.lower().removeprefix("lines ")
    statements = [*context.lines.get(one, ()), *context.lines.get(other, ())]
    if not is_impossible(context.step, statements, reason=reason):
        yield "there is no contradiction"
    for house in context.step.names.houses(reason):
        if not all(set(house.cells).issuperset(statement.cells) for statement in statements):
            yield f"the cells are not in {house.name}"


@claim(rf"{{cell}} cannot be both {{value}} and {{other:value}} \({_AFTER}\)\.")
def has_two_values(
    context: Context, *, cell: int, value: int, other: int, after: str
) -> Iterator[str]:
    both = {Statement((cell,), one, is_true=True) for one in (value, other)}
    if len(both) != 2 or set(named_lines(context, after)) != both:
        yield "these are not the named statements"


@claim(rf"{{cells}} cannot both be {{value}} \({{reason:text}}; {_AFTER}\)\.")
def see_each_other(
    context: Context, *, cells: Cells, value: int, reason: str, after: str
) -> Iterator[str]:
    both = {Statement((cell,), value, is_true=True) for cell in cells}
    if len(both) != 2 or set(named_lines(context, after)) != both:
        yield "these are not the named statements"
    if not is_impossible(context.step, both, reason=reason):
        yield "there is no contradiction"
    for house in context.step.names.houses(reason):
        if not set(house.cells).issuperset(cells):
            yield f"the cells are not in {house.name}"


@claim(
    rf"{{cell}} has no candidate left \({_AFTER}\)\.",
    rf"There is no place left for {{value}} {LOCATED.lower()} {{house}} \({_AFTER}\)\.",
)
def nothing_is_left(
    context: Context,
    *,
    after: str,
    cell: int | None = None,
    value: int | None = None,
    house: House | None = None,
) -> Iterator[str]:
    candidates = {
        (one, number)
        for one in (house.cells if cell is None and house is not None else [cell or 0])
        for number in range(1, context.step.layout.size + 1)
        if context.step.can_be(one, number) and value in (None, number)
    }
    if not candidates <= removed_by(context.step, named_lines(context, after)):
        yield "a candidate is left"


@claim(r"In every case, {statement}\.")
def is_true_in_every_case(context: Context, *, statement: str) -> Iterator[str]:
    (conclusion,) = statements_in(statement, context.step.names)
    for alternative in context.alternatives:
        if alternative != conclusion and conclusion not in context.ends.get(alternative, ()):
            yield "a case does not lead to this"
    if not context.alternatives:
        yield "there are no cases"


@claim(r"If {statement}, nothing remains to be shown\.")
def is_conclusion(context: Context, *, statement: str) -> Iterator[str]:
    (assumed,) = statements_in(statement, context.step.names)
    context.ends[assumed] = [assumed]
    yield from ()


@claim(r"If {opening:statement}, the loop runs the other way: {links:text}\.")
def runs_the_other_way(context: Context, *, opening: str, links: str) -> Iterator[str]:
    (assumed,) = statements_in(opening, context.step.names)
    if not context.chain or context.chain[0][0] != assumed.opposite:
        yield "this is not the other direction"
    if not {*context.cells}.issuperset(context.step.names.cells(links)):
        yield "this is another loop"
    yield from is_chain(context, opening=opening, links=links)


@claim(
    r"(?:If|The links form a closed loop: if) {opening:statement}, "
    r"(?!.* (?:must be|either)\b|.*\} loses?\b){links:text}\.",
    r"If (?P<opening>{cell} is {values}), (?!.* (?:must be|either)\b|.*\} loses?\b){links:text}\.",
)
def is_chain(
    context: Context, *, opening: str, links: str, cell: int = 0, values: Values = ()
) -> Iterator[str]:
    assumed = [Statement((cell,), value, is_true=True) for value in values]
    assumed = assumed or statements_in(opening, context.step.names)
    each = [
        Statement((cell,), one.value, is_true=True)
        for one in assumed
        if one.is_true and len(one.cells) > 1
        for cell in one.cells
    ]
    # Several cases, such as "2 is in r1c1 or r1c4", or a single statement.
    is_group = bool(each) and {*context.alternatives}.issuperset(each)
    for one in each if is_group else assumed:
        yield from links_follow(context, one, links)


def links_follow(context: Context, assumed: Statement, links: str) -> Iterator[str]:
    """Complain unless each link follows from the one before, the first one from an assumption.

    If the text ends with "a contradiction", there must be one. Stores the links in `context.chain`,
    and the last statements in `context.ends[assumed]`.
    """
    step = context.step
    before, known = [assumed], [assumed]
    context.chain = []
    for link in re.split(r", so |, (?=a contradiction)", links):
        if link == "a contradiction":
            if not is_impossible(step, [assumed, *before]):
                yield "there is no contradiction"
            continue
        parts = _LINK.fullmatch(link)
        if parts is None:
            yield f"{link!r} is not a link"
            return
        held = _SET.fullmatch(parts["said"])
        reason = parts["reason"] or (held["cells"] if held else "")
        statements = read_link(context, parts, before[-1].cells)
        for statement in statements[:1] if parts["other"] else statements:
            filled = filled_cells(known, statement.value)
            if not follows(step, statement, [*before, *filled], reason=reason):
                yield f"{link!r} does not follow"
            yield from wrong_houses(step, statement, before, reason)
        if not statements:
            yield f"{link!r} states nothing"
            return
        if parts["other"] and not follows(step, statements[1], statements[:1]):
            yield f"{link!r} does not follow"
        context.chain.append((before[-1], statements[0]))
        before = statements[1:] if parts["other"] else statements
        known += before
    context.ends[assumed] = before


def filled_cells(known: list[Statement], value: int) -> list[Statement]:
    """Return those of the `known` statements that fill a cell with another value than `value`."""
    return [one for one in known if one.is_true and len(one.cells) == 1 and one.value != value]


def read_link(context: Context, parts: re.Match[str], subject: tuple[int, ...]) -> list[Statement]:
    """Return what a link states, such as "r1c2 is not 3 (row 1) but 4".

    `subject` are the cells that "it" stands for. For a set that loses a value and holds others, the
    statements are the places of each value that it holds. Returns [] for an unknown form.
    """
    names = context.step.names
    held = _SET.fullmatch(parts["said"])
    if held is not None:
        cells = names.cells(held["cells"])
        values = names.values(held["held"])
        return [
            Statement(tuple(c for c in cells if context.step.can_be(c, value)), value, is_true=True)
            for value in values
        ]
    statements = statements_in(parts["said"], names, subject)
    if parts["other"] and len(statements) == 1:
        value = names.values(parts["other"])[0]
        statements.append(Statement(statements[0].cells, value, is_true=True))
    return statements


@claim(r"Either way, {either:text}\.")
def is_either_way(context: Context, *, either: str) -> Iterator[str]:
    peers = peers_of(context.step.layout)
    removed = set[tuple[int, int]]()
    for text in _CLAUSES.split(either):
        facts = [fact for one in alternatives_in(text, context) for fact in one.facts]
        if not facts or not context.implies(facts):
            yield f"{text!r} is not implied"
        if len({fact.value for fact in facts}) == 1:
            seen = frozenset.intersection(*(peers[fact.cell] for fact in facts))
            removed.update((cell, facts[0].value) for cell in seen)
        else:
            values = {fact.value for fact in facts}
            others = set(range(1, context.step.layout.size + 1)) - values
            removed.update((fact.cell, value) for fact in facts for value in others)
    if not removed.issuperset(context.eliminations):
        yield "the alternatives don't remove all candidates"


def alternatives_in(text: str, context: Context) -> list[Statement]:
    """Read alternatives such as "4 is in r1c1 or r1c5" or "r1c1 is 4 or 5".

    The first form gives one statement about all cells, the second one a statement per value.
    """
    names = context.step.names
    match = re.fullmatch(rf"({names.patterns['cell']}) is ({names.patterns['values']})", text)
    if match is None:
        return statements_in(text, names)
    (cell,) = names.cells(match[1])
    return [Statement((cell,), value, is_true=True) for value in names.values(match[2])]


@claim(r"So {statement} or {other:statement}\.", r"So {cell} is {values}\.")
def is_one_or_other(
    context: Context,
    *,
    statement: str = "",
    other: str = "",
    cell: int = 0,
    values: Values = (),
) -> Iterator[str]:
    facts = [Fact(cell, value) for value in values]
    for text in filter(None, (statement, other)):
        facts += [fact for one in statements_in(text, context.step.names) for fact in one.facts]
    if not context.implies(facts):
        yield "both can be false"


@claim(r"In both cases, {gone:text} \({reason:text}\)\.")
def are_false_in_both_cases(context: Context, *, gone: str, reason: str) -> Iterator[str]:
    statements = statements_in(gone, context.step.names)
    facts = {fact for one in statements for fact in one.facts}
    if facts != {Fact(cell, value, is_true=False) for cell, value in context.eliminations}:
        yield "these are not the eliminated candidates"
    for fact in facts:
        if not context.implies([fact]):
            yield "this is not implied"
    for house in context.step.names.houses(reason):
        if not set(house.cells).issuperset(context.cells):
            yield f"the ends are not in {house.name}"


@claim(r"If {statement}, it is not {value} either\.")
def is_not_either(context: Context, *, statement: str, value: int) -> Iterator[str]:
    (one,) = statements_in(statement, context.step.names)
    for cell in one.cells:
        if not context.implies([Fact(cell, value, is_true=False)], given=one.facts[:1]):
            yield "this is not implied"


@claim(r"Any cell that sees both {cells} cannot be {value}\.")
def sees_pair(context: Context, *, cells: Cells, value: int) -> Iterator[str]:
    yield from remove_from_seers(context, cells, value)


def remove_from_seers(context: Context, cells: Cells, value: int) -> Iterator[str]:
    """Complain unless one of the cells must have the value, which excludes all eliminations.

    Each elimination must be of this value, and its cell must see all of the cells. Stores the cells
    in `context.seen`.
    """
    peers = peers_of(context.step.layout)
    context.seen = cells
    if not context.implies([Fact(cell, value) for cell in cells]):
        yield "all of these cells can have other values"
    for cell, removed in context.eliminations:
        if removed != value or not peers[cell].issuperset(cells):
            yield f"{context.step.layout.cell_name(cell)} does not see them"
