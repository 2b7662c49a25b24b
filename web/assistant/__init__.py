"""The MCP server, which gives assistants the tools of sudokuq over standard input and output."""
