"""A page served to this machine alone, for others in the same browser reach 127.0.0.1 too; and how
it is told what changes.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Coroutine, Iterator

from aiohttp import web

HOSTS = ("127.0.0.1", "localhost")


@web.middleware
async def own_page(request: web.Request, handler: Any) -> web.StreamResponse:
    """Refuse what another page, or a name that only pretends to be this machine, asks for."""
    allowed = (None, f"http://{request.host}")
    host = request.host.partition(":")[0]
    if host not in HOSTS or request.headers.get("Origin") not in allowed:
        raise web.HTTPForbidden
    return await handler(request)


@contextlib.contextmanager
def told(ws: web.WebSocketResponse, news: Coroutine[Any, Any, None]) -> Iterator[None]:
    """Let `news` write to a page while it is open. A page that is told no more is closed, whatever
    the reason: it comes again and gets everything."""
    teller = asyncio.create_task(_tell(ws, news))
    try:
        yield
    finally:
        teller.cancel()


async def _tell(ws: web.WebSocketResponse, news: Coroutine[Any, Any, None]) -> None:
    try:
        await news
    except ConnectionError:
        pass
    except Exception:
        await ws.close()
        raise
