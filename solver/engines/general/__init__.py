"""The general engine: any board up to 64 values, by plain search, then by learning."""
