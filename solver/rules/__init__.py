"""Constraint rules beyond houses and not-equal pairs, one module per family, and their registry."""
