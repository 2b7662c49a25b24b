"""The front doors: pages, HTTP API and command line."""
