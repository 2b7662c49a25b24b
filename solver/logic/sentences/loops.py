"""Sentences about continuous nice loops and cycles."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from solver.logic.deduction import Candidate, Deduction, Node
from solver.logic.sentences.chains import (
    chain_text,
    is_set,
    places_of_set,
    starts_true,
    statement,
)
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.wording import Sentence, Wording, joined, paragraph


def _loop(deduction: Deduction, words: Wording) -> str:
    """Return the text of a loop: both directions, and what is true in either.

    A loop proves nothing about its first node. If it is true, one half of the other nodes is true,
    and if it is false, the other half. So of the two ends of each weak link, one is true.
    """
    (chain,) = deduction.chains
    is_true = starts_true(chain)
    first, last = chain[0], chain[-1]
    returns = (last.value, last.cells) == (first.value, first.cells)
    nodes = chain[:-1] if returns and not is_true else chain
    back = [
        statement(_true_in_reverse(chain, number, words), words, is_true=True)
        for number in reversed(range(1, len(chain)))
        if chain[number].link == "weak" and not (number == len(chain) - 1 and returns)
    ]
    either = tuple(dict.fromkeys(_either_way(one, chain, words) for one in deduction.eliminations))
    return paragraph(
        chain_text(nodes, words),
        f"if {statement(first, words, is_true=not is_true)}, "
        f"the same links lead back: {_clauses(back)}",
        f"either way, {_clauses(either)}",
        words.outcome(deduction),
    )


def _clauses(clauses: Sequence[str]) -> str:
    """Join clauses, with semicolons if one of them contains a comma."""
    return joined(clauses, mark=";" if any("," in clause for clause in clauses) else ",")


def _true_in_reverse(chain: Sequence[Node], number: int, words: Wording) -> Node:
    """Return a statement that is true in the reverse direction of a loop.

    It is the statement of node `number`, which has a weak link from the node before. If an almost
    locked set loses a value there, the statement is that the set holds this value.
    """
    node = chain[number]
    return places_of_set(node, node.value, words) if is_set(chain, number) else node


def _either_way(candidate: Candidate, chain: Sequence[Node], words: Wording) -> str:
    """Return the two alternatives that a loop leaves, both of which remove the candidate.

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
            return f"{words.value(value)} is in {words.cells(places, last='or')}"
    return next(
        f"{words.value(value)} is in {words.cells(places, last='or')}"
        for places in _places_in_sets(value, chain, words)
        if peers.issuperset(places)
    )


def _alternatives(chain: Sequence[Node], words: Wording) -> Iterator[tuple[Node, Node]]:
    """Yield pairs of nodes of which at least one is true, whichever direction of the loop is true.

    The two ends of each weak link come first. Then any node that is true in one direction is
    combined with any that is true in the other.
    """
    there: list[Node] = []
    back: list[Node] = []
    for number, (before, node) in enumerate(pairwise(chain)):
        if node.link == "weak":
            one = places_of_set(before, node.value, words) if is_set(chain, number) else before
            other = _true_in_reverse(chain, number + 1, words)
            yield one, other
            there.append(one)
            back.append(other)
    if not starts_true(chain) and chain[-1].link == "strong":
        there.append(chain[-1])
        back.append(chain[0])
    yield from product(there, back)


def _places_in_sets(value: int, chain: Sequence[Node], words: Wording) -> Iterator[list[int]]:
    """Yield the places of a value in each almost locked set that must hold the value.

    The set must hold it because it loses another one. If the set removes all values of the next
    cell except one, the next cell can have the value instead of the set, so it is included.
    """
    for number, node in enumerate(chain):
        places = places_of_set(node, value, words).cells
        if is_set(chain, number) and places:
            (*_, cell) = after = chain[number + 1].cells
            shares = chain[number + 1].link == "strong" and words.can_be(cell, value)
            yield sorted({*places, *(after if shares else ())})


LOOPS: dict[str, Sentence] = dict.fromkeys(("0706", "0709", "2040", "2041", "2042"), _loop)
