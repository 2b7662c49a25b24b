"""Conflict-driven clause learning (CDCL), for boards that backtracking search can't finish."""
