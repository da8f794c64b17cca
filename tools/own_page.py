"""A page served to this machine alone: others in the same browser reach 127.0.0.1 too."""

from __future__ import annotations

from typing import Any

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
