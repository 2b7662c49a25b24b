"""Solve layouts by backtracking search with propagation.

It is faster than clause learning if few guesses are needed, or if sums dominate.
"""
