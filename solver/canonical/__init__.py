"""Canonical forms of 9×9 puzzles, which tell whether two puzzles are equal up to symmetry."""
