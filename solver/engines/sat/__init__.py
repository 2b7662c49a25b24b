"""The engine for boards above 64 values, by a SAT solver of a library."""
