"""Sentences about dynamic chains and forcing nets, whose links rest on several others each.

An assumption and what follows from it are a net; side chains lead into what a chain needs besides.
As a list of chains nobody could read it: it is said in turn, each thing after those that it
follows from. What is true is said, and what is false only where it does not show from something
true that sees it: where patterns or nested chains removed it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from solver.logic.deduction import Deduction, Node
from solver.logic.sentences.wording import Wording, listed


class _Fact(NamedTuple):
    """These cells (one of them) have the value, or none has."""

    value: int
    cells: tuple[int, ...]
    is_true: bool


@dataclass(slots=True)
class _Net:
    """What follows from an assumption: each fact, and those that it follows from."""

    assumed: _Fact
    ends: list[_Fact] = field(default_factory=list)
    reasons: dict[_Fact, list[_Fact]] = field(default_factory=dict)

    def add(self, chain: tuple[Node, ...]) -> None:
        """Take in a chain from the assumption, or a side chain from what followed before."""
        fact = _fact(chain[0]) if chain[0].link else self.assumed
        for node in chain[1:]:
            reason, fact = fact, _fact(node)
            self.reasons.setdefault(fact, []).append(reason)
        if not chain[0].link:
            self.ends.append(fact)

    def shows(self, fact: _Fact) -> bool:
        """Return whether a fact need not be said: it is false, and what sees it has been said."""
        return not fact.is_true and any(one.is_true for one in self.reasons[fact])

    def in_turn(self) -> Iterator[_Fact]:
        """Yield the facts that lead to the ends, each after its reasons."""
        done = {self.assumed}
        waiting = self.ends[::-1]
        opened: set[_Fact] = (
            set()
        )  # no reasons of what rests on them, as a chain that crosses itself
        while waiting:
            fact = waiting[-1]
            before = [one for one in self.reasons.get(fact, ()) if one not in done | opened]
            if fact in done or fact not in self.reasons:
                waiting.pop()
            elif before:
                opened.add(fact)
                waiting += reversed(before)
            else:
                waiting.pop()
                done.add(fact)
                yield fact


def contradiction(deduction: Deduction, words: Wording) -> str:
    """Return how an assumption makes something both true and false."""
    net = _Net(_assumed(deduction.chains[0], is_true=not deduction.placements))
    for chain in deduction.chains:
        net.add(chain)
    return (
        f"{_said(net, words)}, which {words.impossible(deduction)}, so {words.outcome(deduction)}"
    )


def verity(deduction: Deduction, words: Wording) -> str:
    """Return how the same follows whichever of several is true."""
    nets: list[_Net] = []
    for chain in deduction.chains:
        if not chain[0].link:
            assumed = _assumed(chain, is_true=True)
            if any(net.assumed == assumed for net in nets):  # then it is false here
                assumed = _assumed(chain, is_true=False)
            nets.append(_Net(assumed))
        nets[-1].add(chain)
    ways = "; ".join(_said(net, words) for net in nets)
    return f"{ways}: one of them must hold, so {words.outcome(deduction)}"


def _assumed(chain: tuple[Node, ...], *, is_true: bool) -> _Fact:
    """Return what a chain begins with."""
    return _Fact(chain[0].value, chain[0].cells, is_true)


def _fact(node: Node) -> _Fact:
    """Return what a node says that is not the assumption."""
    return _Fact(node.value, node.cells, is_true=node.link == "strong")


def _said(net: _Net, words: Wording) -> str:
    """Return what follows from an assumption, in turn."""
    facts = [fact for fact in net.in_turn() if fact in net.ends or not net.shows(fact)]
    assumed, *told = (
        words.assertion(Node(fact.value, fact.cells), is_true=fact.is_true)
        for fact in (net.assumed, *facts)
    )
    if not told:
        return f"if {assumed}"
    return f"if {assumed}, then {'in turn ' if len(told) > 1 else ''}{listed(told)}"
