"""The canonical form of 9×9 puzzles: which of them are the same up to symmetry."""
