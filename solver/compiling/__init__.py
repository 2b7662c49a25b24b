"""Numba compilation, and helpers for compiled code: bit operations, vectors, and arrays."""
