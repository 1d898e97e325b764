"""The line between the processes and the events server, which can be slow or break."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread

from api.cli.servers import HOST

READ = 65_536


@dataclass
class Line:
    """Passes bytes on in both directions, from a port of its own to the server's.

    Attributes:
        to_port: where the server is.
        delay_s: so long each piece of a request or an answer takes.
        breaks: the share of pieces that are passed on by half, before the connection is cut.
        broken: how many were, by direction.
    """

    to_port: int
    chance: random.Random
    delay_s: float = 0.0
    breaks: float = 0.0
    broken: dict[str, int] = field(default_factory=lambda: {"requests": 0, "answers": 0})
    port: int = 0

    def __enter__(self) -> Line:
        self._ready, self._loop = Event(), asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_until_complete, args=(self._serve(),))
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()
        self._loop.close()

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    async def _serve(self) -> None:
        self._over = asyncio.Event()
        server = await asyncio.start_server(self._connect, HOST, 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._over.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _connect(self, asks: asyncio.StreamReader, told: asyncio.StreamWriter) -> None:
        try:
            answers, asked = await asyncio.open_connection(HOST, self.to_port)
        except OSError:
            told.close()
            return
        ways = [self._pass(asks, asked, "requests"), self._pass(answers, told, "answers")]
        try:
            async with asyncio.TaskGroup() as both:
                for way in ways:
                    both.create_task(way)
        except* ConnectionError:
            pass  # either side may end it
        finally:
            asked.close()
            told.close()

    async def _pass(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, way: str
    ) -> None:
        while piece := await source.read(READ):
            await asyncio.sleep(self.delay_s)
            if self.chance.random() < self.breaks:
                self.broken[way] += 1
                target.write(piece[: len(piece) // 2])
                await target.drain()
                break
            target.write(piece)
            await target.drain()
        raise ConnectionResetError  # what one side ends is over for the other
