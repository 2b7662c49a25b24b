"""The techniques: one small module per technique or family of closely related techniques.

They work on any board and find deductions that people prefer, in HoDoKu's order.
`solver.logic.sudoku_explainer` searches for some of them again, because a rating depends on the
order in which Sudoku Explainer finds them.
"""
