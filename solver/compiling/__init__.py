"""Compiling with Numba, and what all compiled code needs: bits, vectors, tables."""
