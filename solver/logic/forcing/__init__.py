"""Forcing chains and nets: implications, their explanations, and the conclusions from them."""
