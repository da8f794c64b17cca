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
START_S = 20.0
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
    began: concurrent.futures.Future[Any] = concurrent.futures.Future()

    async def serve() -> None:
        loop, over = asyncio.get_running_loop(), asyncio.Event()

        def told(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            """amqtt lets go of tasks: what a client's leaving or the end breaks off is no news."""
            if not (over.is_set() or isinstance(context.get("exception"), ConnectionError)):
                loop.default_exception_handler(context)

        loop.set_exception_handler(told)
        broker = Broker(
            {
                "listeners": {"default": {"type": "tcp", "bind": f"127.0.0.1:{port}"}},
                "plugins": {
                    "amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}
                },
            }
        )
        try:
            await broker.start()
        except Exception as error:
            return began.set_exception(OSError(f"its broker on port {port}: {error}"))
        began.set_result(lambda: loop.call_soon_threadsafe(over.set))
        await over.wait()
        await end(broker)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="broker", daemon=True)
    thread.start()
    try:
        stop = began.result(START_S)
    except concurrent.futures.TimeoutError:
        raise OSError(f"its broker on port {port} does not begin") from None
    try:
        yield "127.0.0.1", port
    finally:
        stop()
        thread.join(10 * END_S)  # its trouble hides no other
