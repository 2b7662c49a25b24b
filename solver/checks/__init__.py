"""Is this a solution? Checks of grids that share nothing with an engine."""
