"""Symmetries of puzzles, and canonical forms, which are equal for puzzles that are symmetric."""
