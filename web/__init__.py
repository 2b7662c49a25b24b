"""The user interfaces: web pages, the HTTP API, and the command line."""
