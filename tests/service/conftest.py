"""The web servers that the tests of connections share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from connections import start
from running import find_port
from services import brief_processes

from worker.settings import Settings


@pytest.fixture(scope="module")
def listening(
    redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, int]]:
    """Return the address of a web server without a worker and with an idle timeout of 60 s."""
    yield from serving(redis_url, tmp_path_factory.mktemp("patient"), patience=60)


@pytest.fixture(scope="module")
def impatient(
    redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, int]]:
    """Return the address of a web server without a worker and with an idle timeout of 2 s."""
    yield from serving(redis_url, tmp_path_factory.mktemp("impatient"), patience=2)


def serving(redis_url: str, logs: Path, *, patience: int) -> Iterator[tuple[str, int]]:
    processes = brief_processes(redis_url, logs)
    processes.environment["SUDOKUQ_CLIENT_PATIENCE"] = str(patience)
    port = find_port()
    start(processes, port)
    yield "127.0.0.1", port
    processes.stop()


@pytest.fixture
def web(listening: tuple[str, int], settings: Settings) -> tuple[str, int]:
    """Return the address of the web server with a long idle timeout, on an empty Redis."""
    del settings
    return listening
