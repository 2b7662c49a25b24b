"""The Lua scripts beside this module: each one step of the store that must not be torn apart."""

from importlib.resources import files
from typing import Any

from redis import Redis

from worker.store.keys import JobKeys


class Scripts:
    """Runs the scripts on the keys of one job; their headers say what they do."""

    def __init__(self, redis: Redis) -> None:
        folder = files("worker.store") / "lua"
        self._scripts = {
            entry.name.removesuffix(".lua"): redis.register_script(entry.read_text("utf-8"))
            for entry in folder.iterdir()
            if entry.name.endswith(".lua")
        }

    def run(self, name: str, keys: JobKeys, *arguments: str | bytes | int | float) -> Any:
        """Run one script; its header tells what it expects and returns."""
        return self._scripts[name](keys=keys.shared, args=list(arguments))
