"""Find puzzles of a collection that are in another one, too, such as an earlier book."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from web.report.columns import NO_FORM, Columns


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Which puzzles of a collection are in another one.

    found      (puzzles,) whether a puzzle is in the other collection, identical or equivalent
    identical  (puzzles,) whether an identical puzzle is in it
    other      (puzzles,) the position of the first identical puzzle in it, or else of the first
               equivalent one; undefined if there is neither
    """

    found: NDArray[np.bool_]
    identical: NDArray[np.bool_]
    other: NDArray[np.intp]


def match(columns: Columns, other: Columns) -> Matches:
    """Find the puzzles of a collection that are in the other one, identical or equivalent."""
    identical, same_at = _places(columns.same, other.same)
    equivalent, form_at = _places(columns.forms, other.forms)
    return Matches(identical | equivalent, identical, np.where(identical, same_at, form_at))


def _places(
    hashes: NDArray[np.int64], others: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Return which hashes are in `others`, and the first position of each in `others`.

    `NO_FORM` never counts as being there. The positions of hashes that aren't there have no
    meaning.
    """
    known, first = np.unique(others, return_index=True)
    if not len(known):
        return np.zeros(len(hashes), bool), np.zeros(len(hashes), np.intp)
    at = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
    return (known[at] == hashes) & (hashes != NO_FORM), first[at]
