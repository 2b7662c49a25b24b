"""The user interfaces: web pages, the HTTP API, the command line, and the Python clients.

The MCP server and the bridge for f-puzzles are here, too.
"""
