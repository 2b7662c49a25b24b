"""Conflict-driven clause learning: the search for boards where plain guessing is lost."""
