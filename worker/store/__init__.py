"""What lies in Redis, and the only code that names a key."""
