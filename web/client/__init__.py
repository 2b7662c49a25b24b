"""Client libraries for a running service. The command line also uses them.

    from sudokuq import Client

    with Client("http://127.0.0.1:8000") as client:
        job = client.submit("53..7....6..195…")
        job = client.wait(job["id"])
        for result in client.results(job["id"]):
            print(result["n"], result["outcome"], result["solution"])

`async_client` contains the same client for programs that use asyncio. It isn't imported here,
because asyncio would delay the start of every command.
"""

from web.client.failures import Failure
from web.client.sync_client import Client

__all__ = ["Client", "Failure"]
