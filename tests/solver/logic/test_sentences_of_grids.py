"""Sentences that name the candidates of cells, which depend on the grid."""

import pytest
from deductions import candidates, chain

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.logic.deduction import Deduction, Node
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.wording import Wording

CLASSIC = Layout.boxed(3, 3)


def grid_with(left: dict[int, str]) -> Wording:
    """Return the wording for a classic grid, given the candidates of some cells.

    All other cells have all candidates.
    """
    every = "123456789"
    bits = [sum(1 << (int(value) - 1) for value in left.get(cell, every)) for cell in range(81)]
    return Wording(CLASSIC, Symbols.usual(9), tuple(bits))


# In the deductions, cell 0 is r1c1, cell 1 is r1c2, cell 9 is r2c1; house 0 is row 1, 18 is box 1.
CASES = [
    (
        Deduction("0800", eliminations=candidates((40, 3)), cells=(0, 4, 36), values=(3, 4, 5)),
        {0: "45", 4: "34", 36: "35", 40: "37"},
        ("r1c1 is 4 or 5. If it is 4, r1c5 (3 or 4) must be 3; if it is 5, r5c1 (3 or 5) must "
         "be 3. So r1c5 or r5c1 is 3. Remove 3 from r5c5, which sees both.",),
    ),
    (
        Deduction("0801", eliminations=candidates((1, 3)), cells=(0, 4, 9), values=(3, 4, 5)),
        {0: "345", 1: "37", 4: "34", 9: "35"},
        ("r1c1 is 3, 4, or 5. If it is 4, r1c5 (3 or 4) must be 3; if it is 5, r2c1 (3 or 5) must "
         "be 3. So r1c1, r1c5, or r2c1 is 3. Remove 3 from r1c2, which sees all three.",),
    ),
    (
        Deduction("0803", eliminations=candidates((4, 3)), cells=(0, 40), values=(3, 7), base=(8,),
                  fins=candidates((0, 7), (72, 7), (76, 7), (40, 7))),
        {0: "37", 40: "37", 72: "17", 76: "27", 4: "39"},
        ("r1c1 and r5c5 can each only be 3 or 7. In row 9, only r9c1 and r9c5 can be 7. If r9c1 "
         "is 7, r1c1 must be 3 (column 1); if r9c5 is 7, r5c5 must be 3 (column 5). So r1c1 or "
         "r5c5 is 3. Remove 3 from r1c5, which sees both.",),
    ),
    (  # a node that is an almost locked set
        Deduction("0710", eliminations=candidates((2, 3)),
                  chains=((Node(3, (2,)), Node(3, (0, 1), "weak"), Node(5, (5,), "weak"),
                           Node(3, (5,), "strong"), Node(3, (2,), "weak")),)),
        {0: "34", 1: "345", 2: "37", 5: "35"},
        ("If r1c3 is 3, r1c1 and r1c2 lose 3 and hold 4 and 5, so r1c6 is not 5 (row 1) but 3, so "
         "r1c3 is not 3 (row 1), a contradiction. Remove 3 from r1c3.",),
    ),
    (  # two lines that exclude each other
        Deduction("1301", eliminations=candidates((0, 5)),
                  chains=(chain((0, 5, ""), (1, 5, "weak"), (1, 6, "strong")),
                          chain((0, 5, ""), (9, 5, "weak"), (9, 6, "strong"), (1, 6, "weak")))),
        {0: "56", 1: "56", 9: "56"},
        ("Suppose r1c1 is 5.", "1. r1c2 is 6 (last candidate; the assumption).",
         "2. r2c1 is 6 (last candidate; the assumption).",
         "r1c2 and r2c1 cannot both be 6 (box 1; lines 1 and 2). Remove 5 from r1c1."),
    ),
    (  # a line that excludes the assumption
        Deduction("2050", eliminations=candidates((0, 5)),
                  chains=(chain((0, 5, ""), (1, 5, "weak"), (1, 6, "strong"), (2, 6, "weak"),
                                (2, 5, "strong"), (0, 5, "weak")),)),
        {0: "57", 1: "56", 2: "56"},
        ("Suppose r1c1 is 5.", "1. r1c2 is 6 (last candidate; the assumption).",
         "2. r1c3 is 5 (last candidate; line 1).",
         "r1c1 and r1c3 cannot both be 5 (row 1; the assumption and line 2). Remove 5 from r1c1."),
    ),
    (  # a cell without candidates
        Deduction("1301", eliminations=candidates((0, 5)),
                  chains=(chain((0, 5, ""), (9, 5, "weak")),
                          chain((0, 5, ""), (1, 5, "weak"), (1, 6, "strong"), (9, 6, "weak")))),
        {0: "57", 1: "56", 9: "56"},
        ("Suppose r1c1 is 5.", "1. r1c2 is 6 (last candidate; the assumption).",
         "r2c1 has no candidate left (the assumption and line 1). Remove 5 from r1c1."),
    ),
    (  # a house without a place
        Deduction("1301", eliminations=candidates((0, 5)),
                  chains=(chain((0, 5, ""), (1, 5, "weak"), (1, 6, "strong"), (37, 6, "weak")),
                          chain((0, 5, ""), (3, 5, "weak"), (3, 6, "strong"), (39, 6, "weak")))),
        dict.fromkeys(range(36, 45), "12") | {0: "57", 1: "56", 3: "56", 37: "67", 39: "67"},
        ("Suppose r1c1 is 5.", "1. r1c2 is 6 (last candidate; the assumption).",
         "2. r1c4 is 6 (last candidate; the assumption).",
         "There is no place left for 6 in row 5 (lines 1 and 2). Remove 5 from r1c1."),
    ),
    (  # the same candidate, true and false
        Deduction("2061", placements=candidates((80, 9)),
                  chains=(chain((0, 1, ""), (80, 9, "strong")),
                          chain((0, 1, ""), (80, 9, "strong")))),
        {0: "12", 80: "9"},
        ("Either r1c1 is 1 or it is not.", "If r1c1 is 1:", "1. r9c9 is 9 (last candidate).",
         "If r1c1 is not 1:", "2. r9c9 is 9 (last candidate).",
         "In every case, r9c9 is 9. Place 9 in r9c9."),
    ),
    (
        Deduction("2051", eliminations=candidates((9, 3)),
                  chains=(chain((0, 1, ""), (0, 3, "weak"), (2, 3, "strong"), (9, 3, "weak")),
                          chain((0, 3, ""), (9, 3, "weak")))),
        {0: "13", 2: "13", 9: "23"},
        ("r1c1 is 1 or 3.",
         "If r1c1 is 1, r1c3 is not 1 (row 1) but 3, so r2c1 is not 3 (box 1).",
         "If r1c1 is 3, r2c1 is not 3 (column 1).",
         "In every case, r2c1 is not 3. Remove 3 from r2c1."),
    ),
    (  # cases that continue in the same way
        Deduction("2052", eliminations=candidates((11, 5)),
                  chains=(chain((0, 5, ""), (11, 5, "weak")), chain((1, 5, ""), (11, 5, "weak")),
                          chain((2, 5, ""), (11, 5, "weak")))),
        dict.fromkeys(range(9), "12") | {0: "15", 1: "25", 2: "15", 11: "15"},
        ("In row 1, 5 is in r1c1, r1c2, or r1c3.",
         "If 5 is in r1c1 or r1c2, r2c3 is not 5 (box 1).",
         "If r1c3 is 5, r2c3 is not 5 (column 3).",
         "In every case, r2c3 is not 5. Remove 5 from r2c3."),
    ),
    (  # placements with the false candidates that link them
        Deduction("2051", eliminations=candidates((15, 1)),
                  chains=((Node(1, (0,)), Node(1, (3, 4), "weak"), Node(1, (12,), "strong"),
                           Node(1, (15,), "weak")),
                          chain((0, 3, ""), (6, 3, "weak"), (15, 3, "strong"), (15, 1, "weak")))),
        dict.fromkeys(range(81), "2") | {0: "13", 3: "12", 4: "12", 6: "23", 12: "12", 13: "23",
                                         15: "13", 42: "23", 57: "12"},
        ("r1c1 is 1 or 3.",
         "If r1c1 is 1, neither r1c4 nor r1c5 is 1 (row 1), so r2c4 is 1 (last place in "
         "box 2), so r2c7 is not 1 (row 2).",
         "If r1c1 is 3, r1c7 is not 3 (row 1), so r2c7 is 3 (last place in box 3), so it is not 1.",
         "In every case, r2c7 is not 1. Remove 1 from r2c7."),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("deduction", "left", "expected"), CASES)
def test_steps_that_depend_on_the_grid_have_the_expected_sentence(
    deduction: Deduction, left: dict[int, str], expected: tuple[str, ...]
) -> None:
    assert sentence(deduction, grid_with(left)) == "\n".join(expected)
