"""Sentences about rules of which at least one must hold."""

import re
from collections.abc import Callable, Collection, Iterable
from itertools import chain

from solver.logic.sentences.wording import Wording, listed
from solver.rules.rule import Constraint, Rule, Value

_MOST_OPTIONS = 9
_MOST_RULES = 3  # in each option, and explained after the options
# The name of a constraint: its kind, a preposition except for lines, and a place.
_KIND = re.compile(r"(the [^“]+?) (?:(at|between|for) (.+)|(r\d+c\d+–r\d+c\d+))")
# The name of a clue or a rule for a line: "the X-sum clue", "at the left of row 1".
_OF_LINE = re.compile(r"(.+?) (for .+|at the .+)")
_REPEATED = "between"  # before each of several places

Options = tuple[tuple[Constraint, ...], ...]
Name = Callable[[Constraint, Wording], str]


def alternatives(constraint: Constraint, words: Wording, name: Name) -> str:
    """Return a sentence about the options of a disjunction, or "" if they are too many.

    For example, "the clue for r1c1 and r1c2 requires 1 in one of them", or "the numbered room clue
    or the X-sum clue for row 1 is 5". `name` returns the name of a constraint.
    """
    value, options = required_value(constraint), constraint.options
    place = name_of_alternatives(constraint, words, name)
    if value is not None:
        return f"{place} requires {numbers_in_words([value], words)} in one of them"
    if place:
        return f"{place} is {options[0][0].number}"
    return _of_one_number(options, words, name) or _holding(options, words, name)


def name_of_alternatives(constraint: Constraint, words: Wording, name: Name) -> str:
    """Return a name of a disjunction that is about one number, or "" for others.

    For example, "the clue for r1c1 and r1c2", or "the numbered room clue or the X-sum clue for
    row 1".
    """
    if required_value(constraint) is not None:
        return f"the clue for {words.cells(sorted(constraint.cells))}"
    ones = [option[0] for option in constraint.options if len(option) == 1]
    if not ones or len(ones) < len(constraint.options) or 0 in (one.number for one in ones):
        return ""
    places = [_OF_LINE.fullmatch(name(one, words)) for one in ones]
    numbers = {(place and place[2], one.number) for place, one in zip(places, ones, strict=True)}
    if len(numbers) > 1 or places[0] is None:
        return ""
    kinds = [place[1] for place in places if place is not None]
    return f"{listed(kinds, last='or')} {places[0][2]}"


def _of_one_number(options: Options, words: Wording, name: Name) -> str:
    """Return the clause that some clues are the same number, or "" if that isn't the rule.

    It is the rule if the options of a disjunction differ only in that number. `name` returns the
    name of a constraint.
    """
    forms = {tuple((each.rule, each.cells) for each in option) for option in options}
    numbers = [{each.number for each in option} for option in options]
    if len(forms) != 1 or any(len(own) != 1 or 0 in own for own in numbers) or len(options[0]) < 2:
        return ""
    clues = listed([name(each, words) for each in options[0]])
    return f"{clues} are the same number: {numbers_in_words([*chain(*numbers)], words, last='or')}"


def grouped(names: Iterable[str]) -> list[str]:
    """Return names of constraints, with one text for all those of the same kind.

    For example, "the groups at r4c1 and r3c2" or "the arrows r1c1–r1c3 and r2c1–r2c3". If several
    have the same place, only the plural shows it: "the cages at r1c1".
    """
    by_kind: dict[tuple[str, str], list[str]] = {}
    for name in names:
        match = _KIND.fullmatch(name)
        if match is None:
            key, where = (name, ""), ""
        else:
            key, where = (match[1], match[2] or ""), match[3] or match[4]
        by_kind.setdefault(key, []).append(where)
    texts: list[str] = []
    for (noun, preposition), places in by_kind.items():
        first, *others = dict.fromkeys(places)
        repeated = f"{preposition} " if preposition == _REPEATED else ""
        listing = listed([first, *(f"{repeated}{place}" for place in others)])
        plural = _plural(noun) if len(places) > 1 else noun
        texts.append(" ".join(filter(None, (plural, preposition, listing))))
    return texts


def _plural(noun: str) -> str:
    """Return the plural of a kind of constraint, or of the title of a rule."""
    if "“" in noun:
        return noun.replace("the rule “", "the rules “", 1)
    return f"{noun}s"


def _holding(options: Options, words: Wording, name: Name) -> str:
    """Return the clause that at least one option holds, or "" if they are too many or too long.

    `name` returns the name of a constraint.
    """
    if len(options) > _MOST_OPTIONS or max(map(len, options)) > _MOST_RULES:
        return ""
    named = [" and ".join(condition(one, words, name) for one in option) for option in options]
    clauses = [one.partition(" is ") for one in named if max(map(len, options)) == 1]
    if len({subject for subject, _, _ in clauses}) == 1 and all(value for _, _, value in clauses):
        # The clue of one place, with several values.
        return f"{clauses[0][0]} is {listed([value for _, _, value in clauses], last='or')}"
    kinds = grouped(dict.fromkeys(named))
    is_plain = all(_KIND.fullmatch(one) and " is " not in one for one in named)
    if len(kinds) == 1 < len(named) and is_plain:
        return f"at least one of {kinds[0]} holds"
    either = ", or ".join(named)
    are_clauses = all(" is " in one or " are " in one for one in named)
    if len(named) == 2 and are_clauses:
        return f"{either}, or both"
    return f"at least one of these holds: {either}"


def condition(constraint: Constraint, words: Wording, name: Name) -> str:
    """Return a constraint in a disjunction as a phrase, such as "r1c4 is 1" or "the X between …".

    `name` returns the name of a constraint.
    """
    value = constraint.value
    if constraint.name == "oneof" and isinstance(value, tuple):
        cells = constraint.cells
        verb = "is" if len(cells) == 1 else "are"
        return f"{words.cells(cells)} {verb} {numbers_in_words(value, words, last='or')}"
    place = name(constraint, words)
    return f"{place} is {value}" if " clue " in place and isinstance(value, int) else place


def explanations(constraint: Constraint, words: Wording) -> list[str]:
    """Return a text for each rule in the options of a disjunction, such as "X: the two digits …".

    Given values need no text. The list is empty if there are too many rules to explain.
    """
    values: dict[Rule, list[Value]] = {}
    for each in chain(*constraint.options):
        if each.name != "oneof":
            values.setdefault(each.rule, []).append(each.value)
    if len(values) > _MOST_RULES:
        return []
    return [
        f"{rule.title}: {sentence[:1].lower()}{sentence[1:]}"
        for rule, own in values.items()
        for sentence in [
            rule.wording.on_board(
                words.layout.numbers, words.symbols.values, own if rule.value else ()
            ).removesuffix(".")
        ]
    ]


def required_value(constraint: Constraint) -> int | None:
    """Return the number that a disjunction requires in one of its cells: "one of these is 5".

    Returns None for any other disjunction.
    """
    ones = [option[0] for option in constraint.options if len(option) == 1]
    is_plain = all(one.name == "oneof" and len(one.cells) == 1 for one in ones)
    numbers = {number for one in ones for number in one.values}
    if len(ones) < len(constraint.options) or not is_plain or len(numbers) != 1:
        return None
    return numbers.pop()


def numbers_in_words(numbers: Collection[int], words: Wording, *, last: str = "and") -> str:
    """Return the symbols of some numbers of the board as a list in words.

    Ranges stand for three or more consecutive ones. If the board lacks one of these numbers, all
    are written as they are, without ranges. `last` is the word before the last symbol.
    """
    own = [number - words.layout.lowest + 1 for number in numbers]
    is_on_board = all(0 < value <= words.layout.size for value in own)
    return words.ranges(own, last=last) if is_on_board else listed(map(str, numbers), last=last)
