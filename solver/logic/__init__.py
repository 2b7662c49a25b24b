"""Human techniques, what they deduce, and how hard a puzzle is."""
