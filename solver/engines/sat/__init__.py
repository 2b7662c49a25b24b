"""The SAT engine: boards above 64 values, and constraints that the other engines don't support."""
