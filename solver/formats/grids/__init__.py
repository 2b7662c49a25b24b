"""Formats that write the cells of a grid, one after another."""
