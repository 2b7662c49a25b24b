"""`sudokuq mcp` with the client of the MCP SDK, over real standard input and output."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, TextContent
from own_thread import in_own_thread
from terminals import SUDOKUQ

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TINY = "12.4...2....4..1"
EMPTY = "." * 16
NOWHERE = "http://127.0.0.1:1"


def talk(conversation: Callable[[Client], Awaitable[None]], *, url: str = NOWHERE) -> None:
    """Start `sudokuq mcp`, run a conversation with it of at most 120 s, and stop it.

    `url` is the URL of the service for jobs, by default one at which there is no service.
    """

    async def run() -> None:
        command = StdioServerParameters(
            command=SUDOKUQ[0], args=[*SUDOKUQ[1:], "mcp"], env={**os.environ, "SUDOKUQ_URL": url}
        )
        async with Client(stdio_client(command)) as client:
            await conversation(client)

    in_own_thread(lambda: asyncio.run(asyncio.wait_for(run(), 120)))


async def call(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """Call a tool that succeeds, and return its structured output."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def failure(client: Client, tool: str, **arguments: object) -> str:
    """Call a tool that fails, and return its message."""
    result: CallToolResult = await client.call_tool(tool, arguments)
    assert result.is_error
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def test_single_puzzles_need_no_service() -> None:
    async def conversation(client: Client) -> None:
        await check_descriptions(client)
        await check_answers(client)
        await check_mistakes(client)

    talk(conversation)


async def check_descriptions(client: Client) -> None:
    assert client.server_info is not None
    assert client.server_info.name == "sudokuq"
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert [*tools] == ["solve", "rate", "explain", "hint", "generate", "submit_job", "read_job"]
    for tool in tools.values():
        assert tool.description
        assert tool.output_schema is not None
        for parameter in tool.input_schema["properties"].values():
            assert parameter["description"]
        for member in tool.output_schema["properties"]:
            assert member in tool.output_schema["required"]
    assert tools["hint"].annotations is not None
    assert tools["hint"].annotations.read_only_hint


async def check_answers(client: Client) -> None:
    made = await call(client, "generate", count=2, symmetry="180")
    assert [(await call(client, "solve", puzzle=each))["unique"] for each in made["puzzles"]] == (
        [True, True]
    )
    assert made["given_up"] == 0
    solved = await call(client, "solve", puzzle=EASY)
    assert (solved["outcome"], solved["unique"], solved["guesses"]) == ("solved", True, 0)
    assert "".join(solved["rows"]) == SOLVED
    many = await call(client, "solve", puzzle=EMPTY, limit=5)
    assert (many["outcome"], many["solutions"]) == ("multiple", 5)
    diagonal = await call(client, "solve", puzzle=EMPTY, limit=1000, variant="diagonal")
    assert diagonal["solutions"] == 48
    none = await call(client, "solve", puzzle="123...4.........")
    assert (none["outcome"], none["rows"]) == ("unsolvable", None)

    rated = await call(client, "rate", puzzle=EASY)
    assert (rated["rating"], rated["difficulty"]) == (1.2, "easy")
    assert rated["techniques"]["Naked Single"] > 0

    explained = await call(client, "explain", puzzle=EASY)
    assert explained["solved"]
    assert explained["total_steps"] == 51
    assert [step["number"] for step in explained["steps"]] == [*range(1, 51)]
    last = await call(client, "explain", puzzle=EASY, first_step=51)
    (step,) = last["steps"]
    assert step["number"] == 51
    ((cell, value),) = [(each["cell"], each["value"]) for each in step["placements"]]
    assert SOLVED[9 * (int(cell[1]) - 1) + int(cell[3]) - 1] == value

    texts = [(await call(client, "hint", puzzle=EASY, level=level))["text"] for level in (1, 2, 3)]
    assert texts[0].startswith("Look at ")
    assert texts[1].endswith(texts[0].removeprefix("Look at "))
    assert len(texts[2]) > len(texts[0])


async def check_mistakes(client: Client) -> None:
    assert "5 twice in row 1" in await failure(client, "solve", puzzle=f"55{EASY[2:]}")
    assert "found 2" in await failure(client, "solve", puzzle=f"{EASY}\n{EASY}")
    assert "more than one solution" in await failure(client, "rate", puzzle=EMPTY)
    assert "more than one solution" in await failure(client, "hint", puzzle=EMPTY)
    assert "Did you mean" in await failure(client, "solve", puzzle=EMPTY, variant="diagonl")
    assert "limit" in await failure(client, "solve", puzzle=EMPTY, limit=0)
    assert "either `puzzles` or `file`" in await failure(client, "submit_job")
    missing = "/none/of/these.txt: No such file or directory"
    assert missing in await failure(client, "submit_job", file="/none/of/these.txt")
    assert "`sudokuq up` starts it" in await failure(client, "submit_job", puzzles=TINY)


@pytest.mark.redis
def test_jobs_run_on_the_service(live: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(f"{EASY}\n{TINY}\nxx\n")

    async def conversation(client: Client) -> None:
        sent = await call(client, "submit_job", file=str(file), rate=True)
        assert (sent["name"], sent["total"], sent["results"]) == ("mine.txt", 3, [])
        job = sent
        while job["state"] != "finished":
            job = await call(client, "read_job", job_id=sent["id"], wait_seconds=10)
        assert job["page"].startswith(live)
        assert (job["outcomes"]["solved"], job["outcomes"]["invalid"]) == (2, 1)
        assert [result["n"] for result in job["results"]] == [1, 2, 3]
        assert job["results"][0]["rating"] == 1.2
        some = await call(client, "read_job", job_id=sent["id"], outcome="invalid", count=1)
        assert [result["n"] for result in some["results"]] == [3]
        text = await call(client, "submit_job", puzzles=TINY, name="one")
        assert (text["name"], text["total"]) == ("one", 1)
        assert "Unknown job" in await failure(client, "read_job", job_id="x" * 22)

    talk(conversation, url=live)
