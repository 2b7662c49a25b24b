"""Every technique has a sentence, in the symbols of the puzzle, and highlights to draw."""

from itertools import islice

import pytest
from paths import DATA

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.explaining import explain
from solver.logic import rows as tags
from solver.logic.deduction import AlmostLockedSet, Candidate, Deduction, Node, pack, unpack
from solver.logic.marks import marks_of
from solver.logic.sentences.sentence import SENTENCES, sentence
from solver.logic.sentences.wording import Wording
from solver.logic.sudoku_explainer.techniques import TABLE
from solver.logic.technique_table import TECHNIQUES, name_of

CLASSIC = Layout.boxed(3, 3)
WORDS = Wording(CLASSIC, Symbols.usual(9))
SAID_OF_PUZZLES = [
    line.split("|")
    for line in (DATA / "sentences.txt").read_text().splitlines()
    if not line.startswith("#")
]


def chain(*nodes: tuple[int, int, str]) -> tuple[Node, ...]:
    return tuple(Node(value, (cell,), link) for cell, value, link in nodes)


def candidates(*pairs: tuple[int, int]) -> tuple[Candidate, ...]:
    return tuple(Candidate(*pair) for pair in pairs)


# In the deductions, cell 0 is r1c1, cell 1 is r1c2, cell 9 is r2c1; house 0 is row 1, 18 is box 1.
SAID = [
    (
        Deduction("3000", eliminations=candidates((0, 9)), cells=(0, 1), terms=((0, 1), (1, 1)),
                  total=4),
        "r1c1 and r1c2 add up to 4, which is 1 3. Remove 9 from r1c1.",
    ),
    (
        Deduction("3000", eliminations=candidates((0, 1)), cells=(0, 10, 20),
                  terms=((0, -1), (10, 1), (20, 1)), total=0),
        "r2c2 + r3c3 = r1c1. Remove 1 from r1c1.",
    ),
    (
        Deduction("3000", eliminations=candidates((0, 9), (5, 1)), cells=(0, 1),
                  terms=((0, 1), (1, 1)), total=4),
        "r1c1 and r1c2 add up to 4, which is 1 3. Remove 9 from r1c1. Every way needs 1 there. "
        "Remove 1 from r1c6.",
    ),
    (
        Deduction("3001", placements=candidates((8, 7)), cells=(8,), terms=((8, 1),), total=7,
                  base=(0,)),
        "Row 1 adds up to 45, the sums inside to 38: Place 7 in r1c9.",
    ),
    (
        Deduction("3002", eliminations=candidates((18, 9)), cells=(18, 19),
                  terms=((18, 1), (19, 1)), total=8, base=(0, 1)),
        "Rows 1 and 2 add up to 90, the sums around to 98: r3c1 and r3c2 add up to 8. Remove 9 "
        "from r3c1.",
    ),
    (
        Deduction("3003", eliminations=candidates((8, 1)), cells=(8, 9), terms=((8, 1), (9, -1)),
                  total=3, base=(0,)),
        "Row 1 adds up to 45; by the sums there, r1c9 = r2c1 + 3. Remove 1 from r1c9.",
    ),
    (
        Deduction("0000", placements=candidates((33, 8)), base=(3,)),
        "In row 4, only r4c7 is empty, and only 8 is missing.",
    ),
    (Deduction("0003", placements=candidates((33, 8))), "r4c7 can only be 8."),
    (
        Deduction("0002", placements=candidates((33, 8)), base=(3,)),
        "In row 4, only r4c7 can be 8.",
    ),
    (
        Deduction("0100", eliminations=candidates((74, 1), (79, 1)), values=(1,),
                  cells=(75, 76), base=(25,), cover=(8,)),
        "In box 8, only r9c4, r9c5, and r9c6 can be 1. All are in row 9, so no other cell of row "
        "9 can be 1. Remove 1 from r9c3 and r9c8.",
    ),
    (
        Deduction("0200", eliminations=candidates((3, 1), (3, 6), (4, 1)), cells=(1, 8),
                  values=(1, 6), base=(0,)),
        "In row 1, r1c2 and r1c9 can only be 1 or 6, so they use up both digits. Remove 1 and 6 "
        "from r1c4, and 1 from r1c5.",
    ),
    (
        Deduction("0210", eliminations=candidates((0, 3)), cells=(0, 4), values=(2, 9), base=(0,)),
        "In row 1, the digits 2 and 9 fit only in r1c1 and r1c5, so these cells hold nothing "
        "else. Remove 3 from r1c1.",
    ),
    (
        Deduction("0300", eliminations=candidates((4, 3)), cells=(9, 13, 27, 31), values=(3,),
                  base=(1, 3), cover=(9, 13)),
        "Every 3 of rows 2 and 4 must be in columns 1 and 5, so these hold no other 3. Remove 3 "
        "from r1c5.",
    ),
    (
        Deduction("0310", eliminations=candidates((4, 3)), cells=(9, 13, 27, 31), values=(3,),
                  base=(1, 3), cover=(9, 13), fins=candidates((14, 3))),
        "Unless the fin (r2c6) is 3, every 3 of rows 2 and 4 must be in columns 1 and 5. Cells "
        "there that see the fin cannot be 3 either way. Remove 3 from r1c5.",
    ),
    (
        Deduction("0400", eliminations=candidates((42, 6)), cells=(41, 53, 23, 26), values=(6,),
                  base=(14, 17)),
        "In columns 6 and 9, 6 has two places each; r3c6 and r3c9 cannot both be 6, so one of "
        "r5c6 and r6c9 is 6. Remove 6 from r5c7.",
    ),
    (
        Deduction("0701", eliminations=candidates((28, 7)), values=(7,),
                  chains=(chain((1, 7, ""), (8, 7, "strong"), (16, 7, "weak"),
                                (61, 7, "strong")),)),
        "If r1c2 is not 7, then r1c9 is 7, then r2c8 is not 7, then r7c8 is 7, so r1c2 is 7 or "
        "r7c8 is 7. Remove 7 from r4c2.",
    ),
    (
        Deduction("1301", eliminations=candidates((0, 5)),
                  chains=(chain((0, 5, ""), (1, 5, "weak"), (2, 5, "strong")),
                          chain((0, 5, ""), (2, 5, "weak")))),
        "If r1c1 is 5, then r1c2 is not 5, then r1c3 is 5; if r1c1 is 5, then r1c3 is not 5, "
        "which cannot be. Remove 5 from r1c1.",
    ),
    (
        Deduction("1302", placements=candidates((80, 9)),
                  chains=(chain((0, 1, ""), (80, 9, "strong")),
                          chain((0, 2, ""), (9, 2, "weak"), (80, 9, "strong")))),
        "If r1c1 is 1, then r9c9 is 9; if r1c1 is 2, then r2c1 is not 2, then r9c9 is 9: one of "
        "them must hold. Place 9 in r9c9.",
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
        "r2c1 or r2c4 must be 5 or 6. Otherwise, r1c1, r1c4, r2c1, and r2c4 would form a deadly "
        "pattern: swapping 1 and 2 would give a second solution. That cell and r2c8 use up 5 and "
        "6 in row 2. Remove 6 from r2c6.",
    ),
    (
        Deduction("2060", eliminations=candidates((0, 5)),
                  chains=(chain((0, 5, ""), (1, 5, "weak"), (1, 6, "strong"), (10, 6, "weak")),
                          chain((0, 5, ""), (9, 5, "weak"), (10, 6, "strong")),
                          chain((1, 6, "strong"), (11, 6, "weak"), (10, 6, "strong")),
                          chain((11, 6, "weak"), (12, 6, "weak"), (10, 6, "strong")))),
        "If r1c1 is 5, then in turn r1c2 is 6, r2c2 is not 6, r2c4 is not 6, and r2c2 is 6, "
        "which cannot be. Remove 5 from r1c1.",
    ),
    (
        Deduction("2061", placements=candidates((80, 9)),
                  chains=(chain((0, 1, ""), (80, 9, "strong")),
                          chain((0, 1, ""), (9, 2, "weak"), (10, 2, "strong"), (80, 9, "strong")),
                          chain((0, 1, "weak"), (9, 3, "strong"), (80, 9, "strong")))),
        "If r1c1 is 1, then r9c9 is 9; if r1c1 is not 1, then in turn r2c1 is not 2, r2c2 is 2, "
        "r2c1 is 3, and r9c9 is 9: one of them must hold. Place 9 in r9c9.",
    ),
    (
        Deduction("1301", eliminations=candidates((0, 5)),
                  chains=(chain((0, 5, ""), (9, 5, "weak")),
                          chain((0, 5, ""), (1, 5, "weak"), (1, 6, "strong"), (9, 6, "weak")))),
        "If r1c1 is 5, then r2c1 is not 5; if r1c1 is 5, then r1c2 is not 5, then r1c2 is 6, "
        "then r2c1 is not 6, which leaves r2c1 no value. Remove 5 from r1c1.",
    ),
    (
        Deduction("1301", eliminations=candidates((0, 5)),
                  chains=(chain((0, 5, ""), (1, 5, "weak"), (1, 6, "strong"), (37, 6, "weak")),
                          chain((0, 5, ""), (3, 5, "weak"), (3, 6, "strong"), (39, 6, "weak")))),
        "If r1c1 is 5, then r1c2 is not 5, then r1c2 is 6, then r5c2 is not 6; if r1c1 is 5, "
        "then r1c4 is not 5, then r1c4 is 6, then r5c4 is not 6, which leaves 6 no place in row "
        "5. Remove 5 from r1c1.",
    ),
    (
        Deduction("0903", eliminations=candidates((15, 3)),
                  sets=(AlmostLockedSet((3, 5), (1, 3, 5), (5,)),
                        AlmostLockedSet((8,), (5, 6), (6,)), AlmostLockedSet((7,), (3, 6)))),
        "Each of these sets can lose one value only, and a value that links two of them is in at "
        "most one of them: r1c4 and r1c6 {1 3 5}, linked by 5 with r1c9 {5 6}, linked by 6 with "
        "r1c8 {3 6}, so 3 is in the first or the last. Remove 3 from r2c7.",
    ),
    (  # a self-crossing chain
        Deduction("1303", placements=candidates((0, 5)),
                  chains=(chain((0, 5, ""), (1, 5, "strong"), (2, 5, "weak"), (1, 5, "strong"),
                                (0, 5, "strong")),)),
        "If r1c1 is not 5, then in turn r1c2 is 5 and r1c1 is 5, which cannot be. Place 5 in "
        "r1c1.",
    ),
    (
        Deduction("0901", eliminations=candidates((15, 3)),
                  sets=(AlmostLockedSet((3, 5), (1, 3, 5), (5,)), AlmostLockedSet((7,), (3, 5)))),
        "Each of these sets can lose one value only, and a value that links two of them is in at "
        "most one of them: r1c4 and r1c6 {1 3 5}, linked by 5 with r1c8 {3 5}, so 3 is in one of "
        "them. Remove 3 from r2c7.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("deduction", "said"), SAID, ids=[entry.code for entry, _ in SAID])
def test_each_deduction_has_the_expected_sentence(deduction: Deduction, said: str) -> None:
    assert sentence(deduction, WORDS) == said


def test_sentences_use_the_symbols_of_the_puzzle() -> None:
    words = Wording(CLASSIC, Symbols(tuple("ABCDEFGHI")))
    deduction = Deduction("0002", placements=(Candidate(0, 9),), base=(18,))
    assert sentence(deduction, words) == "In box 1, only r1c1 can be I."


def test_houses_have_the_names_of_the_layout() -> None:
    assert WORDS.houses((0, 18)) == "row 1 and box 1"
    assert WORDS.houses((0, 1, 9)) == "rows 1 and 2 and column 1"


@pytest.mark.parametrize("code", [*TECHNIQUES, *(f"{code:04}" for code in TABLE)])
def test_every_technique_has_a_name_and_a_sentence(code: str) -> None:
    assert name_of(code)
    # Brute force, the last resort, isn't a deduction.
    assert code in SENTENCES or name_of(code) == "Brute Force"


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


def test_existing_candidates_are_highlighted_once() -> None:
    deduction = Deduction(
        "0200", eliminations=(Candidate(3, 1),), cells=(1, 8), values=(1, 6), base=(0,)
    )
    bits = [0] * 81
    bits[1], bits[8], bits[3] = 0b100001, 0b100000, 0b1
    marks = marks_of(deduction, bits)
    assert marks.candidates == {
        "removed": (Candidate(3, 1),),
        "pattern": (Candidate(1, 1), Candidate(1, 6), Candidate(8, 6)),
    }
    assert marks.houses == (0,)


def test_highlighted_links_are_strong_or_weak() -> None:
    (nodes,) = (chain((0, 5, ""), (1, 5, "strong"), (10, 5, "weak")),)
    marks = marks_of(Deduction("0701", chains=(nodes,)), [0] * 81)
    assert [(link.start.cells, link.end.cells, link.kind) for link in marks.links] == [
        ((0,), (1,), "strong"),
        ((1,), (10,), "weak"),
    ]


@pytest.mark.parametrize(("order", "puzzle", "number", "said"), SAID_OF_PUZZLES)
def test_steps_of_real_puzzles_have_the_expected_sentences(
    order: str, puzzle: str, number: str, said: str
) -> None:
    assert next(islice(explain(puzzle, order=order).sentences, int(number) - 1, None)) == said
