"""Results of jobs: queries, sort orders, rows, output formats, and downloads."""
