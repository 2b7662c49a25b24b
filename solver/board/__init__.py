"""What a board and a puzzle are, and what becomes of one: plain data."""
