"""The highlights of a deduction in drawings."""

import pytest

from solver.logic.deduction import Candidate, Deduction, Node
from solver.logic.marks import marks_of


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


@pytest.mark.parametrize(("code", "role"), [("0310", "fin"), ("0800", "key"), ("0602", "key")])
def test_only_the_fins_of_a_fish_are_highlighted_as_fins(code: str, role: str) -> None:
    deduction = Deduction(code, cells=(1,), values=(1,), fins=(Candidate(2, 1),))
    assert marks_of(deduction, [1] * 81).candidates == {
        role: (Candidate(2, 1),),
        "pattern": (Candidate(1, 1),),
    }


def test_highlighted_links_are_strong_or_weak() -> None:
    nodes = (Node(5, (0,)), Node(5, (1,), "strong"), Node(5, (10,), "weak"))
    marks = marks_of(Deduction("0701", chains=(nodes,)), [0] * 81)
    assert [(link.start.cells, link.end.cells, link.kind) for link in marks.links] == [
        ((0,), (1,), "strong"),
        ((1,), (10,), "weak"),
    ]
