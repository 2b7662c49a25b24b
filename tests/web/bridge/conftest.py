"""A bridge that all tests of this folder share."""

from collections.abc import Iterator

import pytest
from bridges import ORIGIN, OTHER_ORIGIN, running_bridge


@pytest.fixture(scope="session")
def bridge_port(_compiled: None) -> Iterator[int]:
    """Return the port of a running bridge that allows ORIGIN and OTHER_ORIGIN."""
    with running_bridge("--origin", ORIGIN, "--origin", OTHER_ORIGIN) as port:
        yield port
