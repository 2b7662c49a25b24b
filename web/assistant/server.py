"""The MCP server with its tools."""

from collections.abc import Callable

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

from solver import __version__
from web.assistant import puzzle_tools
from web.assistant.generation_tool import generate
from web.assistant.job_tools import JobTools
from web.client import Client

_INSTRUCTIONS = (
    "Solve, check, rate, explain, and make Sudoku puzzles of any size and with any rules. The "
    "tools solve, rate, explain, and hint take one puzzle, and generate makes some. submit_job "
    "takes many, and read_job follows them. Don't solve puzzles yourself: the solutions of these "
    "tools are verified."
)
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_SENDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


def make_server(connect: Callable[[], Client]) -> MCPServer:
    """Return the server. `connect` returns a client for the service that runs jobs."""
    server = MCPServer(
        "sudokuq", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    jobs = JobTools(connect)
    server.add_tool(puzzle_tools.solve, annotations=_READS)
    server.add_tool(puzzle_tools.rate, annotations=_READS)
    server.add_tool(puzzle_tools.explain, annotations=_READS)
    server.add_tool(puzzle_tools.hint, annotations=_READS)
    server.add_tool(generate, annotations=_READS)
    server.add_tool(jobs.submit_job, annotations=_SENDS)
    server.add_tool(jobs.read_job, annotations=_READS)
    return server
