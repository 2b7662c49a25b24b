"""The classic engine: plain 9×9 puzzles, many at once, one in each lane of a vector."""
