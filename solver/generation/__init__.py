"""Making puzzles: random full grids, removal of givens, and conditions on the result.

Puzzle n of a request depends only on the request, its seed, and n, not on the puzzles made with it.
Only if puzzles must be distinct, it also depends on the puzzles before it.
"""
