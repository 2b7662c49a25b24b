"""Sentences about dynamic chains and forcing nets, whose links can have several reasons each.

An assumption and its consequences form a net. Side chains lead to the additional reasons that a
chain needs. A list of all chains would be unreadable, so the facts are listed in order, each one
after its reasons. True facts are always listed. A false one is listed only if it doesn't follow
directly from a true fact that sees it, which is the case if a pattern or a nested chain removed it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from solver.logic.deduction import Deduction, Node
from solver.logic.sentences.wording import Wording, listed


class _Fact(NamedTuple):
    """The statement that one of the cells has the value (`is_true`), or that none does."""

    value: int
    cells: tuple[int, ...]
    is_true: bool


@dataclass(slots=True)
class _Net:
    """The consequences of an assumption: facts, each with its reasons."""

    assumed: _Fact
    ends: list[_Fact] = field(default_factory=list)
    reasons: dict[_Fact, list[_Fact]] = field(default_factory=dict)

    def add(self, chain: tuple[Node, ...]) -> None:
        """Add a chain from the assumption, or a side chain from a known fact."""
        fact = _fact(chain[0]) if chain[0].link else self.assumed
        for node in chain[1:]:
            reason, fact = fact, _fact(node)
            self.reasons.setdefault(fact, []).append(reason)
        if not chain[0].link:
            self.ends.append(fact)

    def is_obvious(self, fact: _Fact) -> bool:
        """Return whether a fact is too obvious to list: it is false and has a true reason."""
        return not fact.is_true and any(one.is_true for one in self.reasons[fact])

    def in_turn(self) -> Iterator[_Fact]:
        """Yield the last facts of the chains and all facts that they depend on.

        Each fact comes after its reasons. The assumption is not included.
        """
        done = {self.assumed}
        waiting = self.ends[::-1]
        # Facts whose reasons are being visited. They're skipped as reasons, because a chain may
        # cross itself.
        opened: set[_Fact] = set()
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
    """Return a sentence that shows how an assumption leads to a contradiction."""
    net = _Net(_assumed(deduction.chains[0], is_true=not deduction.placements))
    for chain in deduction.chains:
        net.add(chain)
    return f"{_said(net, words)}, which {words.impossible(deduction)}. {words.outcome(deduction)}"


def verity(deduction: Deduction, words: Wording) -> str:
    """Return a sentence that shows how all alternatives lead to the same conclusion."""
    nets: list[_Net] = []
    for chain in deduction.chains:
        if not chain[0].link:
            assumed = _assumed(chain, is_true=True)
            # The same candidate again, so this chain assumes that it's false.
            if any(net.assumed == assumed for net in nets):
                assumed = _assumed(chain, is_true=False)
            nets.append(_Net(assumed))
        nets[-1].add(chain)
    ways = "; ".join(_said(net, words) for net in nets)
    return f"{ways}: one of them must hold. {words.outcome(deduction)}"


def _assumed(chain: tuple[Node, ...], *, is_true: bool) -> _Fact:
    """Return the assumption at the start of a chain as a fact."""
    return _Fact(chain[0].value, chain[0].cells, is_true)


def _fact(node: Node) -> _Fact:
    """Return the fact that a node stands for, given that it isn't the assumption."""
    return _Fact(node.value, node.cells, is_true=node.link == "strong")


def _said(net: _Net, words: Wording) -> str:
    """Return an assumption and its consequences in order: "if …, then in turn …"."""
    facts = [fact for fact in net.in_turn() if fact in net.ends or not net.is_obvious(fact)]
    assumed, *links = (
        words.assertion(Node(fact.value, fact.cells), is_true=fact.is_true)
        for fact in (net.assumed, *facts)
    )
    if not links:
        return f"if {assumed}"
    return f"if {assumed}, then {'in turn ' if len(links) > 1 else ''}{listed(links)}"
