"""Plain search: propagate, guess, go back. Fast where little guessing is needed, or sums rule."""
