"""Every technique has a sentence, in the symbols of the puzzle.

Also tested are headings and the stored form of deductions.
"""

from itertools import islice

import pytest
from deductions import candidates, chain
from paths import DATA

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.explaining import explain
from solver.logic import deduction_rows as tags
from solver.logic.deduction import AlmostLockedSet, Candidate, Deduction, Node, pack, unpack
from solver.logic.sentences.sentence import SENTENCES, sentence
from solver.logic.sentences.wording import Wording
from solver.logic.sudoku_explainer.techniques import TABLE
from solver.logic.technique_table import TECHNIQUES, heading_of, name_of

CLASSIC = Layout.boxed(3, 3)
WORDS = Wording(CLASSIC, Symbols.usual(9))
CASES_OF_PUZZLES = [
    line.replace(r"\n", "\n").split("|")
    for line in (DATA / "sentences.txt").read_text().splitlines()
    if not line.startswith("#")
]


# In the deductions, cell 0 is r1c1, cell 1 is r1c2, cell 9 is r2c1; house 0 is row 1, 18 is box 1.
CASES = [
    (
        Deduction("3000", eliminations=candidates((0, 9)), cells=(0, 1), terms=((0, 1), (1, 1)),
                  total=4),
        "r1c1 and r1c2 sum to 4: only 1+3. Remove 9 from r1c1.",
    ),
    (
        Deduction("3000", eliminations=candidates((0, 1)), cells=(0, 10, 20),
                  terms=((0, -1), (10, 1), (20, 1)), total=0),
        "r1c1 = r2c2+r3c3. So r1c1 is at least 1+2 = 3. Remove 1 from r1c1.",
    ),
    (
        Deduction("3000", eliminations=candidates((0, 9), (5, 1)), cells=(0, 1),
                  terms=((0, 1), (1, 1)), total=4),
        "r1c1 and r1c2 sum to 4: only 1+3. Remove 9 from r1c1. Every combination contains 1, in "
        "r1c1 or r1c2. Remove 1 from r1c6.",
    ),
    (
        Deduction("3000", placements=candidates((0, 9)), cells=(0, 10, 11),
                  eliminations=candidates(*((cell, value) for cell in (10, 11)
                                            for value in (1, 2, 3, 6, 7, 8, 9)), (14, 4)),
                  terms=((0, -1), (10, 1), (11, 1)), total=0),
        "r1c1 = r2c2+r2c3. So each of r2c2 and r2c3 is at most 9−1 = 8, and r1c1 is at least 1+2 "
        "= 3. Trying all combinations rules out the rest. "
        "Place 9 in r1c1. Remove 1–3 and 6–8 from r2c2 and r2c3. "
        "Every combination contains 4, in r2c2 or r2c3. Remove 4 from r2c6.",
    ),
    (
        Deduction("3001", placements=candidates((8, 7)), cells=(8,), terms=((8, 1),), total=7,
                  base=(0,)),
        "Row 1 sums to 45. The known cages in it sum to 38, so r1c9 must be 7. Place 7 in r1c9.",
    ),
    (
        Deduction("3002", eliminations=candidates((18, 9)), cells=(18, 19),
                  terms=((18, 1), (19, 1)), total=8, base=(0, 1)),
        "Rows 1 and 2 sum to 90. The known cages that cover them sum to 98, so r3c1 and r3c2 sum "
        "to 8: only 1+7, 2+6, or 3+5. Remove 9 from r3c1.",
    ),
    (
        Deduction("3003", eliminations=candidates((8, 1)), cells=(8, 9), terms=((8, 1), (9, -1)),
                  total=3, base=(0,)),
        "Row 1 sums to 45. The known cages that cover all of it except r1c9 sum to 42, so "
        "r1c9 = r2c1+3. So r1c9 is at least 4. Remove 1 from r1c9.",
    ),
    (
        Deduction("0000", placements=candidates((33, 8)), base=(3,)),
        "In row 4, only r4c7 is empty, so it must be 8.",
    ),
    (Deduction("0003", placements=candidates((33, 8))), "r4c7 can only be 8."),
    (
        Deduction("0002", placements=candidates((33, 8)), base=(3,)),
        "In row 4, only r4c7 can be 8.",
    ),
    (
        Deduction("0100", eliminations=candidates((74, 1), (79, 1)), values=(1,),
                  cells=(75, 76), base=(25,), cover=(8,)),
        "In box 8, only r9c4–r9c6 can be 1. All are in row 9, so no other cell of row "
        "9 can be 1. Remove 1 from r9c3 and r9c8.",
    ),
    (
        Deduction("0200", eliminations=candidates((3, 1), (3, 6), (4, 1)), cells=(1, 8),
                  values=(1, 6), base=(0,)),
        "In row 1, r1c2 and r1c9 can only be 1 or 6, so they use up both digits. Remove 1 and 6 "
        "from r1c4, and 1 from r1c5.",
    ),
    (
        Deduction("0110", eliminations=candidates((3, 1), (9, 6)), cells=(1, 2), values=(1, 6),
                  base=(0, 18)),
        "r1c2 and r1c3 are in both row 1 and box 1 and can only be 1 or 6. They use up these "
        "digits in both. Remove 1 from r1c4 and 6 from r2c1.",
    ),
    (
        Deduction("2002", placements=candidates((2, 4)), cells=(0, 4), values=(2, 9), base=(0,)),
        "In row 1, 2 and 9 fit only in r1c1 and r1c5, so these cells hold nothing else. That "
        "leaves only r1c3 for 4 in row 1. Place 4 in r1c3.",
    ),
    (
        Deduction("0210", eliminations=candidates((0, 3)), cells=(0, 4), values=(2, 9), base=(0,)),
        "In row 1, the digits 2 and 9 fit only in r1c1 and r1c5, so these cells hold nothing "
        "else. Remove 3 from r1c1.",
    ),
    (
        Deduction("0300", eliminations=candidates((4, 3)), cells=(9, 13, 27, 31), values=(3,),
                  base=(1, 3), cover=(9, 13)),
        "In rows 2 and 4, 3 fits only in columns 1 and 5. So these two rows use up the 3s of "
        "both columns, and no other cell of columns 1 and 5 can be 3. Remove 3 from r1c5.",
    ),
    (  # the box has cells in both columns
        Deduction("0330", eliminations=candidates((4, 3)), cells=(9, 13, 30, 31), values=(3,),
                  base=(1, 22), cover=(9, 13)),
        "In row 2 and box 5, 3 fits only in columns 1 and 5. So these two houses use up the 3s "
        "of both columns, and no other cell of columns 1 and 5 can be 3. Remove 3 from r1c5.",
    ),
    (  # an eliminated candidate of its own base houses
        Deduction("0330", eliminations=candidates((4, 3)), cells=(0, 4, 9, 13), values=(3,),
                  base=(0, 1), cover=(9, 13)),
        "Every 3 of rows 1 and 2 must be in columns 1 and 5, so these hold no other 3. Remove 3 "
        "from r1c5.",
    ),
    (
        Deduction("0310", eliminations=candidates((4, 3)), cells=(9, 13, 27, 31), values=(3,),
                  base=(1, 3), cover=(9, 13), fins=candidates((14, 3))),
        "If the fin r2c6 is not 3, every 3 of rows 2 and 4 is in columns 1 and 5, so no other "
        "cell of these columns is 3. If the fin is 3, r1c5 is not 3 (box 2). Either way, "
        "remove 3 from r1c5.",
    ),
    (
        Deduction("0310", eliminations=candidates((4, 3)), cells=(9, 13, 27, 31), values=(3,),
                  base=(1, 3), cover=(9, 13), fins=candidates((14, 3), (12, 3))),
        "If neither r2c4 nor r2c6 (the fins) is 3, every 3 of rows 2 and 4 is in columns 1 and 5, "
        "so no other cell of these columns is 3. If a fin is 3, r1c5 is not 3 (box 2). Either "
        "way, remove 3 from r1c5.",
    ),
    (  # cells that see the fins in several houses
        Deduction("0310", eliminations=candidates((9, 3), (12, 3)), cells=(0, 3, 36, 39),
                  values=(3,), base=(0, 4), cover=(9, 12), fins=candidates((13, 3), (10, 3))),
        "If neither r2c2 nor r2c5 (the fins) is 3, every 3 of rows 1 and 5 is in columns 1 and 4, "
        "so no other cell of these columns is 3. If a fin is 3, neither r2c1 nor r2c4 is 3 (row "
        "2). Either way, remove 3 from r2c1 and r2c4.",
    ),
    (  # an eliminated candidate of its own base houses, with a fin
        Deduction("0340", eliminations=candidates((4, 3)), cells=(0, 4, 9, 13), values=(3,),
                  base=(0, 1), cover=(9, 13), fins=candidates((5, 3))),
        "Unless the fin (r1c6) is 3, every 3 of rows 1 and 2 must be in columns 1 and 5. If the "
        "fin is 3, r1c5 is not 3 (row 1). Either way, remove 3 from r1c5.",
    ),
    (
        Deduction("0400", eliminations=candidates((42, 6)), cells=(41, 53, 23, 26), values=(6,),
                  base=(14, 17)),
        "In column 6, 6 is in r3c6 or r5c6; in column 9, in r3c9 or r6c9. r3c6 and r3c9 "
        "cannot both be 6 (row 3), so r5c6 or r6c9 is 6. Remove 6 from r5c7, which sees "
        "both.",
    ),
    (
        Deduction("0401", eliminations=candidates((70, 6)), cells=(16, 65, 10, 2), values=(6,),
                  base=(1, 11), fins=candidates((10, 6), (2, 6))),
        "In row 2, 6 is in r2c2 or r2c8; in column 3, in r1c3 or r8c3. r1c3 and r2c2 cannot "
        "both be 6 (box 1), so r2c8 or r8c3 is 6. Remove 6 from r8c8, which sees both.",
    ),
    (
        Deduction("0402", eliminations=candidates((76, 6)), cells=(36, 72), values=(6,),
                  base=(22,), fins=candidates((39, 6), (31, 6), (49, 6))),
        "In column 1, 6 is in r5c1 or r9c1. If r5c1 is 6, r5c4 is not 6 (row 5), so 6 is "
        "in r4c5 or r6c5 (box 5), so r9c5 is not 6 (column 5). If r9c1 is 6, r9c5 is not 6 (row "
        "9). Either way, remove 6 from r9c5.",
    ),
    (
        Deduction("0500", eliminations=candidates((40, 4)), values=(4,),
                  colors=(candidates((0, 4), (44, 4)), candidates((8, 4), (36, 4)))),
        "Strong links on 4: either all of A (r1c1, r5c9) or all of B (r1c9, r5c1) are 4. r5c5 "
        "sees r5c9 (A) and r5c1 (B), so it cannot be 4. Remove 4 from r5c5.",
    ),
    (  # two cells that see the same two cells, and one that sees another one
        Deduction("0500", eliminations=candidates((40, 4), (41, 4), (2, 4)), values=(4,),
                  colors=(candidates((0, 4), (44, 4)), candidates((8, 4), (36, 4)))),
        "Strong links on 4: either all of A (r1c1, r5c9) or all of B (r1c9, r5c1) are 4. r5c5 and "
        "r5c6 see r5c9 (A) and r5c1 (B), so they cannot be 4. r1c3 sees r1c1 (A) and r1c9 (B), so "
        "it cannot be 4. Remove 4 from r1c3, r5c5, and r5c6.",
    ),
    (
        Deduction("0501", eliminations=candidates((0, 4), (4, 4)), values=(4,),
                  colors=(candidates((0, 4), (4, 4)), candidates((36, 4), (49, 4)))),
        "Strong links on 4: either all of A (r1c1, r1c5) or all of B (r5c1, r6c5) are 4. r1c1 and "
        "r1c5 (row 1) both belong to A and cannot both be 4, so no cell of A is 4. Remove 4 from "
        "r1c1 and r1c5.",
    ),
    (
        Deduction("0502", eliminations=candidates((77, 4)), values=(4,),
                  colors=(candidates((0, 4)), candidates((72, 4)), candidates((4, 4)),
                          candidates((50, 4)))),
        "Strong links on 4: either r1c1 (A) or r9c1 (B) is 4, and either r1c5 (C) or r6c6 (D) is "
        "4. r1c1 (A) and r1c5 (C) cannot both be 4 (row 1), so B or D is 4. r9c6 sees r9c1 (B) "
        "and r6c6 (D), so it cannot be 4. Remove 4 from r9c6.",
    ),
    (
        Deduction("0503", eliminations=candidates((0, 4)), values=(4,),
                  colors=(candidates((0, 4)), candidates((20, 4)), candidates((4, 4)),
                          candidates((36, 4)))),
        "Strong links on 4: either r1c1 (A) or r3c3 (B) is 4, and either r1c5 (C) or r5c1 (D) is "
        "4. A sees both C and D: r1c1 sees r1c5 (row 1), and r1c1 sees r5c1 (column 1). C or D is "
        "4, so r1c1 cannot be 4. Remove 4 from r1c1.",
    ),
    (
        Deduction("0503", eliminations=candidates((0, 4), (76, 4)), values=(4,),
                  colors=(candidates((0, 4), (76, 4)), candidates((20, 4), (60, 4)),
                          candidates((4, 4)), candidates((36, 4)))),
        "Strong links on 4: either all of A (r1c1, r9c5) or all of B (r3c3, r7c7) are 4, and "
        "either r1c5 (C) or r5c1 (D) is 4. A sees both C and D: r1c1 sees r1c5 (row 1), and r1c1 "
        "sees r5c1 (column 1). C or D is 4, so no cell of A is 4. Remove 4 from r1c1 and r9c5.",
    ),
    (
        Deduction("0701", eliminations=candidates((28, 7)), values=(7,),
                  chains=(chain((1, 7, ""), (8, 7, "strong"), (16, 7, "weak"),
                                (61, 7, "strong")),)),
        "If r1c2 is not 7, r1c9 is 7 (row 1), so r2c8 is not 7 (box 3), so r7c8 is 7 (column 8). "
        "So r1c2 or r7c8 is 7. Remove 7 from r4c2, which sees both.",
    ),
    (
        Deduction("0703", eliminations=candidates((18, 1)), values=(2, 1),
                  chains=(chain((0, 2, ""), (0, 1, "strong"), (8, 1, "weak"), (8, 2, "strong"),
                                (44, 2, "weak"), (44, 1, "strong"), (36, 1, "weak"),
                                (36, 2, "strong")),)),
        "r1c1, r1c9, r5c9, and r5c1 can only be 1 or 2, and each sees the next, so 1 and 2 "
        "alternate along them. So one of r1c1 and r5c1 is 1 and the other is 2; any cell "
        "that sees both can be neither 1 nor 2. Remove 1 from r3c1.",
    ),
    (  # a cell that sees only one end, but another cell of the chain
        Deduction("0703", eliminations=candidates((18, 1), (45, 2), (40, 2)), values=(2, 1),
                  chains=(chain((0, 2, ""), (0, 1, "strong"), (8, 1, "weak"), (8, 2, "strong"),
                                (44, 2, "weak"), (44, 1, "strong"), (36, 1, "weak"),
                                (36, 2, "strong")),)),
        "r1c1, r1c9, r5c9, and r5c1 can only be 1 or 2, and each sees the next, so 1 and 2 "
        "alternate along them. So one of r1c1 and r5c1 is 1 and the other is 2; any cell "
        "that sees both can be neither 1 nor 2. The same is true of r5c9 and r5c1. Remove 1 from "
        "r3c1, and 2 from r5c5 and r6c1.",
    ),
    (  # a group, and a link that leaves a cell through another candidate
        Deduction("0710", eliminations=candidates((33, 7)), values=(),
                  chains=(chain((33, 8, ""), (51, 8, "strong"), (51, 1, "weak"),
                                (15, 1, "strong")),)),
        "If r4c7 is not 8, r6c7 is 8 (column 7), so r2c7 is 1 (column 7). So r4c7 is 8 or r2c7 is "
        "1. In both cases, r4c7 is not 7 (column 7). Remove 7 from r4c7.",
    ),
    (
        Deduction("0709", eliminations=candidates((1, 5)),
                  chains=(chain((0, 5, ""), (8, 5, "strong"), (8, 6, "weak"), (0, 6, "strong"),
                                (0, 5, "weak")),)),
        "The links form a closed loop: if r1c1 is not 5, r1c9 is 5 (row 1), so r1c1 is 6 (row 1). "
        "If r1c1 is 5, the loop runs the other way: r1c9 is 6 (row 1). Either way, 5 is in "
        "r1c1 or r1c9. Remove 5 from r1c2.",
    ),
    (  # a loop that begins with a true candidate
        Deduction("0706", eliminations=candidates((1, 5)),
                  chains=(chain((0, 5, ""), (8, 5, "weak"), (8, 6, "strong"), (0, 6, "weak")),)),
        "The links form a closed loop: if r1c1 is 5, r1c9 is not 5 (row 1) but 6, so r1c1 is not 6 "
        "(row 1). If r1c1 is not 5, the loop runs the other way: it is 6, so r1c9 is not 6 (row 1) "
        "but 5. Either way, 5 is in r1c1 or r1c9. Remove 5 from r1c2.",
    ),
    (
        Deduction("2044", placements=candidates((0, 5)),
                  chains=(chain((0, 5, ""), (8, 5, "strong"), (17, 5, "weak"), (9, 5, "strong"),
                                (10, 5, "weak"), (0, 5, "strong")),)),
        "If r1c1 is not 5, r1c9 is 5 (row 1), so r2c9 is not 5 (column 9), so r2c1 is 5 (row 2), "
        "so r2c2 is not 5 (row 2), so r1c1 is 5 (box 1), a contradiction. Place 5 in r1c1.",
    ),
    (
        Deduction("0600", eliminations=candidates((10, 3)), cells=(0, 1, 9, 10), values=(3, 4)),
        "r1c1, r1c2, and r2c1 can only be 3 or 4. If r2c2 were 3 or 4 as well, these cells would "
        "form a deadly pattern: swapping 3 and 4 would give a second solution. Remove 3 from "
        "r2c2.",
    ),
    (
        Deduction("0602", eliminations=candidates((14, 6)), cells=(0, 3, 9, 12), values=(1, 2),
                  fins=candidates((9, 5), (12, 6), (16, 5), (16, 6)), base=(1,)),
        "If neither r2c1 nor r2c4 were 5 or 6, then r1c1, r1c4, r2c1, and r2c4 could only be 1 or "
        "2: a deadly pattern, since swapping 1 and 2 would give a second solution. So r2c1 or "
        "r2c4 is 5 or 6. That cell and r2c8 form a naked pair in row 2 that uses up 5 and 6. "
        "Remove 6 from r2c6.",
    ),
    (
        Deduction("0903", eliminations=candidates((15, 3)),
                  sets=(AlmostLockedSet((3, 5), (1, 3, 5), (5,)),
                        AlmostLockedSet((8,), (5, 6), (6,)), AlmostLockedSet((7,), (3, 6)))),
        "Almost locked sets have one digit more than cells, so they lack at most one of "
        "their digits: A = r1c4 and "
        "r1c6 {135}; B = r1c9 {56}; C = r1c8 {36}. If A does not "
        "contain 3, it contains 5, so B cannot contain 5 (row 1) and must contain 6, so C cannot "
        "contain 6 (row 1) and must contain 3. Any cell that sees every 3 of A and C cannot be 3. "
        "Remove 3 from "
        "r2c7.",
    ),
    (
        Deduction("0901", eliminations=candidates((15, 3), (24, 1)),
                  sets=(AlmostLockedSet((3, 5), (1, 3, 5), (5,)), AlmostLockedSet((7,), (3, 5)))),
        "Almost locked sets have one digit more than cells, so they lack at most one of "
        "their digits: A = r1c4 and "
        "r1c6 {135}; B = r1c8 {35}. If A does not contain 1, it "
        "contains 5, so B cannot contain 5 (row 1) and must contain 1. Any cell that sees every 1 "
        "of A "
        "and B cannot be 1. The same is true of 3. Remove 3 from r2c7 and 1 from r3c7.",
    ),
    (  # doubly linked
        Deduction("0901", eliminations=candidates((6, 1)),
                  sets=(AlmostLockedSet((3, 5), (1, 3, 5), (3, 5)), AlmostLockedSet((7,), (3, 5)))),
        "Almost locked sets have one digit more than cells, so they lack at most one of "
        "their digits: A = r1c4 and "
        "r1c6 {135}; B = r1c8 {35}. Neither 3 nor 5 can be in both (row 1), "
        "so each set lacks one of them and contains all of its other digits. Any cell that sees "
        "every 1 of A cannot be 1. Remove 1 from r1c7.",
    ),
    (
        Deduction("0904", eliminations=candidates((6, 7)), cells=(0,),
                  fins=candidates((0, 1), (0, 2)),
                  sets=(AlmostLockedSet((3,), (1, 7), (1,)),
                        AlmostLockedSet((4, 5), (2, 7, 8), (2,)))),
        "r1c1 is 1 or 2. If it is 1, r1c4 {17} loses 1; if it is 2, r1c5 and r1c6 {278} "
        "lose 2. Each set that loses a value contains all of its others, 7 among them. Any cell "
        "that sees every 7 of the sets cannot be 7. Remove 7 from r1c7.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("deduction", "expected"), CASES, ids=[entry.code for entry, _ in CASES])
def test_each_deduction_has_the_expected_sentence(deduction: Deduction, expected: str) -> None:
    assert sentence(deduction, WORDS) == expected


def test_a_chain_that_crosses_itself_has_a_sentence() -> None:
    nodes = chain((0, 5, ""), (1, 5, "strong"), (2, 5, "weak"), (1, 5, "strong"), (0, 5, "strong"))
    deduction = Deduction("1303", placements=candidates((0, 5)), chains=(nodes,))
    assert "contradicts the assumption. Place 5 in r1c1." in sentence(deduction, WORDS)


def test_sentences_use_the_symbols_of_the_puzzle() -> None:
    words = Wording(CLASSIC, Symbols(tuple("ABCDEFGHI")))
    deduction = Deduction("0002", placements=(Candidate(0, 9),), base=(18,))
    assert sentence(deduction, words) == "In box 1, only r1c1 can be I."


@pytest.mark.parametrize(
    ("eliminations", "expected"),
    [
        (((0, 3), (1, 4)), "Remove 3 from r1c1 and 4 from r1c2."),
        (((0, 3), (1, 4), (2, 4)), "Remove 3 from r1c1, and 4 from r1c2 and r1c3."),
        (((0, 3), (1, 4), (2, 5)), "Remove 3 from r1c1, 4 from r1c2, and 5 from r1c3."),
        (((0, 3), (0, 4), (1, 3), (1, 4)), "Remove 3 and 4 from r1c1 and r1c2."),
        (
            ((0, 8), (1, 4), (1, 6), (1, 8), (2, 6), (2, 8)),
            "Remove 8 from r1c1; 4, 6, and 8 from r1c2; and 6 and 8 from r1c3.",
        ),
    ],
)
def test_semicolons_separate_lists_of_removed_values(
    eliminations: tuple[tuple[int, int], ...], expected: str
) -> None:
    assert WORDS.outcome(Deduction("0200", eliminations=candidates(*eliminations))) == expected


def test_cells_in_which_the_same_value_is_placed_are_listed_together() -> None:
    placed = candidates((3, 1), (4, 2), (5, 1))
    expected = "Place 1 in r1c4 and r1c6, and 2 in r1c5."
    assert WORDS.outcome(Deduction("4000", placements=placed)) == expected


@pytest.mark.parametrize("code", [*TECHNIQUES, *(f"{code:04}" for code in TABLE)])
def test_every_technique_has_a_name_and_a_sentence(code: str) -> None:
    assert name_of(code)
    # Brute force, the last resort, isn't a deduction.
    assert code in SENTENCES or name_of(code) == "Brute Force"


@pytest.mark.parametrize(
    ("code", "heading"),
    [
        ("0200", "Naked Pair"),
        ("0601", "Uniqueness Test 2 (Unique Rectangle Type 2)"),
        ("0610", "Bivalue Universal Grave + 1 (BUG+1)"),
        ("2020", "BUG Type 2"),
    ],
)
def test_headings_contain_another_common_name(code: str, heading: str) -> None:
    assert heading_of(code) == heading


def test_unpack_reverses_pack() -> None:
    import numpy as np

    rows = [
        (tags.TECHNIQUE, 708, 0), (tags.REMOVE, 4, 7), (tags.CHAIN, 0, 0), (tags.FIRST, 1, 7),
        (tags.STRONG, 2, 7), (tags.MORE, 3, 0), (tags.WEAK, 5, 7), (tags.RATING, 71, 0),
        (tags.TECHNIQUE, 2, 0), (tags.PLACE, 80, 9), (tags.BASE, 8, 0),
    ]  # fmt: skip
    first, second = unpack(pack(np.array(rows, np.int32)))
    assert first.code == "0708"
    assert first.chains == ((Node(7, (1,)), Node(7, (2, 3), "strong"), Node(7, (5,), "weak")),)
    assert first.rating == 7.1
    assert second == Deduction("0002", placements=(Candidate(80, 9),), base=(8,))


@pytest.mark.parametrize(("order", "puzzle", "number", "expected"), CASES_OF_PUZZLES)
def test_steps_of_real_puzzles_have_the_expected_sentences(
    order: str, puzzle: str, number: str, expected: str
) -> None:
    assert next(islice(explain(puzzle, order=order).sentences, int(number) - 1, None)) == expected


def test_a_long_chain_has_a_numbered_line_for_each_link() -> None:
    cells = (*range(9), 17, 26, 35)
    links = ("", *("strong" if number % 2 else "weak" for number in range(1, len(cells))))
    nodes = chain(*((cell, 5, link) for cell, link in zip(cells, links, strict=True)))
    text = sentence(Deduction("0702", eliminations=candidates((27, 5)), chains=(nodes,)), WORDS)
    first, *lines, end = text.splitlines()
    assert first == "Suppose r1c1 is not 5."
    assert [line.partition(". ")[0] for line in lines] == [str(n) for n in range(1, len(cells) - 1)]
    assert lines[1] == "2. r1c3 is not 5 (row 1)."
    assert end.endswith("So r1c1 or r4c9 is 5. Remove 5 from r4c1, which sees both.")


def test_a_short_chain_is_one_sentence() -> None:
    nodes = chain((0, 5, ""), (1, 5, "strong"), (2, 5, "weak"), (35, 5, "strong"))
    text = sentence(Deduction("0702", eliminations=candidates((27, 5)), chains=(nodes,)), WORDS)
    assert text.startswith("If r1c1 is not 5, ")
