"""Explanations lead to the solution and report how they end and how hard the puzzle is.

Also tested are their text, hints, stored form, and the examples of techniques.
"""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from paths import DATA, ROOT

from solver import explain, parse, solve
from solver.board.layout import Layout
from solver.board.primitive_constraints import FIELDS
from solver.board.puzzle import Invalid, Puzzle
from solver.board.symbols import Symbols
from solver.engines.engine import ABANDON
from solver.explaining import explain_unique
from solver.logic.board_tables import unknown_rules
from solver.logic.examples import EXAMPLES
from solver.logic.explanation import Ending, Explanation
from solver.logic.hint import hint
from solver.logic.progress import Progress
from solver.logic.rating.difficulty import WORDS, Difficulty, ratings_of, word_for
from solver.logic.sudoku_explainer.techniques import TABLE
from solver.logic.technique_table import GUESS, RULE_MEANINGS, TECHNIQUES, Level
from worker.process.explain_record import _with_parts as with_parts
from worker.records.boards import StoredBoard
from worker.records.explanations import StoredDifficulty, StoredExplanation

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
STUCK = "14.678.93..9.41.866...59..456.792.38...563..9923184657...8.7962876925341.9.4.6875"
SMALL = "12.4...2....4..1"
# Techniques that no puzzle of `docs/contributing/logic.md` needs, because others find the same, and
# guesses.
NEVER_NEEDED = {"0608", "0330", "0331", "0340", "1205", "2001", "2072"}
DIAGONAL = "12.4.4.........."  # Only one of its solutions has distinct values on the diagonals.
# A killer in which logic fills no cell.
KILLER = "G<<L<K<L<^G>^>^E^^>^IJ<G^<G^>^^I^<>^HC<C^<B^N^^G^<>^>^^E^<DF<^PG^<>^^J<^^<H<<>^>^"


def puzzle(text: str, *, variant: tuple[str, ...] = ()) -> Puzzle:
    (only,) = parse(text, variant=variant)
    assert not isinstance(only, Invalid)
    return only


def rated_puzzles() -> list[tuple[str, float]]:
    """Return puzzles with their Sudoku Explainer ratings, one for each rating up to 4.4."""
    rows = [line.split() for line in (DATA / "explainer" / "ratings.txt").read_text().splitlines()]
    by_rating = {float(row[1].split("/")[0]): row[0] for row in rows if row[0] != "#"}
    return [(text, rating) for rating, text in by_rating.items() if rating <= 4.4]


@pytest.fixture(scope="module")
def easy() -> Explanation:
    return explain(EASY)


def check(explanation: Explanation, solution: tuple[int, ...]) -> None:
    """Check that each deduction is correct and has an effect, and that no position is wrong.

    The last position must be the solution if, and only if, the explanation says that it is solved.
    """
    for deduction in explanation.deductions:
        assert deduction.placements or deduction.eliminations
        assert all(solution[cell] == value for cell, value in deduction.placements)
        assert all(solution[cell] != value for cell, value in deduction.eliminations)
    *before, last = explanation.positions
    assert len(before) == len(explanation.deductions)
    assert (last.values == solution) == explanation.solved
    for position in before:
        open_cells = [cell for cell, value in enumerate(position.values) if not value]
        assert all(position.candidates[cell] >> (solution[cell] - 1) & 1 for cell in open_cells)


def test_repr_is_a_single_line(easy: Explanation) -> None:
    assert repr(easy) == "<Explanation: Solved by logic alone in 51 steps.>"


def test_deductions_lead_to_the_solution(easy: Explanation) -> None:
    solution = solve(EASY).solution
    assert solution is not None
    assert easy.solved
    check(easy, solution)
    assert sum(easy.counts.values()) == len(easy.deductions)


@pytest.mark.parametrize("order", ["hodoku", "explainer"])
@pytest.mark.parametrize(("text", "rating"), rated_puzzles()[::3])
def test_every_deduction_is_correct_in_both_orders(text: str, rating: float, order: str) -> None:
    explanation = explain(text, order=order)
    solution = solve(text).solution
    assert solution is not None
    check(explanation, solution)
    assert explanation.se_rating == rating
    if order == "explainer":
        assert max(deduction.rating or 0 for deduction in explanation.deductions) == rating


def test_technique_counts_equal_those_of_the_rating() -> None:
    for text, _ in rated_puzzles()[1::4]:
        explanation = explain(text)
        assert explanation.difficulty is not None
        assert explanation.solved
        assert explanation.counts == dict(explanation.difficulty.techniques)


def test_the_text_lists_consecutive_singles_together(easy: Explanation) -> None:
    lines = easy.text.splitlines()
    assert lines[0] == "Singles"
    assert lines[1].startswith("  1–51. r5c5 = 5 (only candidate), ")
    singles = re.findall(r"r\dc\d = \d \(", easy.text)
    assert len(singles) == len(easy.deductions)
    assert f"Solved by logic alone in {len(easy.deductions)} steps." in lines
    assert lines[-1].startswith("Difficulty: easy; Sudoku Explainer ")


def test_the_text_has_a_numbered_line_for_each_step_that_is_no_single() -> None:
    explanation = explain(STUCK)
    lines = explanation.text.splitlines()
    sentences = list(explanation.sentences)
    assert lines[:4] == ["Hidden Pair", f"   1. {sentences[0]}", "XY-Wing", f"   2. {sentences[1]}"]
    assert lines[4] == "Singles"
    assert lines[5].startswith("  3–27. r9c1 = 2 (only place in column 1), ")


def test_a_wrong_entry_or_a_conflict_is_named() -> None:
    wrong = f"14567{STUCK[5:]}"
    assert explain(wrong).summary == (
        "Not explained: the puzzle has no solution. It would have exactly one without the 5 "
        "in r1c3, so "
        "check this entry."
    )
    assert explain("123....4........").detail == (
        "the puzzle has no solution. The 1 in r1c1, the 2 in r1c2, and the 4 in r2c4 contradict "
        "each other"
    )


def test_the_hint_for_a_stuck_grid_suggests_a_guess() -> None:
    stuck = replace(explain(KILLER), ending=Ending.STUCK, deductions=())
    left = list(stuck.start.candidates)
    left[4] = 0b1001
    stuck = replace(stuck, start=stuck.start._replace(candidates=tuple(left)))
    text = hint(stuck, strength=1)
    assert text.startswith("Every technique that applies to this board was tried")
    assert "r1c5 can be 1 or 4." in text


def test_text_gives_the_reason_for_a_missing_explanation() -> None:
    said = {
        "1...............": "the puzzle has more than one solution",
        "11..............": "twice in row 1",
        "123....4........": "the puzzle has no solution",
        f"{SMALL}\n{SMALL}": "expected a single puzzle, found 2",
        "xy": "No puzzle format matches",
    }
    for text, words in said.items():
        explanation = explain(text)
        assert explanation.ending is Ending.REFUSED
        assert not explanation.deductions
        assert words in explanation.text, text
        assert not explanation.text.endswith("..")


def test_a_puzzle_with_several_solutions_names_a_cell_that_differs() -> None:
    text = explain("..3434....4343..").text
    example = r"the puzzle has more than one solution: for example, r\dc\d can be 1 or 2"
    assert re.fullmatch(rf"Not explained: {example}\.", text)


def test_a_rule_is_named_where_it_is_used() -> None:
    text = (
        '{"size": 4, "grid": "1..4........4..1", "constraints": '
        '[{"type": "thermo", "cells": ["r1c2", "r1c3"]}]}'
    )
    explanation = explain(text)
    assert explanation.solved
    assert (
        "On the thermometer r1c2–r1c3, digits strictly increase from the bulb to the tip. "
        "r1c3 is at most 3. Of 2 and 3 in r1c2, only 2 fits. Place 2 in r1c2." in explanation.text
    )
    assert explanation.summary.endswith("\nDifficulty: easy; sudokuq rating 20.")


def test_the_text_explains_the_names_of_steps_from_rules() -> None:
    text = (
        '{"size": 4, "grid": "1..4........4..1", "constraints": '
        '[{"type": "thermo", "cells": ["r1c2", "r1c3"]}]}'
    )
    meanings = explain(text).text.partition("\nNeeded: ")[2].splitlines()[1:-2]
    assert meanings == [f"Single Rule: {RULE_MEANINGS['4000']}"]
    assert "\nNeeded: " in explain(STUCK).text
    assert not any(meaning in explain(STUCK).text for meaning in RULE_MEANINGS.values())


def test_houses_of_variants_are_used() -> None:
    known = puzzle(DIAGONAL, variant=("diagonal",))
    result = solve(known)
    assert result.solution is not None
    explanation = explain(known)
    check(explanation, result.solution)
    assert explanation.solved
    assert explanation.se_rating is None
    assert explanation.hodoku_score
    assert explain(known, order="explainer").detail is not None


def test_explanations_use_the_symbols_of_the_puzzle() -> None:
    (letters,) = parse("AB.D...B....D..A", symbols="ABCD")
    assert isinstance(letters, Puzzle)
    explanation = explain(letters)
    assert explanation.solved
    assert all(re.search(r"\b[ABCD]\b", said) for said in explanation.sentences)


def test_most_deductions_limits_an_explanation() -> None:
    explanation = explain(EASY, most_deductions=3)
    assert explanation.ending is Ending.CUT
    assert "Interrupted after 3 steps, 3 of 51 empty cells filled." in explanation.text


def as_stored(layout: Layout) -> Layout:
    """Return a layout without the primitive constraints that its constraints compile to."""
    nothing: dict[str, Any] = dict.fromkeys(FIELDS, ())
    return replace(layout, auxiliary_count=0, auxiliary_houses=(), **nothing)


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        (".Sandwich~2~R1~", "Sandwich"),
        (".Lunchbox~5~R1C1~R1C2~R1C3", "Lunchbox"),
        (".Shape~12x12.ConnectedValues~~1_2_3_4", "Connected digits"),
    ],
)
def test_unsupported_rules_of_stored_layouts_are_named(rule: str, name: str) -> None:
    layout = puzzle(rule).layout
    for each in (layout, with_parts(as_stored(layout))):
        assert unknown_rules(each) == (name,)


@pytest.mark.parametrize(
    ("rule", "name"), [("XSum~R1~5~", "X-sum"), ("FullRank~R1~5~", "Full rank")]
)
def test_domains_of_auxiliary_variables_do_not_restrict_the_grid(rule: str, name: str) -> None:
    found = puzzle(f".Shape~4x4.{rule}.~R2C2_1")
    result = solve(found, limit=1)
    assert result.solution is not None
    stored = as_stored(found.layout)
    for layout in (found.layout, with_parts(stored)):
        explanation = explain_unique(
            replace(found, layout=layout), result.solution, stop=np.zeros(1, np.uint8)
        )
        assert explanation.solved
        assert unknown_rules(layout) == (name,)
        assert explanation.start.candidates[15] == 0b1111


def test_killer_that_techniques_do_not_solve_is_explained_but_not_rated() -> None:
    explanation = explain(KILLER)
    assert explanation.solved
    assert explanation.difficulty is None
    assert explanation.text.splitlines()[-1].startswith(("Difficulty: ", "Not rated by logic: "))


def test_a_stuck_explanation_that_is_abandoned_at_once_keeps_its_earlier_rating() -> None:
    stuck = puzzle(KILLER)
    solution = solve(stuck).solution
    assert solution is not None
    earlier = Progress(counts=np.arange(1, 3))
    explanation = explain_unique(
        stuck, solution, stop=np.full(1, ABANDON, np.uint8), checkpoint=earlier.to_checkpoint()
    )
    assert explanation.ending is Ending.CUT
    assert explanation.checkpoint is None  # no progress, so the earlier checkpoint remains valid


def test_an_unknown_order_raises_a_value_error() -> None:
    with pytest.raises(ValueError, match="Expected one of: hodoku, explainer"):
        explain(EASY, order="guess")


def test_text_of_a_stuck_explanation_counts_the_filled_cells(easy: Explanation) -> None:
    stuck = replace(easy, ending=Ending.STUCK, deductions=easy.deductions[:2])
    assert "No further step found: 2 steps, 2 of 51 empty cells filled." in stuck.text


def test_stronger_hints_reveal_more(easy: Explanation) -> None:
    where, what, whole = (hint(easy, strength=strength) for strength in (1, 2, 3))
    first = next(easy.sentences)
    assert where.startswith("Look at ")
    assert where.removeprefix("Look at ") in what
    assert what.split(":")[0] in easy.counts
    assert whole == f"{what.split(':')[0]}: {first}"
    solved = solve(EASY).solution
    assert solved is not None
    assert hint(explain("".join(map(str, solved))), strength=1) == "The grid is already full."
    assert "more than one" in hint(explain("1..............."), strength=3)


@pytest.mark.parametrize(
    ("rating", "word"),
    [(1.0, "easy"), (2.3, "easy"), (2.5, "medium"), (4.0, "medium"), (4.2, "hard"), (6.6, "hard"),
     (6.7, "very hard"), (7.2, "very hard"), (7.3, "diabolical"), (8.8, "diabolical"),
     (8.9, "extreme"), (20.0, "extreme")],
)  # fmt: skip
def test_each_rating_has_a_difficulty_word(rating: float, word: str) -> None:
    assert word_for(rating) == word
    assert rating in ratings_of(word)
    assert Difficulty(4, Level.EASY, rating).word == word
    assert Difficulty(4, Level.MEDIUM).word == "medium"


def test_documented_limits_of_difficulty_words_are_the_real_ones() -> None:
    text = (ROOT / "docs" / "explanation" / "ratings.md").read_text("utf-8")
    table = re.findall(r"\| (easy|medium|hard|very hard|diabolical) \| up to (\d\.\d) \|", text)
    assert len(table) == 5
    for (word, limit), (harder, _) in pairwise([*table, ("extreme", "")]):
        assert word_for(float(limit)) == word
        assert word_for(float(limit) + 0.1) == harder


def test_documented_techniques_of_ratings_are_those_of_the_code() -> None:
    text = (ROOT / "docs" / "explanation" / "ratings.md").read_text("utf-8")
    documented = {
        word: {name: float(rating) for name, rating in re.findall(r"(\w.*?) (\d+\.\d)", listed)}
        for word, listed in re.findall(
            rf"\| ({'|'.join(WORDS)}) \| [a-z ]+ \d\.\d \| (.*) \|", text
        )
    }
    declared: dict[str, dict[str, float]] = {}
    for full_name, rating in sorted(TABLE.values(), key=lambda rated: rated.rating):
        # The types of a technique are one entry, and so are the four kinds of dynamic chains.
        name = re.sub(r" Type \d|(?<=^Dynamic )\w+ (?=Forcing)", "", full_name)
        declared.setdefault(word_for(rating), {}).setdefault(name, rating)
    assert documented == declared


def test_explanations_survive_storage(easy: Explanation) -> None:
    board = StoredBoard(Layout.boxed(3, 3), Symbols.usual(9))
    stored = StoredExplanation.of(easy)
    assert stored.candidates is None
    assert stored.read(board, easy.start.values) == easy


def test_pencil_marks_survive_storage() -> None:
    marked = replace(puzzle(SMALL), candidates=(15, 15, 4, *[15] * 13))
    explanation = explain(marked)
    board = StoredBoard(marked.layout, marked.symbols)
    again = StoredExplanation.of(explanation).read(board, marked.givens)
    assert again.start == explanation.start
    assert again.start.candidates[2] == 4


def test_difficulties_survive_storage() -> None:
    for known in (
        Difficulty(640, Level.HARD, 3.2, 1.2, 1.0, {"0300": 2, "0000": 8}),
        Difficulty(20, Level.EASY, counts={"0003": 5}),
    ):
        assert StoredDifficulty.of(known).read() == known


def test_reading_explanations_does_not_load_the_compiler(python: str) -> None:
    import subprocess

    code = (
        "import sys, worker.records.explanations, solver.logic.hint, web.explanations.view; "
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([python, "-c", code], check=False).returncode == 0


def test_start_has_the_candidates_that_the_givens_allow(easy: Explanation) -> None:
    bits = np.array(easy.start.candidates)
    assert bits[2] == 0b1011  # r1c3: 1, 2 or 4
    assert (bits[[0, 1, 4]] == 0).all()


@pytest.mark.parametrize(("code", "text"), EXAMPLES.items())
def test_each_example_needs_its_technique(code: str, text: str) -> None:
    order = "explainer" if code.startswith("2") else "hodoku"
    assert code in {deduction.code for deduction in explain(text, order=order).deductions}


def test_only_rare_techniques_lack_an_example() -> None:
    unusual = {code for code, entry in TECHNIQUES.items() if not entry.enabled_by_default}
    nested = {f"{code:04}" for code in TABLE if 2080 <= code < 2110}  # too slow for a test
    codes = {*TECHNIQUES, *(f"{code:04}" for code in TABLE)}
    assert codes - EXAMPLES.keys() == unusual | nested | NEVER_NEEDED


def test_sudoku_explainer_continues_where_hodoku_gets_stuck() -> None:
    text = "12..5...9.57...2...9..2..1....8..9.47...6.1.......4............57..9.6....6..3..."
    explanation = explain(text)
    assert explanation.solved
    solution = solve(text).solution
    assert solution is not None
    check(explanation, solution)
    assert explanation.difficulty is not None
    assert explanation.difficulty.counts[GUESS]
    assert "Brute Force" not in explanation.difficulty.techniques
    assert any(deduction.code.startswith("2") for deduction in explanation.deductions)


def test_the_only_cell_of_a_1x1_board_is_a_full_house() -> None:
    explanation = explain([[0]])
    assert [deduction.code for deduction in explanation.deductions] == ["0000"]
    assert explanation.solved


@pytest.mark.parametrize(
    ("order", "number", "said"),
    [
        ("hodoku", 47, "Look at the candidates of r1c9."),
        ("explainer", 13, "Look at the candidates of r6c1."),
    ],
)
def test_the_hint_for_a_net_names_the_assumption(order: str, number: int, said: str) -> None:
    text = ".673.4.....4..8..78..2....36.....9...5.8......7...9.4.....2..1..4.5....8..64...3."
    explanation = explain(text, order=order)
    left = replace(explanation, deductions=explanation.deductions[number - 1 :])
    assert hint(left, strength=1) == said
