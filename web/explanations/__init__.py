"""Explanations of puzzles: finding or computing them, and preparing them for pages and JSON."""
