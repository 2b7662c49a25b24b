"""The commands of `sudokuq`: what runs here, what talks to a service, what is a service."""
