"""Verification of solutions, which shares no code with the engines."""
