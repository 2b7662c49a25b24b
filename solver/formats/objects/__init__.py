"""Formats that describe a board: JSON objects and the notations of other programs."""
