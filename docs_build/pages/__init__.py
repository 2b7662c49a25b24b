"""The generated part of each page of the reference."""
