"""A Python client that openapi-python-client generates works with a live service."""

import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from paths import ROOT

pytestmark = pytest.mark.redis

CONFIGURATION = ROOT / "clients" / "openapi-python-client.yaml"


def generate(folder: Path, url: str) -> SimpleNamespace:
    """Generate a Python client from the service's OpenAPI document, and return its parts.

    These are a client for the service, the package's models, and its functions by operation.
    """
    document = folder / "openapi.json"
    document.write_bytes(httpx.get(f"{url}/api/openapi.json", timeout=60).content)
    subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none",
         "--fail-on-warning", "--config", CONFIGURATION, "--path", document,
         "--output-path", folder / "generated_client"],
        # It formats the code with ruff from the same environment.
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        check=True,
    )  # fmt: skip
    sys.path.insert(0, str(folder))
    try:
        package = importlib.import_module("generated_client")
        calls = {
            path.stem: importlib.import_module(
                f"generated_client.api.{path.parent.name}.{path.stem}"
            )
            for path in (folder / "generated_client" / "api").glob("*/[!_]*.py")
        }
        models = importlib.import_module("generated_client.models")
    finally:
        sys.path.remove(str(folder))
    client = package.Client(base_url=url, timeout=httpx.Timeout(60))
    return SimpleNamespace(client=client, models=models, **calls)


def follow_a_job(generated: Any) -> None:
    client, models = generated.client, generated.models
    batch = models.Batch(
        puzzles=["12.4...2....4..1", "1...............", "no puzzle"],
        options=models.UploadOptions(limit=3),
        name="mine",
    )
    job = generated.create_job.sync(client=client, body=batch)
    assert isinstance(job, models.Job)
    while job.state not in ("finished", "cancelled", "failed"):
        job = generated.get_job.sync(job.id, client=client, wait=20)
    assert (job.name, job.total, job.outcomes["solved"]) == ("mine", 3, 1)

    rows: list[Any] = []
    while len(rows) < job.total:
        rows += generated.get_results.sync(
            job.id,
            client=client,
            format_=models.GetResultsFormat.JSON,
            count=2,
            offset=len(rows),
        )
    assert [row.outcome for row in rows] == ["solved", "multiple", "invalid"]
    assert rows[0].solution == "1234341221434321"

    puzzle = generated.get_puzzle.sync(job.id, 1, client=client)
    assert isinstance(puzzle, models.Puzzle)
    assert puzzle.solution_grid[0] == ["1", "2", "3", "4"]
    assert generated.list_jobs.sync(client=client).jobs[0].id == job.id
    assert generated.cancel_job.sync(job.id, client=client).state == "finished"
    assert generated.delete_job.sync_detailed(job.id, client=client).status_code == 204
    problem = generated.get_job.sync(job.id, client=client)
    assert isinstance(problem, models.Problem)
    assert problem.type_ == "/errors/job-not-found"


def test_generated_client_follows_a_job(live: str, tmp_path: Path) -> None:
    generated = generate(tmp_path, live)
    with generated.client:  # closes its connections
        follow_a_job(generated)
