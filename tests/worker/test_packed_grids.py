"""The compact encoding of grids is lossless and declines grids that it can't represent."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board.result import Outcome
from solver.board.text_lines import Lines
from worker.records.chunk_result import ChunkResult
from worker.store.packed_grids import pack_grids, unpack_grids
from worker.store.serialization import pack, unpack_result

Texts = tuple[str, str, list[bool]]


@st.composite
def texts(draw: st.DrawFn) -> Texts:
    """Draw puzzles, their solutions, and flags for which puzzles have a solution."""
    width, blank = draw(st.integers(1, 20)), draw(st.sampled_from(".0-*_xX?"))
    digits = st.text("123456789", min_size=width, max_size=width)
    masks = st.lists(st.booleans(), min_size=width, max_size=width)
    records = draw(st.lists(st.tuples(digits, masks, st.booleans()), min_size=1, max_size=6))
    puzzles = [
        "".join(digit if there else blank for digit, there in zip(grid, mask, strict=True))
        for grid, mask, _ in records
    ]
    solutions = [grid if solved else "" for grid, _, solved in records]
    return "\n".join(puzzles), "\n".join(solutions), [solved for _, _, solved in records]


@settings(deadline=None)
@given(texts())
def test_grids_of_digits_survive_storage_unchanged(texts: Texts) -> None:
    puzzles, solutions, solved = texts
    packed = pack_grids(Lines(puzzles), Lines(solutions), np.array(solved))
    assert packed is not None
    cells = len(solved) * packed.width
    assert len(packed.given) + len(packed.grids) <= cells // 8 + 1 + cells // 2 + 1
    assert unpack_grids(packed, np.array(solved)) == (Lines(puzzles), Lines(solutions))


@pytest.mark.parametrize(
    ("puzzles", "solutions"),
    [
        ("1.3", "223"),  # a solution that contradicts a given
        ("1.A", "12A"),
        ("1.-", "123"),  # two different symbols for empty cells
        ("1é3", "123"),
        ("1.3", "1203"),
        ("1.3", "103"),
        ("1.3\n12", "123\n12"),
        ("", ""),
    ],
)
def test_other_grids_are_stored_in_the_general_form(puzzles: str, solutions: str) -> None:
    count = puzzles.count("\n") + 1
    assert pack_grids(Lines(puzzles), Lines(solutions), np.array([bool(solutions)] * count)) is None
    result = ChunkResult(
        lines=np.arange(count, dtype="<i8").tobytes(),
        outcomes=bytes([Outcome.SOLVED]) * count,
        counts=np.full(count, bool(solutions), "<i8").tobytes(),
        steps=np.zeros(count, "<i8").tobytes(),
        puzzles=Lines(puzzles),
        solutions=Lines(solutions),
        details={0: "remark"},
    )
    assert unpack_result(pack(result)) == result


@settings(deadline=None)
@given(texts(), st.data())
def test_a_result_survives_storage_unchanged(texts: Texts, data: st.DataObject) -> None:
    puzzles, solutions, solved = texts
    count = len(solved)

    def column() -> bytes:
        most = data.draw(st.sampled_from([1, 2**8, 2**16, 2**32, 2**63])) - 1
        numbers = st.lists(st.integers(0, most), min_size=count, max_size=count)
        return np.array(data.draw(numbers), "<i8").tobytes()

    result = ChunkResult(
        lines=column(),
        outcomes=bytes(Outcome.SOLVED if each else Outcome.UNSOLVABLE for each in solved),
        counts=np.array(solved, "<i8").tobytes(),
        steps=column(),
        puzzles=Lines(puzzles),
        solutions=Lines(solutions),
        names={0: "a name"},
    )
    assert unpack_result(pack(result)) == result
