"""Sudoku Explainer's way: its techniques in its order, its ratings, for classic 9×9 puzzles.

A rating depends on which of many equal deductions is taken first, and on the length of the chain
that happens to be found first. So the finders here look at cells, houses and values in the order
in which Sudoku Explainer 1.2.1 does. That is why they are not those of `solver.logic.techniques`,
which find what people would rather see, on any board.
"""
