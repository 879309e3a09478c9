"""A worker of a Dask cluster, in the process that it is called in."""

from __future__ import annotations

import asyncio
import logging

from distributed import Worker


def serve(scheduler: str, folder: str) -> None:
    """Work for a scheduler until it ends."""
    logging.disable()
    asyncio.run(_serve(scheduler, folder))


async def _serve(scheduler: str, folder: str) -> None:
    settings = {"nthreads": 1, "dashboard": False, "memory_limit": 0, "local_directory": folder}
    async with Worker(scheduler, **settings) as worker:
        await worker.finished()
