"""`import sudokuq` offers the client and the solver under one name."""

import subprocess
import sys

import pytest

import solver
import sudokuq
from web.client import Client


def test_all_public_names_of_the_solver_are_available() -> None:
    assert sudokuq.Client is Client
    for name in solver.__all__:
        assert getattr(sudokuq, name) == getattr(solver, name)
    names = {"Client", "Failure", "InvalidWebhook", "verify_webhook", *solver.__all__}
    assert set(sudokuq.__all__) == set(dir(sudokuq)) == names
    namespace: dict[str, object] = {}
    exec("from sudokuq import *", namespace)
    assert namespace.keys() >= set(sudokuq.__all__)


def test_an_error_of_the_client_can_be_caught_as_sudokuq_failure() -> None:
    with pytest.raises(sudokuq.Failure, match="isn't a valid service URL"):
        sudokuq.Client("localhost")


def test_unknown_name_raises_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'slove'"):
        sudokuq.slove  # noqa: B018


def test_client_works_without_numpy() -> None:
    code = "import sys, sudokuq; sudokuq.Client; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["solve", "Puzzle", "parse"])
@pytest.mark.parametrize("module", ["solver", "sudokuq"])
def test_import_from_a_base_installation_names_the_missing_extra(module: str, name: str) -> None:
    code = f"import sys; sys.modules['numpy'] = None; from {module} import {name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    *_, last = done.stderr.splitlines()
    assert last == (
        f"ImportError: solver.{name} needs the package 'numpy'. "
        "Install it with: pip install 'sudokuq[solver]'"
    )
