"""The HTTP API: its endpoints, its description, and conversions to its schemas."""
