"""The general engine: boards of up to 64 values, by backtracking search and by clause learning."""
