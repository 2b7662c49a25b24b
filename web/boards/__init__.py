"""Drawings of boards as SVG and as text."""
