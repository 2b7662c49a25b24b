"""`import sudokuq` offers the client and the solver under one name."""

import subprocess
import sys

import pytest

import solver
import sudokuq
from web.client import Client


def test_every_public_name_of_the_solver_is_there() -> None:
    assert sudokuq.Client is Client
    for name in solver.__all__:
        assert getattr(sudokuq, name) == getattr(solver, name)
    assert set(sudokuq.__all__) == {"Client", *solver.__all__}


def test_an_unknown_name_raises_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'slove'"):
        sudokuq.slove  # noqa: B018


def test_the_client_needs_no_engine() -> None:
    code = "import sys, sudokuq; sudokuq.Client; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
