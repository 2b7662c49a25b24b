"""Claims in the sentences of explanations, checked against the grid and the solution."""

import re
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from paths import DATA

import solver
from solver import Layout, Puzzle, parse, solve
from solver.board.symbols import Symbols
from solver.explaining import explain
from solver.logic.deduction import Candidate, Deduction, Node
from solver.logic.explanation import Explanation, Position
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.wording import Wording

ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
HARD = [
    ESCARGOT,
    *[
        line.split()[0]
        for line in (DATA / "explainer/ratings.txt").read_text().splitlines()
        if line and not line.startswith("#")
    ][:6],
]
SAMPLES = (Path(solver.__file__).parent / "samples/sample.txt").read_text().split()[:100]
WORDS = Wording(Layout.boxed(3, 3), Symbols.usual(9))


def steps(explanation: Explanation) -> Iterator[tuple[Deduction, str, Position]]:
    return zip(explanation.deductions, explanation.sentences, explanation.positions, strict=False)


def holds(claim: str, solution: tuple[int, ...]) -> bool:
    """Return whether a claim like "r1c2 is 3" or "one of r1c2 and r1c3 is 3" is true."""
    cells = [9 * int(row) + int(column) - 10 for row, column in re.findall(r"r(\d)c(\d)", claim)]
    value = int(claim.rsplit(maxsplit=1)[-1])
    found = any(solution[cell] == value for cell in cells)
    return not found if " is not " in claim or claim.startswith(("none of", "neither")) else found


def test_a_weak_last_link_ends_in_a_false_candidate() -> None:
    nodes = (Node(8, (0,)), Node(8, (1,), "strong"), Node(7, (1,), "weak"), Node(7, (0,), "weak"))
    deduction = Deduction("2044", eliminations=(Candidate(0, 7),), chains=(nodes,))
    assert "so r1c1 is 8 or r1c1 is not 7. Remove 7 from r1c1." in sentence(deduction, WORDS)


@pytest.mark.parametrize("puzzle", HARD, ids=lambda text: text[:12])
def test_one_of_the_ends_of_a_chain_is_true_in_the_solution(puzzle: str) -> None:
    solution = solve(puzzle).solution
    assert solution is not None
    for order in ("hodoku", "explainer"):
        for _, said, _ in steps(explain(puzzle, order=order)):
            end = r"(?:one of |none of |neither )?r\dc\d[^.;,]* or [^.;,]*"
            ends = re.search(rf", so ({end})\. ", said)
            if ends is not None and said.startswith("If "):
                one, other = ends[1].rsplit(" or ", 1)
                assert holds(one, solution) or holds(other, solution), said


def test_direct_pointing_and_claiming_name_the_house_of_the_last_place() -> None:
    seen = 0
    for puzzle in SAMPLES:
        layout = Layout.boxed(3, 3)
        names = {house.name: house for house in layout.houses}
        for deduction, said, position in steps(explain(puzzle, order="explainer")):
            if deduction.code not in ("2000", "2001"):
                continue
            seen += 1
            match = re.fullmatch(
                r"In (.*), only (.*) can be (\d)\. (?:Both|All) are in (.*), so no other cell of "
                r"\4 can be \3\. In (.*), only (r\dc\d) is left for \3\. Place \3 in \6\.",
                said,
            )
            assert match is not None, said
            base, cover, house = (names[match[group]] for group in (1, 4, 5))
            bit = 1 << (int(match[3]) - 1)
            places = {cell for cell in range(81) if position.domains[cell] & bit}
            named = re.findall(r"r\dc\d", match[2])
            assert {layout.cell_named(name) for name in named} == places.intersection(base.cells)
            assert places.intersection(base.cells) <= set(cover.cells), said
            gone = set(cover.cells) - set(base.cells)
            (left,) = places.intersection(house.cells) - gone
            assert layout.cell_name(left) == match[6], said
    assert seen >= 3


def test_listed_combinations_are_those_that_the_candidates_allow(public_data: Path) -> None:
    lists = claims = 0
    for text in (public_data / "variants/killer-short-form.txt").read_text().splitlines():
        if not text or text.startswith("#"):
            continue
        (puzzle,) = parse(text)
        assert isinstance(puzzle, Puzzle)
        for deduction, said, position in steps(explain(puzzle)):
            match = re.search(r", which is ([1-9 ,or]+?)\.", said)
            # with more cells, brute force takes too long
            if match is None or len(deduction.terms) > 5:
                continue
            lists += 1
            status = {
                tuple(map(int, way.split())) for way in re.split(r", or |, | or ", match[1].strip())
            }
            assert status == possible_sets(deduction, position), said
            needed = re.search(r"Every way needs (.*) there\.", said)
            values = {int(value) for value in re.findall(r"\d", needed[1])} if needed else set()
            assert all(values <= set(numbers) for numbers in status), said
            claims += bool(values)
    assert lists > 50
    assert claims > 5


def possible_sets(deduction: Deduction, position: Position) -> set[tuple[int, ...]]:
    """Return the sets of numbers that the candidates allow for a sum, by brute force."""
    cells = [cell for cell, _ in deduction.terms]
    return {
        tuple(sorted(numbers))
        for numbers in permutations(range(1, 10), len(cells))
        if sum(numbers) == deduction.total
        and all(
            position.domains[cell] >> (number - 1) & 1
            for cell, number in zip(cells, numbers, strict=True)
        )
    }


def test_bug_sentences_deny_a_unique_solution() -> None:
    deduction = Deduction("0610", placements=(Candidate(0, 1),), cells=(0,), values=(1,))
    assert "such a grid never has exactly one solution" in sentence(deduction, WORDS)


def test_als_sentences_explain_restricted_commons() -> None:
    for puzzle in [*HARD, *SAMPLES]:
        for deduction, said, _ in steps(explain(puzzle)):
            if deduction.code in ("0901", "0902", "0903"):
                assert "a value that links two of them is in at most one of them" in said
