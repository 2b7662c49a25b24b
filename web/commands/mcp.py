"""The command that serves tools to an assistant."""

import click

from web.commands.remote import connect, service_options


@click.command()
@service_options
def mcp(url: str | None, api_key: str | None) -> None:
    """Serve tools to an assistant with the Model Context Protocol (MCP).

    Assistants start this command themselves and talk to it over its standard input and output. The
    tools solve, rate, explain, and make puzzles on this machine. The tools for jobs use a running
    service.

    \b
    Example:
      sudokuq mcp --url https://sudoku.example.org

    \b
    In the configuration of an assistant:
      {"mcpServers": {"sudokuq": {"command": "sudokuq", "args": ["mcp"]}}}
    """
    # Loading the engines and the SDK takes two seconds, and the help doesn't need them.
    from web.assistant.server import make_server  # noqa: PLC0415

    make_server(lambda: connect(url, api_key)).run("stdio")
