"""Layouts are copied with changes of some fields. Unknown fields raise a TypeError."""

import pytest

from solver.board.layout import Layout


def test_layouts_are_changed_only_in_their_own_fields() -> None:
    layout = Layout.boxed(3, 3)
    assert layout.changed(lowest=0).numbers == range(9)
    with pytest.raises(TypeError, match="no field sandwich"):
        layout.changed(sandwich=())
