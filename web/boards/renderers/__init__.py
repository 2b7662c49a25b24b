"""Renderers that draw rules and houses on the canvas of a board."""
