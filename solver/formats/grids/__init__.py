"""Formats that list the cells of a grid in reading order."""
