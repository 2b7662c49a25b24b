"""The engine of clauses, by a SAT solver: boards above 64 values, and parts no other knows."""
