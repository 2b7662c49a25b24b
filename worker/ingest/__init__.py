"""Ingest: from a stream of bytes to blocks of records and a job, or to a rejection."""
