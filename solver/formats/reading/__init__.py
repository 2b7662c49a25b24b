"""Shared code of the formats: turns text into cells, and cells into puzzles."""
