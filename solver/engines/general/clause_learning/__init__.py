"""Conflict-driven clause learning (CDCL), for boards that are too hard for backtracking search."""
