"""From text to cells and puzzles: what formats share."""
