"""Every text is true: its claims hold in the grid, and its reason alone implies its result."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from pathlib import Path

import pytest
from paths import DATA
from sentence_checker.checking import check
from sentence_checker.library import steps_of_library
from sentence_checker.step import Step, steps_of

import solver
from solver import Layout, Puzzle, parse
from solver.board.symbols import Symbols
from solver.explaining import explain
from solver.logic.deduction import Candidate, Deduction, Node
from solver.logic.examples import EXAMPLES
from solver.logic.explanation import Explanation, Position
from solver.logic.sentences.links import peers_of_cells
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
MOST_PER_TECHNIQUE = 30
WORDS = Wording(Layout.boxed(3, 3), Symbols.usual(9))


def steps(explanation: Explanation) -> Iterator[tuple[Deduction, str, Position]]:
    return zip(explanation.deductions, explanation.sentences, explanation.positions, strict=False)


def false_texts(steps: Iterable[Step]) -> list[object]:
    """Return the texts that aren't true or make unknown claims, as (code, text, report).

    Only the first steps of each technique are checked, up to MOST_PER_TECHNIQUE.
    """
    checked = Counter[str]()
    reports: list[object] = []
    for step in steps:
        code = step.deduction.code
        checked[code] += 1
        if checked[code] > MOST_PER_TECHNIQUE:
            continue
        report = check(step)
        if report.false or report.unparsed:
            reports.append((code, step.text, report))
    return reports


@pytest.mark.parametrize("order", ["hodoku", "explainer"])
def test_texts_of_examples_are_true(order: str) -> None:
    examples = [
        text for code, text in EXAMPLES.items() if code.startswith("2") == (order == "explainer")
    ]
    steps = (steps_of(explain(text, order=order)) for text in dict.fromkeys(examples))
    assert not false_texts(chain.from_iterable(steps))


def test_texts_of_variants_are_true() -> None:
    lines = (DATA / "logic-boards.txt").read_text().splitlines()
    texts = [line.split(" ", 1)[1] for line in lines if not line.startswith("#")]
    assert not false_texts(chain.from_iterable(steps_of(explain(text)) for text in texts))


def test_texts_of_public_variants_are_true(public_data: Path) -> None:
    records = (public_data / "variants" / "puzzles.jsonl").read_text().splitlines()
    puzzles = chain.from_iterable(
        # explaining one of the later puzzles takes minutes
        parse("".join(json.loads(record)["input"].split()))
        for record in records[:42:6]
    )
    explanations = (explain(puzzle) for puzzle in puzzles if isinstance(puzzle, Puzzle))
    assert not false_texts(chain.from_iterable(map(steps_of, explanations)))


def test_texts_of_the_library_are_true(public_data: Path) -> None:
    library = public_data / "techniques" / "reglib-1.3.txt"
    assert not false_texts(steps_of_library(library))


def test_a_weak_last_link_ends_in_a_false_candidate() -> None:
    nodes = (
        Node(8, (0,)), Node(8, (1,), "strong"), Node(7, (1,), "weak"), Node(7, (2,), "strong"),
        Node(7, (0,), "weak"),
    )  # fmt: skip
    deduction = Deduction("2044", eliminations=(Candidate(0, 7),), chains=(nodes,))
    assert sentence(deduction, WORDS).endswith(
        "so r1c1 is not 7 (row 1). If r1c1 is 8, it is not 7 either. Remove 7 from r1c1."
    )


def test_listed_combinations_are_those_that_the_candidates_allow(public_data: Path) -> None:
    lists = claims = 0
    lines = (public_data / "variants/killer-short-form.txt").read_text().splitlines()
    # a third of the killers is enough for the counts below
    for text in [line for line in lines if line and not line.startswith("#")][::3]:
        (puzzle,) = parse(text)
        assert isinstance(puzzle, Puzzle)
        peers = peers_of_cells(puzzle.layout)
        for deduction, said, position in steps(explain(puzzle)):
            match = re.search(r": only ([1-9+]+(?:, [1-9+]+)*(?:,? or [1-9+]+)?)\.", said)
            # with more cells, brute force takes too long
            if match is None or len(deduction.terms) > 5:
                continue
            lists += 1
            ways = {tuple(map(int, way.split("+"))) for way in re.findall(r"[1-9+]+", match[1])}
            assert ways == possible_sets(deduction, position, peers), said
            needed = re.search(r"Every combination contains ([^r]*)", said)
            values = {int(value) for value in re.findall(r"\d", needed[1])} if needed else set()
            assert all(values <= set(numbers) for numbers in ways), said
            claims += bool(values)
    assert lists > 50
    assert claims > 5


def possible_sets(
    deduction: Deduction, position: Position, peers: Sequence[Collection[int]]
) -> set[tuple[int, ...]]:
    """Return the sets of numbers that the candidates allow for the open cells of a sum.

    Brute force. `peers` has the cells that must differ from each cell.
    """
    open_cells = [cell for cell, _ in deduction.terms if position.domains[cell].bit_count() > 1]
    left = (deduction.total or 0) - sum(
        factor * position.domains[cell].bit_length()
        for cell, factor in deduction.terms
        if cell not in open_cells
    )
    return {
        tuple(sorted(numbers))
        for numbers in product(range(1, 10), repeat=len(open_cells))
        if sum(numbers) == left
        and not any(
            number == other and one in peers[cell]
            for (cell, number), (one, other) in combinations(
                zip(open_cells, numbers, strict=True), 2
            )
        )
        and all(
            position.domains[cell] >> (number - 1) & 1
            for cell, number in zip(open_cells, numbers, strict=True)
        )
    }


def test_chains_of_almost_locked_sets_name_a_value_that_each_set_has() -> None:
    for puzzle in [*HARD, *SAMPLES]:
        for deduction, said, _ in steps(explain(puzzle)):
            if deduction.code not in ("0901", "0902", "0903"):
                continue
            sets = {
                name: values.split() for name, values in re.findall(r"(\w) = \S+ {(.*?)}", said)
            }
            assert len(sets) == len(deduction.sets), said
            lost = re.findall(r"(\w) cannot contain (\d) and must contain (\d)", said)
            assert lost or "Neither" in said, said
            assert all({one, other} <= set(sets[name]) for name, one, other in lost), said
