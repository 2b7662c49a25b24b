"""The general engine: any board of up to 64 values, by backtracking, then by clause learning."""
