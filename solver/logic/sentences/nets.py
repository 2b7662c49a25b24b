"""Sentences about dynamic chains and forcing nets, whose links can have several reasons each.

An assumption and its consequences form a net. Side chains lead to the additional reasons that a
chain needs. A list of all chains would be unreadable, so the facts are listed in order, each one
after its reasons. True facts are always listed. A false fact is listed only if no true fact removes
it directly, i.e. if a pattern or a nested chain removes it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from solver.logic.deduction import Candidate, Deduction, Node
from solver.logic.sentences.links import common_houses, seen_through
from solver.logic.sentences.places import last_place, located
from solver.logic.sentences.proofs import (
    Fact,
    Line,
    Proof,
    clash_text,
    empty_text,
    line_text,
    references,
)
from solver.logic.sentences.wording import Sentence, Wording, paragraph

_MOST_IN_A_SENTENCE = 6  # Longer chains become numbered lines.
_ASSUMPTION, _CASE = "the assumption", "this case"  # what an assumption is called


@dataclass(slots=True)
class _Net:
    """The consequences of an assumption: facts, each with its reasons.

    `ends` are the last facts of the chains that start from the assumption. `reasons` maps each fact
    to the facts that it directly follows from.
    """

    assumed: Fact
    ends: list[Fact] = field(default_factory=list)
    reasons: dict[Fact, list[Fact]] = field(default_factory=dict)

    def add(self, chain: tuple[Node, ...]) -> None:
        """Add a chain of the deduction to the net.

        A chain whose first node has no link starts from the assumption. Others are side chains,
        which start from a known fact.
        """
        fact = _fact(chain[0]) if chain[0].link else self.assumed
        for node in chain[1:]:
            reason, fact = fact, _fact(node)
            self.reasons.setdefault(fact, []).append(reason)
        if not chain[0].link:
            self.ends.append(fact)

    @property
    def known(self) -> set[Fact]:
        """The assumption and the last facts of the chains."""
        return {self.assumed, *self.ends}

    def in_turn(self) -> Iterator[Fact]:
        """Yield the last facts of the chains and all facts that they depend on.

        Each fact comes after its reasons. The assumption is not included.
        """
        done = {self.assumed}
        waiting = self.ends[::-1]
        # Facts whose reasons are being visited. They're skipped as reasons, because a chain may
        # cross itself.
        opened: set[Fact] = set()
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
    """Return the text that shows, in numbered lines, how an assumption leads to a contradiction."""
    net = _Net(_assumed(deduction.chains[0], is_true=not deduction.placements))
    for chain in deduction.chains:
        net.add(chain)
    both = [end for end in (net.assumed, *net.ends) if end.is_true and end.opposite in net.known]
    proof = _proof(net, both, words)
    if both:
        lines, clash = _clash(proof, both[0], words)
    else:
        gone = _candidates(net.ends)
        lines = proof.lines((), gone)
        sources = proof.sources(gone, (fact for line in lines for fact in line.facts))
        after = references(sources, _numbers(lines, net.assumed, 1, _ASSUMPTION))
        clash = f"{empty_text(gone, words)} ({after})"
    return "\n".join(
        (
            f"Suppose {_said(net.assumed, words)}.",
            *_numbered(lines, _numbers(lines, net.assumed, 1, _ASSUMPTION), words),
            paragraph(clash, words.outcome(deduction)),
        )
    )


def _clash(proof: Proof, fact: Fact, words: Wording) -> tuple[list[Line], str]:
    """Return the lines that lead to a true fact and to its opposite, and the contradiction.

    The contradiction is a text such as "lines 3 and 5 contradict each other".
    """
    opposite = fact.opposite
    is_listed = opposite in proof.reasons or opposite == proof.assumed
    sources = proof.removed_by[Candidate(fact.cells[0], fact.value)]
    pairs = [(fact, source) for source in ([opposite] if is_listed else sources)]
    lines, (one, other) = min(
        ((proof.lines(pair), pair) for pair in pairs), key=lambda way: len(way[0])
    )
    numbers = _numbers(lines, proof.assumed, 1, _ASSUMPTION)
    one, other = sorted(
        (one, other), key=lambda fact: 0 if fact == proof.assumed else int(numbers[fact])
    )
    after = references((one, other), numbers)
    if one == other.opposite:
        if one == proof.assumed:
            return lines, f"line {numbers[other]} contradicts the assumption"
        return lines, f"{after} contradict each other"
    if len(one.cells) == len(other.cells) == 1:
        return lines, clash_text(one, other, words, after=after)
    house = seen_through(words.layout, one.cells, other.cells)
    return lines, f"{after} contradict each other ({house})"


def verity(deduction: Deduction, words: Wording) -> str:
    """Return the text that shows how all alternatives lead to the same conclusion.

    The case of each alternative is a sentence if it is short, otherwise numbered lines. Short cases
    that continue in the same way share a sentence.
    """
    nets: list[_Net] = []
    for chain in deduction.chains:
        if not chain[0].link:
            assumed = _assumed(chain, is_true=True)
            # The same candidate again, so this chain assumes that it's false.
            if any(net.assumed == assumed for net in nets):
                assumed = _assumed(chain, is_true=False)
            nets.append(_Net(assumed))
        nets[-1].add(chain)
    conclusion = nets[0].ends[0]
    parts = [f"{_alternatives([net.assumed for net in nets], words)}."]
    proofs = [_proof(net, net.ends, words).lines(net.ends) for net in nets]
    chains = [
        ", so ".join(_links(net.assumed, lines, words)) if _is_chain(lines, net.assumed) else ""
        for net, lines in zip(nets, proofs, strict=True)
    ]
    first = 1
    for place, (net, lines, links) in enumerate(zip(nets, proofs, chains, strict=True)):
        if links in chains[:place] and links:
            continue  # The first case with these links names this one, too.
        if links:
            same = [one.assumed for one, own in zip(nets, chains, strict=True) if own == links]
            parts.append(f"If {_any_of(same, words)}, {links}.")
        elif lines:
            numbers = _numbers(lines, net.assumed, first, _CASE)
            parts += [f"If {_said(net.assumed, words)}:", *_numbered(lines, numbers, words)]
            first += len(lines)
        else:
            parts.append(f"If {_said(net.assumed, words)}, nothing remains to be shown.")
    end = f"in every case, {_said(conclusion, words)}"
    return "\n".join((*parts, paragraph(end, words.outcome(deduction))))


def _any_of(cases: Sequence[Fact], words: Wording) -> str:
    """Return the condition of one or more cases, such as "2 is in r1c1 or r1c4" or "r1c1 is 2"."""
    cells = dict.fromkeys(cell for one in cases for cell in one.cells)
    if len(cells) > 1 and len(cases) > 1:
        return f"{words.value(cases[0].value)} is in {words.cells(cells, last='or')}"
    if len(cases) > 1:
        values = [one.value for one in cases]
        return f"{words.cells(cells)} is {words.values(values, last='or')}"
    return _said(cases[0], words)


def _links(assumed: Fact, lines: Sequence[Line], words: Wording) -> Iterator[str]:
    """Yield a clause for each line of a chain, so that it follows from the previous clause.

    Each line follows from the previous one, and the first from `assumed`. If both facts are true,
    the clause also has the false fact that links them. For example, "r2c9 is not 3 (row 2), so r9c9
    is 3 (last place in column 9)" after "r2c2 is 3".
    """
    before = assumed
    for line in lines:
        (fact,) = line.facts
        text = line_text(line._replace(after=()), {}, words)
        if not fact.is_true and before.cells == fact.cells:
            text = f"it is not {words.value(fact.value)}"
        elif fact.is_true and before.is_true and before.cells != fact.cells:
            places = _other_places(fact, line.text, words)
            if not places:  # the last candidate of a cell
                false = Fact(before.value, fact.cells, is_true=False)
                house = seen_through(words.layout, before.cells, fact.cells)
                text = f"{_said(false, words)} ({house}) but {words.value(fact.value)}"
            elif places != before.cells:
                false = Fact(fact.value, places, is_true=False)
                house = seen_through(words.layout, before.cells, places)
                text = f"{_said(false, words)} ({house}), so {text}"
        yield text
        before = fact


def _other_places(fact: Fact, reason: str, words: Wording) -> tuple[int, ...]:
    """Return the other cells of a house that can have the value of a fact, in their order.

    The fact is true for the given reason. Returns no cells if the reason isn't the last place in a
    house.
    """
    return tuple(
        cell
        for number in common_houses(words.layout, fact.cells)
        if last_place(words.house(number), fact.cells) == reason
        for cell in words.layout.houses[number].cells
        if cell not in fact.cells and words.can_be(cell, fact.value)
    )


def _is_chain(lines: Sequence[Line], assumed: Fact) -> bool:
    """Return whether the lines of a proof are few, and each follows only from the one before.

    The first line must follow from the assumption alone.
    """
    before = [(assumed,), *(line.facts for line in lines)]
    return 0 < len(lines) <= _MOST_IN_A_SENTENCE and all(
        line.is_brief and line.after == fact for line, fact in zip(lines, before, strict=False)
    )


def _assumed(chain: tuple[Node, ...], *, is_true: bool) -> Fact:
    """Return the first node of a chain as the fact that the chain assumes."""
    return Fact(chain[0].value, chain[0].cells, is_true)


def _fact(node: Node) -> Fact:
    """Return the fact that a node stands for. The node must not be the assumption of its chain."""
    return Fact(node.value, node.cells, is_true=node.link == "strong")


def _said(fact: Fact, words: Wording) -> str:
    return words.assertion(Node(fact.value, fact.cells), is_true=fact.is_true)


def _proof(net: _Net, ends: Collection[Fact], words: Wording) -> Proof:
    """Return the proof of a net's facts.

    A false fact is left out if earlier facts remove all of its candidates, unless it is one of the
    `ends`.
    """
    proof = Proof(words, net.assumed)
    for fact in net.in_turn():
        if fact.is_true or fact in ends or not proof.is_removed(fact):
            proof.add(fact, net.reasons[fact])
    return proof


def _candidates(facts: Iterable[Fact]) -> tuple[Candidate, ...]:
    """Return the candidates that some facts are about, each once."""
    return tuple(dict.fromkeys(Candidate(cell, one.value) for one in facts for cell in one.cells))


def _numbers(lines: Sequence[Line], assumed: Fact, first: int, name: str) -> dict[Fact, str]:
    """Return the text that refers to each fact: the number of its line, or the assumption's `name`.

    Lines are numbered from `first`.
    """
    numbers = {fact: str(number) for number, line in enumerate(lines, first) for fact in line.facts}
    return {assumed: name, **numbers}


def _numbered(lines: Sequence[Line], numbers: dict[Fact, str], words: Wording) -> list[str]:
    """Return the lines of a proof as texts, each of which begins with its number.

    `numbers` maps facts to the numbers of their lines, as text.
    """
    return [
        f"{numbers[line.facts[0]]}. {paragraph(line_text(line, numbers, words))}" for line in lines
    ]


def _alternatives(assumptions: Sequence[Fact], words: Wording) -> str:
    """Return the sentence that one of the assumptions must hold, such as "r1c1 is 4 or 5".

    They must be all candidates of a cell, all places of a value in a house, or a candidate and its
    opposite.
    """
    if not all(one.is_true for one in assumptions):
        return f"either {_said(assumptions[0], words)} or it is not"
    cells = dict.fromkeys(cell for one in assumptions for cell in one.cells)
    values = dict.fromkeys(one.value for one in assumptions)
    if len(cells) == 1:
        return f"{words.cells(cells)} is {words.values(values, last='or')}"
    shared = common_houses(words.layout, cells)
    (value,) = values
    house = next(
        house
        for house in shared
        if all(
            cell in cells for cell in words.layout.houses[house].cells if words.can_be(cell, value)
        )
    )
    where = located(words.house(house))
    return f"{where}, {words.value(value)} is in {words.cells(cells, last='or')}"


NETS: dict[str, Sentence] = {
    **dict.fromkeys(("1301", "1303", "2050"), contradiction),
    **dict.fromkeys(("1302", "1304", "2051", "2052"), verity),
    **{f"{2060 + 10 * level}": contradiction for level in range(6)},
    **{f"{2060 + 10 * level + kind}": verity for level in range(6) for kind in (1, 2, 3)},
}
