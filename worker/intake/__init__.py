"""From a stream of bytes to blocks of records, and to a job; or to a refusal."""
