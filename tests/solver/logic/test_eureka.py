"""Chains in Eureka notation."""

import pytest

from solver import Layout
from solver.board.symbols import Symbols
from solver.logic.deduction import AlmostLockedSet, Candidate, Deduction, Node
from solver.logic.sentences.eureka import eureka
from solver.logic.sentences.wording import Wording

CLASSIC = Layout.boxed(3, 3)
STRONG, WEAK = "strong", "weak"
NOTATIONS = [
    (
        (Node(4, (0,)), Node(4, (8,), STRONG), Node(4, (26,), WEAK), Node(7, (26,), STRONG)),
        "(4)r1c1 = (4)r1c9 - (4)r3c9 = (7)r3c9",
    ),
    (
        (Node(4, (8,)), Node(4, (0, 1), WEAK), Node(4, (9, 18), STRONG), Node(4, (72,), WEAK)),
        "(4)r1c9 - (4)r1c12 = (4)r23c1 - (4)r9c1",
    ),
    (
        (Node(4, (8,)), Node(4, (0, 10), WEAK), Node(4, (9, 11, 18, 20), STRONG)),
        "(4)r1c9 - (4)r1c1,r2c2 = (4)r23c13",
    ),
    (
        (Node(3, (2,)), Node(3, (0, 1), WEAK), Node(5, (5,), WEAK), Node(3, (5,), STRONG)),
        "(3)r1c3 - (3=5)r1c12 - (5)r1c6 = (3)r1c6",
    ),
]


@pytest.mark.parametrize(("nodes", "notation"), NOTATIONS)
def test_chains_have_the_expected_notation(nodes: tuple[Node, ...], notation: str) -> None:
    words = Wording(CLASSIC, Symbols.usual(9))
    assert eureka(Deduction("0711", chains=(nodes,)), words) == notation


def test_several_chains_have_a_line_each() -> None:
    words = Wording(CLASSIC, Symbols(tuple("ABCDEFGHI")))
    chains = (
        (Node(1, (0,)), Node(1, (8,), WEAK)),
        (Node(2, (0,)), Node(2, (8,), WEAK)),
    )
    deduction = Deduction("2051", eliminations=(Candidate(8, 1),), chains=chains)
    assert eureka(deduction, words) == "(A)r1c1 - (A)r1c9\n(B)r1c1 - (B)r1c9"


def test_almost_locked_sets_are_nodes_with_two_values() -> None:
    sets = (AlmostLockedSet((3, 5), (1, 3, 5), (5,)), AlmostLockedSet((7,), (3, 5)))
    deduction = Deduction("0901", eliminations=(Candidate(15, 3),), sets=sets)
    words = Wording(CLASSIC, Symbols.usual(9))
    assert eureka(deduction, words) == "(3=5)r1c46 - (5=3)r1c8"


def test_cells_of_boards_with_more_than_9_columns_have_separate_names() -> None:
    words = Wording(Layout.boxed(4, 4), Symbols.usual(16))
    nodes = (Node(1, (8, 9)), Node(1, (0, 1), WEAK))
    assert eureka(Deduction("0711", chains=(nodes,)), words) == "(1)r1c9,r1c10 - (1)r1c1,r1c2"


def test_nets_and_steps_without_chains_have_no_notation() -> None:
    words = Wording(CLASSIC, Symbols.usual(9))
    side = (Node(1, (8,), WEAK), Node(2, (8,), STRONG))
    net = Deduction("1303", chains=((Node(1, (0,)), Node(1, (8,), WEAK)), side))
    assert eureka(net, words) is None
    assert eureka(Deduction("0003", placements=(Candidate(0, 1),)), words) is None
