"""The client, and the async client with blocking methods, so that tests can run with each."""

import asyncio
import inspect
from collections.abc import AsyncGenerator, Coroutine, Iterator
from threading import Thread
from typing import Any, Self

from web.client import Client
from web.client.async_client import AsyncClient

_END = object()


class BlockingAsyncClient:
    """An `AsyncClient` in an event loop of another thread, whose methods block.

    Its async generators become iterators. It must be used in a `with` statement, which closes it.
    """

    def __init__(self, url: str, **settings: Any) -> None:
        self._client = AsyncClient(url, **settings)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._client.close())
        self._run(self._loop.shutdown_asyncgens())
        self._run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)
        iterates = inspect.isasyncgenfunction(method)

        def call(*arguments: Any, **options: Any) -> Any:
            found = method(*arguments, **options)
            return self._iterate(found) if iterates else self._run(found)

        return call

    def _iterate(self, found: AsyncGenerator[Any, None]) -> Iterator[Any]:
        async def following() -> Any:
            return await anext(found, _END)

        try:
            while (each := self._run(following())) is not _END:
                yield each
        finally:
            self._run(found.aclose())

    def _run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


KINDS: tuple[Any, ...] = (Client, BlockingAsyncClient)
