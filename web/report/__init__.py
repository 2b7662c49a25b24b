"""Reports on a collection of puzzles that is to be published."""
