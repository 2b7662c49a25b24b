"""The engine for classic 9×9 puzzles, which solves one puzzle in each lane of a vector."""
