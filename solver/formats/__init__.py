"""Text to puzzles: one module per family of formats."""
