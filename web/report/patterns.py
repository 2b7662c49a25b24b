"""Find the symmetry of the pattern of givens, for many puzzles at the same time."""

import numpy as np
from numpy.typing import NDArray

# The names are those of `solver.generation.symmetry.SYMMETRIES`, so that a request for generated
# puzzles can repeat them. Each puzzle has exactly one: the strongest that its pattern has.
NAMES = (
    "none", "180", "90", "mirror", "mirror-horizontal", "diagonal", "antidiagonal", "both-mirrors",
    "both-diagonals", "full",
)  # fmt: skip
LABELS = {
    "none": "not symmetric",
    "180": "half turn",
    "90": "quarter turn",
    "mirror": "left–right",
    "mirror-horizontal": "top–bottom",
    "diagonal": "diagonal",
    "antidiagonal": "other diagonal",
    "both-mirrors": "left–right and top–bottom",
    "both-diagonals": "both diagonals",
    "full": "every turn and reflection",
}
NONE = 0
_HALF, _QUARTER, _MIRROR, _MIRROR_HORIZONTAL, _DIAGONAL, _ANTIDIAGONAL = (1 << n for n in range(6))
_EVERY = (1 << 6) - 1
_MIRRORS = _MIRROR | _MIRROR_HORIZONTAL | _HALF
_DIAGONALS = _DIAGONAL | _ANTIDIAGONAL | _HALF
# All moves that map a pattern to itself, by the name of its symmetry, strongest first.
_MOVES = {
    "full": _EVERY,
    "both-mirrors": _MIRRORS,
    "both-diagonals": _DIAGONALS,
    "90": _QUARTER | _HALF,
    "180": _HALF,
    "mirror": _MIRROR,
    "mirror-horizontal": _MIRROR_HORIZONTAL,
    "diagonal": _DIAGONAL,
    "antidiagonal": _ANTIDIAGONAL,
}


def _code_of(moves: int) -> int:
    return NAMES.index(
        next((name for name, need in _MOVES.items() if moves & need == need), "none")
    )


def including(name: str) -> list[int]:
    """Return the symmetries that include this one, as indices in `NAMES`."""
    need = _MOVES[name]
    return [NAMES.index(other) for other, moves in _MOVES.items() if moves & need == need]


_CODES = np.array([_code_of(moves) for moves in range(1 << 6)], np.uint8)


def symmetries(givens: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the symmetry of each pattern, as an index in `NAMES`.

    `givens` (n, rows, columns) is True in cells with a given. A pattern without givens has no
    symmetry.
    """
    # With the puzzles along the last axis, a comparison covers all of them at the same time.
    cells = np.ascontiguousarray(givens.transpose(1, 2, 0))
    rows, columns, count = cells.shape
    moved = [
        (_HALF, cells[::-1, ::-1]),
        (_MIRROR, cells[:, ::-1]),
        (_MIRROR_HORIZONTAL, cells[::-1]),
    ]
    if rows == columns:
        turned = cells.transpose(1, 0, 2)
        moved += [
            (_QUARTER, turned[::-1]),
            (_DIAGONAL, turned),
            (_ANTIDIAGONAL, turned[::-1, ::-1]),
        ]
    moves = np.zeros(count, np.uint8)
    for bit, other in moved:
        is_same = (cells == other).all(axis=(0, 1))
        moves |= np.where(is_same, np.uint8(bit), np.uint8(0))
    codes = _CODES[moves]
    codes[~cells.any(axis=(0, 1))] = NONE
    return codes
