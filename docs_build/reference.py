"""The generated pages of the reference."""

from collections.abc import Callable

PAGES: dict[str, Callable[[], str]] = {}
