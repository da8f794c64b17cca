"""A broker inside this PC, for those who have none: amqtt, on 127.0.0.1, in its own thread."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import random
import socket
import threading
from typing import Any, Iterator

PORTS = range(20_000, 32_000)  # below those a system hands out by itself
END_S = 2.0


def free_port() -> int:
    """A port of this PC where nobody listens. None that the system hands out by itself: while a
    broker is down, a connection could be given its port, or reach itself there."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


async def end(broker: Any) -> None:
    """amqtt waits for ever for a client it was letting in; asked again, it has forgotten it."""
    while True:
        with contextlib.suppress(asyncio.TimeoutError):
            return await asyncio.wait_for(broker.shutdown(), END_S)


@contextlib.contextmanager
def running(port: int) -> Iterator[tuple[str, int]]:
    """The broker while the block runs; gives its address."""
    from amqtt.broker import Broker

    logging.getLogger("amqtt").setLevel(logging.CRITICAL)
    logging.getLogger("transitions").setLevel(logging.CRITICAL)
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    held: list[Any] = []

    async def start() -> None:
        broker = Broker(
            {
                "listeners": {"default": {"type": "tcp", "bind": f"127.0.0.1:{port}"}},
                "plugins": {
                    "amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}
                },
            }
        )
        await broker.start()
        held.append(broker)
        ready.set()

    def work() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(start())
        loop.run_forever()

    thread = threading.Thread(target=work, name="broker", daemon=True)
    thread.start()
    if not ready.wait(20):
        raise RuntimeError(f"the broker does not start on port {port}")
    try:
        yield "127.0.0.1", port
    finally:
        ended = asyncio.run_coroutine_threadsafe(end(held[0]), loop)
        concurrent.futures.wait([ended], 10 * END_S)  # its trouble hides no other
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
