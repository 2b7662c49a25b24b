"""The commands of `sudokuq`: local ones, clients of a service, and those that run a service."""
