"""`import sudokuq` offers the client and the solver under one name."""

import subprocess
import sys

import pytest

import solver
import sudokuq
from web.client import Client
from web.client.async_client import AsyncClient


def test_all_public_names_of_the_solver_are_available() -> None:
    assert sudokuq.Client is Client
    assert sudokuq.AsyncClient is AsyncClient
    for name in solver.__all__:
        assert getattr(sudokuq, name) == getattr(solver, name)
    client = {"AsyncClient", "Client", "Failure", "InvalidWebhook", "verify_webhook"}
    assert set(sudokuq.__all__) == set(dir(sudokuq)) == client | {*solver.__all__}
    namespace: dict[str, object] = {}
    exec("from sudokuq import *", namespace)
    assert namespace.keys() >= set(sudokuq.__all__)


def test_an_error_of_the_client_can_be_caught_as_sudokuq_failure() -> None:
    with pytest.raises(sudokuq.Failure, match="isn't a valid service URL"):
        sudokuq.Client("localhost")


def test_unknown_name_raises_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'slove'"):
        sudokuq.slove  # noqa: B018


@pytest.mark.parametrize("name", ["solve", "Puzzle", "parse"])
@pytest.mark.parametrize("module", ["solver", "sudokuq"])
def test_import_from_a_base_installation_names_the_missing_extra(module: str, name: str) -> None:
    code = f"import sys; sys.modules['numpy'] = None; from {module} import {name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    *_, last = done.stderr.splitlines()
    assert last == (
        f"ImportError: solver.{name} needs the package 'numpy'. "
        "Run pip install '.[solver]' in the project's folder."
    )
