"""Sudoku Explainer's techniques and ratings for classic 9×9 puzzles and six variants, in its order.

A rating depends on which of many equivalent deductions is taken first, and on the length of the
chain that happens to be found first. So the searches here visit cells, houses, and values in the
same order as Sudoku Explainer 1.2.1. That is why they are separate from `solver.logic.techniques`,
which work on any board and find deductions that people prefer. `docs/contributing/logic.md` lists
the differences.
"""
