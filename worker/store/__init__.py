"""Everything that is stored in Redis, and the only code that names its keys."""
