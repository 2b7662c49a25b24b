"""The engines, which find solutions, and their common interface."""
