"""Build groups of command-line options that several commands can share."""

from collections.abc import Callable
from functools import reduce
from typing import Any

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def option_group(*options: Decorator) -> Decorator:
    """Return a decorator that adds several options to a command, in this order."""
    return lambda command: reduce(lambda added, option: option(added), reversed(options), command)
