"""Tools for every request: its context, connection, errors, ids, spans, and compression."""
