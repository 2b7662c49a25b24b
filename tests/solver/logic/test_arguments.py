"""Every statement in the sentences of chains and nets follows from the statements that it names."""

from collections import Counter

import pytest
from argument_grid import Grid
from chain_checks import check_chain
from net_checks import check_net
from paths import DATA

from solver.explaining import explain
from solver.logic.explanation import Explanation
from solver.logic.sentences.chains import CHAINS
from solver.logic.sentences.nets import NETS

ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
RATED = [
    line.split()[0]
    for line in (DATA / "explainer/ratings.txt").read_text().splitlines()
    if line and not line.startswith("#") and float(line.split()[1].split("/")[0]) > 6
]


VARIANTS = [
    line.split(" ", 1)[1]
    for line in (DATA / "logic-boards.txt").read_text().splitlines()
    if not line.startswith("#")
]


def check_chains_and_nets(explanation: Explanation) -> Counter[str]:
    """Check the texts of an explanation. Return the number of numbered lines by technique.

    Only chains and nets are checked, and only nets are counted.
    """
    lines = Counter[str]()
    for deduction, said, position in zip(
        explanation.deductions, explanation.sentences, explanation.positions, strict=False
    ):
        grid = Grid.of(explanation.layout, position.domains)
        if deduction.code in NETS:
            lines[deduction.code] += check_net(said, grid)
        elif deduction.code in CHAINS:
            numbered = said.startswith("Suppose ")
            chain = _joined_lines(said) if numbered else said.split(". ")[0]
            check_chain(chain.removesuffix(", a contradiction").removesuffix(" in any case"), grid)
    return lines


def _joined_lines(numbered: str) -> str:
    """Return a chain that is written in numbered lines as one sentence: "If …, …, so …"."""
    opening, *links, end = numbered.splitlines()
    clauses = [link.split(". ", 1)[1].removesuffix(".") for link in links] + [end.split(". ")[0]]
    lowered = (clause[0].lower() + clause[1:] for clause in clauses)
    return f"If {opening.removeprefix('Suppose ').removesuffix('.')}, {', so '.join(lowered)}"


@pytest.mark.parametrize("puzzle", RATED[::5], ids=lambda text: text[:12])
@pytest.mark.parametrize("order", ["hodoku", "explainer"])
def test_each_statement_follows_from_those_that_it_names(puzzle: str, order: str) -> None:
    check_chains_and_nets(explain(puzzle, order=order))


def test_each_statement_on_boards_with_variants_follows() -> None:
    for puzzle in VARIANTS:
        check_chains_and_nets(explain(puzzle))


def test_nets_of_a_hard_puzzle_are_numbered_lines() -> None:
    lines = check_chains_and_nets(explain(ESCARGOT, order="explainer"))
    assert {"2060", "2063", "2070", "2080"} <= lines.keys()
    assert lines.total() > 300
