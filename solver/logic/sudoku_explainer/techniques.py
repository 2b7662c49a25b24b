"""The table of Sudoku Explainer's techniques in its order: code, name, and lowest rating.

Techniques that HoDoKu also has share the codes in `solver.logic.technique_table`. The codes of the
others begin at 2000.
"""

from typing import NamedTuple

import numpy as np

FULL_HOUSE = 0
HIDDEN_SINGLE = 2
DIRECT_POINTING = 2000
DIRECT_CLAIMING = 2001
DIRECT_HIDDEN_PAIR = 2002
NAKED_SINGLE = 3
NONCONSECUTIVE_CELL = 2004
NONCONSECUTIVE_HOUSE = 2005
DIRECT_HIDDEN_TRIPLET = 2003
POINTING = 100
CLAIMING = 101
NAKED_PAIR = 200
X_WING = 300
HIDDEN_PAIR = 210
NAKED_TRIPLET = 201
SWORDFISH = 301
HIDDEN_TRIPLET = 211
XY_WING = 800
XYZ_WING = 801
UNIQUE_RECTANGLE = 600  # 600 to 603: types 1 to 4
UNIQUE_LOOP = 2010  # 2010 to 2013: types 1 to 4
NAKED_QUAD = 202
JELLYFISH = 302
HIDDEN_QUAD = 212
BUG = 610  # type 1
BUG_2 = 2020
BUG_3 = 2021
BUG_4 = 2022
ALIGNED_PAIR = 2030
X_CYCLE = 2040
Y_CYCLE = 2041
XY_CYCLE = 2042
FORCING_X_CHAIN = 2043
FORCING_CHAIN = 2044
ALIGNED_TRIPLET = 2031
NISHIO = 2050
CELL_CHAINS = 2051
REGION_CHAINS = 2052
DYNAMIC_CONTRADICTION = 2060  # for each of these four, add 10 × level
DYNAMIC_DOUBLE = 2061
DYNAMIC_CELL = 2062
DYNAMIC_REGION = 2063


class Rated(NamedTuple):
    """A technique of Sudoku Explainer: its name in that program, and its lowest rating."""

    name: str
    rating: float


_ADDED = {  # by level: the deductions that extend the chains
    0: "",
    1: " (+)",  # patterns
    2: " (+ Forcing Chains)",
    3: " (+ Multiple Forcing Chains)",
    4: " (+ Dynamic Forcing Chains)",
}
_DYNAMIC = {
    DYNAMIC_CONTRADICTION: "Dynamic Contradiction Forcing Chains",
    DYNAMIC_DOUBLE: "Dynamic Double Forcing Chains",
    DYNAMIC_CELL: "Dynamic Cell Forcing Chains",
    DYNAMIC_REGION: "Dynamic Region Forcing Chains",
}

TABLE: dict[int, Rated] = {
    FULL_HOUSE: Rated("Last in House", 1.0),
    HIDDEN_SINGLE: Rated("Hidden Single", 1.2),
    DIRECT_POINTING: Rated("Direct Pointing", 1.7),
    DIRECT_CLAIMING: Rated("Direct Claiming", 1.9),
    DIRECT_HIDDEN_PAIR: Rated("Direct Hidden Pair", 2.0),
    NAKED_SINGLE: Rated("Naked Single", 2.3),
    DIRECT_HIDDEN_TRIPLET: Rated("Direct Hidden Triplet", 2.5),
    POINTING: Rated("Pointing", 2.6),
    CLAIMING: Rated("Claiming", 2.8),
    NAKED_PAIR: Rated("Naked Pair", 3.0),
    X_WING: Rated("X-Wing", 3.2),
    HIDDEN_PAIR: Rated("Hidden Pair", 3.4),
    NAKED_TRIPLET: Rated("Naked Triplet", 3.6),
    SWORDFISH: Rated("Swordfish", 3.8),
    HIDDEN_TRIPLET: Rated("Hidden Triplet", 4.0),
    XY_WING: Rated("XY-Wing", 4.2),
    XYZ_WING: Rated("XYZ-Wing", 4.4),
    **{UNIQUE_RECTANGLE + n: Rated(f"Unique Rectangle Type {n + 1}", 4.5) for n in range(4)},
    **{UNIQUE_LOOP + n: Rated(f"Unique Loop Type {n + 1}", 4.6) for n in range(4)},
    NAKED_QUAD: Rated("Naked Quad", 5.0),
    JELLYFISH: Rated("Jellyfish", 5.2),
    HIDDEN_QUAD: Rated("Hidden Quad", 5.4),
    BUG: Rated("BUG Type 1", 5.6),
    BUG_2: Rated("BUG Type 2", 5.7),
    BUG_3: Rated("BUG Type 3", 5.8),
    BUG_4: Rated("BUG Type 4", 5.7),
    ALIGNED_PAIR: Rated("Aligned Pair Exclusion", 6.2),
    X_CYCLE: Rated("Bidirectional X-Cycle", 6.5),
    Y_CYCLE: Rated("Bidirectional Y-Cycle", 6.5),
    FORCING_X_CHAIN: Rated("Forcing X-Chain", 6.6),
    XY_CYCLE: Rated("Bidirectional Cycle", 7.0),
    FORCING_CHAIN: Rated("Forcing Chain", 7.0),
    ALIGNED_TRIPLET: Rated("Aligned Triplet Exclusion", 7.5),
    NISHIO: Rated("Nishio Forcing Chains", 7.5),
    CELL_CHAINS: Rated("Cell Forcing Chains", 8.0),
    REGION_CHAINS: Rated("Region Forcing Chains", 8.0),
    **{
        code + 10 * level: Rated(name + added, 8.5 + 0.5 * level)
        for level, added in _ADDED.items()
        for code, name in _DYNAMIC.items()
    },
}

# Techniques of nonconsecutive boards, for which only ratings and no explanations use this order.
_NONCONSECUTIVE = {
    NONCONSECUTIVE_CELL: Rated("Non-Consecutive Forcing Cell", 2.4),
    NONCONSECUTIVE_HOUSE: Rated("Locked Non-Consecutive", 2.5),
}

# By code: the lowest rating, for compiled functions.
RATINGS = np.zeros(max(TABLE) + 1)
for _table in (TABLE, _NONCONSECUTIVE):
    RATINGS[list(_table)] = [rated.rating for rated in _table.values()]

# Ratings that don't depend on the technique alone. The length of a chain adds to its rating, too
# (see `chain_order.length_rating`).
HIDDEN_SINGLE_IN_LINE = 1.5  # in a row or a column instead of a box
LOOP_OF_8, LOOP_OF_10 = 4.7, 5.0  # unique loops of 8 and of 10 or more cells
SUBSET_CELL = 0.1  # for each further cell of the subset in type 3 of loops and BUGs
