"""The worker processes."""
