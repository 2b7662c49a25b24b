"""Check, rate, solve, and explain Sudoku puzzles.

>>> import sudokuq
>>> sudokuq.solve([[1, 0, 0, 0], [0, 0, 3, 0], [0, 2, 0, 0], [0, 0, 0, 4]]).unique
True

`Client` talks to a running service and raises `Failure`. `AsyncClient` does the same for programs
that use asyncio. `verify_webhook` verifies the notifications that the service sends, and raises
`InvalidWebhook`. These names need nothing but the base installation. All others come from `solver`
and need the extra `solver`.
"""
# mypy: implicit-reexport

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver import *  # noqa: F403  its list of names is the only one
    from web.client import Client as Client
    from web.client import Failure as Failure
    from web.client.async_client import AsyncClient as AsyncClient
    from web.webhook_verification import InvalidWebhook as InvalidWebhook
    from web.webhook_verification import verify_webhook as verify_webhook

# The names that need only the base installation, and their modules.
_CLIENT = {
    "AsyncClient": "web.client.async_client",
    "Client": "web.client",
    "Failure": "web.client",
    "InvalidWebhook": "web.webhook_verification",
    "verify_webhook": "web.webhook_verification",
}


def __getattr__(name: str) -> Any:
    # Imported on first use, so that the client works without the engines.
    if name in _CLIENT:
        return getattr(import_module(_CLIENT[name]), name)
    solver = import_module("solver")
    if name == "__all__":
        return [*_CLIENT, *solver.__all__]
    if name not in solver.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(solver, name)


def __dir__() -> list[str]:
    names: list[str] = __getattr__("__all__")
    return names
