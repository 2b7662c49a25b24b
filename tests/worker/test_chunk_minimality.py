"""Redundant givens and constraints in the results of a chunk."""

import json
from typing import Any

import numpy as np
import pytest
from jobs import GOOD, MANY, upload

from solver import minimality
from solver.engines.engine import ABANDON, FINISH, GO_ON
from solver.formats import recognize
from solver.formats.format import Block, Recognized
from web.results.writers import rows
from worker.job import JobOptions
from worker.process import chunk_runner, solve_block
from worker.records.chunk_result import ChunkResult
from worker.service import Service

CAGE = {"puzzle": GOOD, "constraints": [{"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 3}]}


def solved(text: str, signal: int, **options: Any) -> ChunkResult:
    recognized = recognize(text.encode(), final=True)
    assert isinstance(recognized, Recognized)
    count = text.count("\n")
    solver = solve_block.parse_block(
        Block(text.encode(), count, 1),
        format=recognized.format.name,
        context=recognized.context,
        options=JobOptions(**options),
    )
    return solver.solve(0, count, flag=np.full(1, signal, np.uint8))


def test_only_puzzles_with_a_unique_solution_are_tested_in_a_worker(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    text = f"{MANY}\n{GOOD}\n11..............\n{GOOD}\n"
    job_id = upload(service, text, minimal=True)
    runner.run(job_id, 0)
    ((_, part),) = service.results.read(job_id)
    expected = minimality(GOOD)
    assert list(part.minimality) == [1, 3]
    assert part.minimality[1].givens == expected.redundant.givens
    assert [row.minimal for row in rows((1, part), limit=2)][1::2] == [False, False]


@pytest.mark.parametrize(("signal", "answered"), [(FINISH, 1), (ABANDON, 0)])
def test_tests_end_with_the_time_of_a_chunk(signal: int, answered: int) -> None:
    """If the time is up, one record is still completed. If the job is canceled, none is."""
    assert len(solved(f"{GOOD}\n{GOOD}\n", signal, minimal=True)) == answered


def test_reduced_puzzle_is_text_that_can_be_uploaded_again_with_its_constraints() -> None:
    text = f"{json.dumps(CAGE)}\n{json.dumps({'puzzle': GOOD, 'variant': 'disjointgroups'})}\n"
    result = solved(text, GO_ON, reduce=True)
    reduced = [each.reduced for each in result.minimality.values()]
    assert all(reduced)
    again = solved("".join(f"{each}\n" for each in reduced), GO_ON, minimal=True)
    assert [each.minimal for each in again.minimality.values()] == [True] * len(reduced)
    assert again.solutions == result.solutions
