"""Short ways to write deductions in tests."""

from solver.logic.deduction import Candidate, Node


def chain(*nodes: tuple[int, int, str]) -> tuple[Node, ...]:
    """Return the nodes of a chain of single cells, given the cell, value, and link of each."""
    return tuple(Node(value, (cell,), link) for cell, value, link in nodes)


def candidates(*pairs: tuple[int, int]) -> tuple[Candidate, ...]:
    """Return candidates, given the cell and value of each."""
    return tuple(Candidate(*pair) for pair in pairs)
