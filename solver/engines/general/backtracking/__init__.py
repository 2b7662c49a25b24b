"""Backtracking search with propagation.

Fast where few guesses are needed, or where sums dominate.
"""
