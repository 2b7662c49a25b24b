"""Sentences about continuous nice loops and cycles."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

from solver.logic.deduction import Candidate, Deduction, Node
from solver.logic.sentences.chains import (
    chain_text,
    is_set,
    links_text,
    node_of_held_value,
    starts_true,
)
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.wording import Sentence, Wording, joined, paragraph


def _loop(deduction: Deduction, words: Wording) -> str:
    """Return the text of a loop: its directions, and the alternatives that it leaves.

    A loop proves nothing about its first node. If it is true, one half of the other nodes is true,
    and if it is false, the other half. So of the two ends of each weak link, one is true.
    """
    (chain,) = deduction.chains
    nodes = chain[:-1] if _returns(chain) and not starts_true(chain) else chain
    opposite = words.assertion(chain[0], is_true=not starts_true(chain))
    either = tuple(dict.fromkeys(_either_way(one, chain, words) for one in deduction.eliminations))
    return paragraph(
        f"the links form a closed loop: {chain_text(nodes, words)}",
        f"if {opposite}, the loop runs the other way: {links_text(_reversed(chain), words)}",
        f"either way, {joined(either)}",
        words.outcome(deduction),
    )


def _returns(chain: Sequence[Node]) -> bool:
    """Return whether the last node of a loop's chain is the first one again."""
    return (chain[-1].value, chain[-1].cells) == (chain[0].value, chain[0].cells)


def _reversed(chain: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return the chain that runs around a loop in the other direction.

    It starts with the same node, whose negation it assumes.
    """
    nodes = [chain[0]]
    link = "strong" if starts_true(chain) else "weak"  # between the last node and the first
    for number in reversed(range(1, len(chain) - _returns(chain))):
        node = chain[number]
        if is_set(chain, number):
            nodes = _with_set(nodes, node, chain[number + 1].value, link)
        else:
            nodes.append(replace(node, link=link))
        link = node.link
    if is_set(chain, 1):
        return (*nodes, replace(chain[0], link=link))
    # A false node at the end can be left out, unless the node before it is a set. Then it stays,
    # because a set must not come last.
    ends_in_set = is_set(nodes, len(nodes) - 2)
    return tuple(nodes if nodes[-1].link == "strong" or ends_in_set else nodes[:-1])


def _with_set(nodes: list[Node], node: Node, lost: int, link: str) -> list[Node]:
    """Return the nodes of a loop with an almost locked set added at their end.

    `nodes` are in reverse order already. `node` is the set's node in the original direction, in
    which the set holds a value. `link` is the link between the set and the last of `nodes`. If it
    is weak, a node is added in which the set loses the value `lost`. Otherwise, the set forms a
    larger set with the cells of the last node, which replaces that node unless it is the only one.
    If the node before has the same cells, the set alone replaces the last node.
    """
    *most, last = nodes
    if link == "weak":
        return [*nodes, replace(node, value=lost)]
    # In the other direction, the set leaves a single value for the cell of the last node. Without
    # this value, the cell and the set form a larger set.
    if most and most[-1].cells == last.cells:
        return [*most, replace(node, value=most[-1].value)]
    cells = tuple(sorted({*node.cells, *last.cells}))
    return [*(most or nodes), Node(last.value, cells, "weak")]


def _true_in_reverse(chain: Sequence[Node], number: int, words: Wording) -> Node:
    """Return a statement that is true in the reverse direction of a loop.

    It is the statement of node `number`, which has a weak link from the node before. If an almost
    locked set loses a value there, the statement is that the set holds this value.
    """
    node = chain[number]
    return node_of_held_value(node, node.value, words) if is_set(chain, number) else node


def _either_way(candidate: Candidate, chain: Sequence[Node], words: Wording) -> str:
    """Return a clause on a loop that shows why the candidate is false in both of its directions.

    For example, "r1c1 is 4 or 5" or "5 is in r1c1 or r4c1".
    """
    cell, value = candidate
    peers = peers_of_cells(words.layout)[cell]
    for one, other in _alternatives(chain, words):
        if one.cells == other.cells == (cell,):
            values = sorted((one.value, other.value))
            return f"{words.cells((cell,))} is {words.values(values, last='or')}"
        places = sorted({*one.cells, *other.cells})
        if one.value == other.value == value and peers.issuperset(places):
            return f"{words.value(value)} is in {words.places(places)}"
    return next(
        f"{words.value(value)} is in {words.places(places)}"
        for places in _places_in_sets(value, chain, words)
        if peers.issuperset(places)
    )


def _alternatives(chain: Sequence[Node], words: Wording) -> Iterator[tuple[Node, Node]]:
    """Yield pairs of nodes of a loop, at least one of which is true in each of its directions.

    The two ends of each weak link come first. Then any node that is true in one direction is
    combined with any that is true in the other.
    """
    there: list[Node] = []
    back: list[Node] = []
    for number, (before, node) in enumerate(pairwise(chain)):
        if node.link == "weak":
            one = node_of_held_value(before, node.value, words) if is_set(chain, number) else before
            other = _true_in_reverse(chain, number + 1, words)
            yield one, other
            there.append(one)
            back.append(other)
    if not starts_true(chain) and chain[-1].link == "strong":
        there.append(chain[-1])
        back.append(chain[0])
    yield from product(there, back)


def _places_in_sets(value: int, chain: Sequence[Node], words: Wording) -> Iterator[list[int]]:
    """Yield the places of a value in each almost locked set of a loop that must hold the value.

    The set must hold it because it has lost another one. If the link to the next cell is strong,
    and that cell has the value as a candidate, it is included, because it may have the value
    instead of the set. Only the cell in which the loop begins isn't, because it has another value.
    """
    for number, node in enumerate(chain):
        places = node_of_held_value(node, value, words).cells
        if is_set(chain, number) and places:
            (*_, cell) = after = chain[number + 1].cells
            shares = chain[number + 1].link == "strong" and words.can_be(cell, value)
            shares = shares and after != chain[0].cells
            yield sorted({*places, *(after if shares else ())})


LOOPS: dict[str, Sentence] = dict.fromkeys(("0706", "0709", "2040", "2041", "2042"), _loop)
