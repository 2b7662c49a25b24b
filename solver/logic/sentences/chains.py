"""Sentences about chains, each link with the house or rule that it comes from."""

from collections.abc import Sequence
from dataclasses import replace

from solver.logic.deduction import Deduction, Node
from solver.logic.sentences.links import common_houses, seen_through
from solver.logic.sentences.places import last_place
from solver.logic.sentences.wording import Sentence, Wording, listed, paragraph

_MOST_IN_A_SENTENCE = 10  # Longer chains become numbered lines.


def starts_true(chain: Sequence[Node]) -> bool:
    """Return whether a chain assumes that its first node is true.

    That is so if its first link is weak. Returns False for a chain without a link.
    """
    return len(chain) > 1 and chain[1].link == "weak"


def is_set(chain: Sequence[Node], number: int) -> bool:
    """Return whether a node of a chain is an almost locked set that has lost a value.

    That is so if node `number` has several cells, the link that leads to it is weak, and the next
    node has another value. A weak link makes the node false: the set has lost the node's value. The
    set then contains all its other values, one of which leads to the next node. Returns False for
    the last node, and for groups, whose next node has the same value.
    """
    return (
        number + 1 < len(chain)
        and len(chain[number].cells) > 1
        and chain[number].link == "weak"
        and chain[number + 1].value != chain[number].value
    )


def without_filled(chain: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return a chain whose groups omit the cells to which earlier nodes give another value.

    For example, a group of r1c1 and r1c2 for 4 is shown as r1c2 if r1c1 is 7 before it.
    """
    filled: dict[int, int] = {}
    shown: list[Node] = []
    for number, node in enumerate(chain):
        left = tuple(cell for cell in node.cells if filled.get(cell, node.value) == node.value)
        if len(node.cells) > 1 and left and not is_set(chain, number):
            shown.append(replace(node, cells=left))
        else:
            shown.append(node)
        is_true = node.link == "strong" if number else starts_true(chain)
        if is_true and len(shown[-1].cells) == 1:
            filled.setdefault(shown[-1].cells[0], node.value)
    return tuple(shown)


def chain_text(chain: tuple[Node, ...], words: Wording) -> str:
    """Return a chain with the reason for each link.

    For example, "if r1c1 is not 4, r1c9 is 4 (last place in row 1), so r3c9 is not 4 (column 9) but
    7". A link between the two candidates of one cell needs no reason.
    """
    return f"if {_opening(chain, words)}, {links_text(chain, words)}"


def _opening(chain: tuple[Node, ...], words: Wording) -> str:
    return words.assertion(chain[0], is_true=starts_true(chain))


def links_text(chain: tuple[Node, ...], words: Wording) -> str:
    """Return the links of a chain with their reasons, such as "r1c9 is 4 (last place in row 1)".

    The statement of its first node isn't included.
    """
    shown = without_filled(chain)
    steps: list[str] = []
    number = 1
    while number < len(chain):
        before, node = chain[number - 1], chain[number]
        is_after_set = is_set(chain, number - 1)
        if is_after_set:
            before = node_of_held_value(before, node.value, words)
        after = chain[number + 1] if number + 1 < len(chain) else None
        if is_set(chain, number):
            values = words.values(_values_of_set(node, words), last="and")
            steps.append(
                f"{words.cells(node.cells)} lose {words.value(node.value)} and hold {values}"
            )
        elif is_after_set and node.link == "strong" and len(node.cells) == 1:
            # The set holds all other candidates of the cell.
            steps.append(f"{_asserted(shown[number], before, words)} (last candidate)")
        elif node.link == "weak" and after is not None and after.link == "strong":
            text = _pair(before, node, after, shown[number + 1], words)
            if text:
                steps.append(text)
                number += 1
            else:
                steps.append(_step(before, node, shown[number], words))
        else:
            steps.append(_step(before, node, shown[number], words))
        number += 1
    return ", so ".join(steps)


def _pair(before: Node, node: Node, after: Node, shown: Node, words: Wording) -> str | None:
    """Return two successive links of a chain as one clause, or None if they need two.

    The links lead to `node` (weak) and from it to `after` (strong). They can only be one clause if
    one of them is inside a single cell. `before` is the node before `node`. `shown` is `after`
    without the cells that are already filled.
    """
    if node.cells == after.cells:
        reason = seen_through(words.layout, before.cells, node.cells)
        return (
            f"{words.assertion(node, is_true=False)} ({reason or 'seen'}) "
            f"but {words.value(after.value)}"
        )
    if node.cells == before.cells and len(node.cells) == 1:
        return _step(node, after, shown, words)
    return None


def _step(before: Node, node: Node, shown: Node, words: Wording) -> str:
    """Return one link of a chain as text: the statement of `node`, with its reason in parentheses.

    `before` is the previous node of the chain. `shown` is `node` without the cells that are already
    filled. If both nodes have the same cells, the text has no reason.
    """
    if node.cells == before.cells:
        return _asserted(node, before, words)
    house = link_house(before, node, words) if node.link == "strong" else None
    reason = house and last_place(house, shown.cells)
    reason = reason or seen_through(words.layout, before.cells, node.cells) or "seen"
    return f"{_asserted(shown, before, words)} ({reason})"


def _asserted(node: Node, before: Node, words: Wording) -> str:
    """Return the statement of `node`, with "it" for a cell that is also the cell of `before`."""
    is_true = node.link == "strong"
    if len(node.cells) == 1 and node.cells == before.cells:
        return f"it is {'' if is_true else 'not '}{words.value(node.value)}"
    return words.assertion(node, is_true=is_true)


def link_house(one: Node, other: Node, words: Wording) -> str | None:
    """Return the name of the house of a strong link between two nodes, or None if there is none.

    The house contains every value, and all of its places for the value of `one` are in the two
    nodes.
    """
    places = {*one.cells, *other.cells}
    for house in common_houses(words.layout, places):
        cells = words.layout.houses[house].cells
        if len(cells) == words.layout.size and all(
            cell in places for cell in cells if words.can_be(cell, one.value)
        ):
            return words.house(house)
    return None


def node_of_held_value(node: Node, value: int, words: Wording) -> Node:
    """Return the node that states that an almost locked set holds `value`.

    Its cells are those of the set that can have the value. `node` is the set's node in the chain,
    which states that the set has lost some value (see `is_set`).
    """
    cells = tuple(cell for cell in node.cells if words.can_be(cell, value))
    return Node(value, cells, "strong")


def _values_of_set(node: Node, words: Wording) -> list[int]:
    """Return the values that an almost locked set holds after it has lost the node's value."""
    return [
        value
        for value in range(1, words.layout.size + 1)
        if value != node.value and any(words.can_be(cell, value) for cell in node.cells)
    ]


def _chain(deduction: Deduction, words: Wording) -> str:
    (chain,) = deduction.chains
    return _in_lines(_in_sentences(deduction, words), _opening(chain, words))


def _in_lines(text: str, opening: str) -> str:
    """Return the text of a chain with each link in a numbered line if there are many.

    With fewer links, the text is returned unchanged. `opening` is the statement that it begins
    with, after "If".
    """
    links, _, rest = text.removeprefix(f"If {opening}, ").partition(". ")
    *steps, end = links.split(", so ")
    if len(steps) < _MOST_IN_A_SENTENCE:
        return text
    lines = [f"{number}. {paragraph(step)}" for number, step in enumerate(steps, 1)]
    return "\n".join((f"Suppose {opening}.", *lines, f"{paragraph(end)} {rest}"))


def _in_sentences(deduction: Deduction, words: Wording) -> str:
    (chain,) = deduction.chains
    text, (first, *_, last) = chain_text(chain, words), without_filled(chain)
    if starts_true(chain):
        if (last.value, last.cells) == (first.value, first.cells):
            # In the same cell, another value is contradiction enough.
            text = chain_text(chain[:-1], words) if last.cells == chain[-2].cells else text
        return paragraph(f"{text}, a contradiction", words.outcome(deduction))
    # A chain that starts with a false node proves that its last node is true after a strong link,
    # and false after a weak one.
    if (last.value, last.cells) == (first.value, first.cells):
        proven = [] if deduction.placements else [f"so {words.assertion(first, is_true=True)}"]
        return paragraph(f"{text}, a contradiction", *proven, words.outcome(deduction))
    true, value = words.assertion(first, is_true=True), words.value(last.value)
    if last.link == "weak":
        end = f"if {true}, {_asserted(last, first, words)} either"
    elif last.value != first.value or last.cells == first.cells:
        if last.cells == first.cells:
            ends = [true, value]
            end = f"so {listed(ends, last='or')}"
        else:
            end = _either_end(first, last, deduction, words)
    else:
        cells = dict.fromkeys((*first.cells, *last.cells))
        end = f"so {words.cells(cells, last='or')} is {value}"
        return paragraph(text, end, words.outcome_in_sight(deduction, len(cells)))
    return paragraph(text, end, words.outcome(deduction))


def _either_end(first: Node, last: Node, deduction: Deduction, words: Wording) -> str:
    """Return the sentences that one end of a chain is true, and what is false in both cases.

    The ends `first` and `last` are different cells with different values, such as "r1c1 is 5 or
    r1c9 is 4". Each removed candidate is in the cell of one end, and the other end sees it.
    """
    ends = [words.assertion(node, is_true=True) for node in (first, last)]
    gone = [
        words.assertion(Node(value, (cell,)), is_true=False)
        for cell, value in deduction.eliminations
    ]
    reason = seen_through(words.layout, first.cells, last.cells)
    return f"so {listed(ends, last='or')}. In both cases, {listed(gone)} ({reason or 'seen'})"


CHAINS: dict[str, Sentence] = dict.fromkeys(
    ("0403", "0701", "0702", "0707", "0708", "0710", "0711", "2043", "2044"), _chain
)
