"""Forcing chains and nets: implications, conclusions from them, and their explanations."""
