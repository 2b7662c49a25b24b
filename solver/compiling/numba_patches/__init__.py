"""Patches to Numba that compile faster and make compiled code safe to cache on disk.

The environment variable SUDOKUQ_NUMBA_PATCHES=0 turns all of them off. Then `solver.compiling.jit`
uses Numba's public decorators alone, results are the same, and each process compiles for itself.

Outside this package, `solver.compiling` extends Numba with documented means (`numba.extending`).
"""
