"""Every statement in the sentences of chains and nets follows from the statements that it names."""

from collections import Counter

import pytest
from arguments import Grid, check_chain, check_net
from paths import DATA

from solver import Layout
from solver.explaining import explain
from solver.logic.sentences.chains import CHAINS
from solver.logic.sentences.nets import NETS

ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
RATED = [
    line.split()[0]
    for line in (DATA / "explainer/ratings.txt").read_text().splitlines()
    if line and not line.startswith("#") and float(line.split()[1].split("/")[0]) > 6
]


@pytest.mark.parametrize("puzzle", [ESCARGOT, *RATED[::5]], ids=lambda text: text[:12])
@pytest.mark.parametrize("order", ["hodoku", "explainer"])
def test_each_statement_follows_from_those_that_it_names(puzzle: str, order: str) -> None:
    explanation = explain(puzzle, order=order)
    grids = explanation.positions
    for deduction, said, position in zip(
        explanation.deductions, explanation.sentences, grids, strict=False
    ):
        grid = Grid.of(Layout.boxed(3, 3), position.domains)
        if deduction.code in NETS:
            check_net(said, grid)
        elif deduction.code in CHAINS:
            check_chain(said.split(". ")[0].removesuffix(", a contradiction"), grid)


def test_nets_of_a_hard_puzzle_are_numbered_lines() -> None:
    lines = Counter[str]()
    explanation = explain(ESCARGOT, order="explainer")
    for deduction, said, position in zip(
        explanation.deductions, explanation.sentences, explanation.positions, strict=False
    ):
        if deduction.code in NETS:
            lines[deduction.code] += check_net(said, Grid.of(Layout.boxed(3, 3), position.domains))
    assert {"2060", "2063", "2070", "2080"} <= lines.keys()
    assert lines.total() > 300
