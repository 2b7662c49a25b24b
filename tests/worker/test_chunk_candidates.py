"""True candidates in the results of a chunk."""

import json

import numpy as np
import pytest
from jobs import GOOD, MANY, upload

from solver import Puzzle, parse, true_candidates
from solver.engines.engine import ABANDON, FINISH
from solver.formats import recognize
from solver.formats.format import Block, Recognized
from web.results.writers import rows
from worker.job import JobOptions
from worker.process import chunk_runner, solve_block
from worker.service import Service


def test_true_candidates_are_counted_in_a_worker(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    job_id = upload(service, f"{GOOD}\n{MANY}\n11..............\n", limit=10, true_candidates=True)
    runner.run(job_id, 0)
    ((_, part),) = service.results.read(job_id)
    one, many = (rows((1, part), limit=10, listed=False)[n].true_candidates for n in (0, 1))
    assert isinstance(one, dict)
    assert isinstance(many, dict)
    solution = part.solutions.split()[0]
    assert [list(values.items()) for values in one.values()] == [[(each, 1)] for each in solution]
    assert many["r1c1"] == {"1": 10}
    assert set(many["r4c4"]) == {"1", "2", "3", "4"}
    assert list(part.true_candidates) == [0, 1]


@pytest.mark.parametrize("step_limit", [1, 1_000_000])
def test_values_that_a_low_step_limit_leaves_open_have_the_count_0(
    service: Service, runner: chunk_runner.ChunkRunner, step_limit: int
) -> None:
    line = [f"r{row}c1" for row in range(1, 8)]
    puzzle = {"shape": "9x9", "constraints": [{"type": "thermo", "cells": line}]}
    job_id = upload(service, json.dumps(puzzle), step_limit=step_limit, true_candidates=True)
    runner.run(job_id, 0)
    ((_, part),) = service.results.read(job_id)
    (row,) = rows((1, part), limit=2, listed=False)
    assert isinstance(row.true_candidates, dict)
    assert (0 in row.true_candidates["r7c1"].values()) == (step_limit == 1)
    assert step_limit == 1 or row.true_candidates["r7c1"] == {"7": 2, "8": 2, "9": 2}


@pytest.mark.parametrize(("signal", "answered"), [(FINISH, 1), (ABANDON, 0)])
def test_true_candidates_end_with_the_time_of_a_chunk(signal: int, answered: int) -> None:
    """If the time is up, one record is still completed. If the job is canceled, none is."""
    text = f"{MANY}\n{MANY}\n"
    recognized = recognize(text.encode(), final=True)
    assert isinstance(recognized, Recognized)
    solver = solve_block.parse_block(
        Block(text.encode(), 2, 1),
        format=recognized.format.name,
        context=recognized.context,
        options=JobOptions(true_candidates=True),
    )
    flag = np.full(1, signal, np.uint8)
    assert len(solver.solve(0, 2, flag=flag)) == answered


def test_a_complete_list_of_solutions_gives_the_same_candidates_as_searches(
    service: Service, runner: chunk_runner.ChunkRunner
) -> None:
    puzzle = "12.............."
    bound = 1_000
    job_id = upload(service, f"{puzzle}\n", limit=bound, true_candidates=True)
    runner.run(job_id, 0)
    ((_, part),) = service.results.read(job_id)
    (row,) = rows((1, part), limit=bound, listed=False)
    (parsed,) = parse(puzzle)
    assert isinstance(parsed, Puzzle)
    searched = true_candidates(parsed, bound=bound)
    assert 2 < row.solutions < bound
    assert row.true_candidates == searched.by_name(parsed.layout)
