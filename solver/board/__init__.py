"""Boards, puzzles, and results as plain data."""
