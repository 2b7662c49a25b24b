"""Requests generated from the API description, valid and invalid, never get a 500 response.

`benchmarks/fuzz_api.py` does the same over HTTP, for longer.
"""

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from jobs import GOOD, MANY, upload
from schemathesis import GenerationMode

from web.app import create_app
from web.http import request_context
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


@pytest.fixture(scope="module")
def statuses() -> Iterator[Counter[int]]:
    """Count the response statuses of all tests in this module.

    Checks at the end that both 200 and 422 occurred several times.
    """
    counted: Counter[int] = Counter()
    yield counted
    assert counted[200] > 5
    assert counted[422] > 5


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_no_request_that_the_description_leads_to_is_answered_by_an_error_of_ours(
    mode: GenerationMode,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    statuses: Counter[int],
) -> None:
    monkeypatch.setattr(request_context, "LONGEST_WAIT", 0.0)
    app = create_app(service=service)
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", app)
    job_id = upload(service, f"{GOOD}\n{MANY}\nxx\n")
    ChunkRunner(service, worker="here").run(job_id, 0)
    for loaded in schema.get_all_operations():
        operation = loaded.ok()  # type: ignore[union-attr]
        if "{job_id}" in operation.path and operation.method == "delete":
            continue  # other operations need the job
        fuzz(operation.as_strategy(generation_mode=mode), job_id, statuses)


def fuzz(cases: st.SearchStrategy[Any], job_id: str, statuses: Counter[int]) -> None:
    @given(cases, st.booleans())
    @settings(
        max_examples=2,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any, is_ours: bool) -> None:  # noqa: FBT001 (hypothesis's)
        if is_ours and "job_id" in (case.path_parameters or {}):
            case.path_parameters["job_id"] = job_id
        if case.path.endswith("/events"):
            return  # this response lasts as long as the job
        answer = case.call()
        statuses[answer.status_code] += 1
        assert answer.status_code < 500, (case.as_curl_command(), answer.text[:500])

    # An operation with neither parameters nor a body has no invalid requests.
    with contextlib.suppress(Unsatisfiable):
        check()
