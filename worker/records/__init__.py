"""What a chunk stores of its records: blocks of records to solve, and columns of results."""
