"""Ratings: those of HoDoKu and Sudoku Explainer, and our own for boards they don't cover."""
