"""Connections that send no request are closed: half of one, again and again, would block the server."""

from __future__ import annotations

from asyncio import Transport
from typing import Any

PATIENCE = 5.0
"""Seconds for the headers of a request; a connection that waits for the second time after these is closed."""


def impatient_protocol() -> type:
    """The HTTP protocol that uvicorn would take, which closes connections without a request."""
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Plain
    except ImportError:
        from uvicorn.protocols.http.h11_impl import H11Protocol as Plain  # type: ignore[assignment]

    class Impatient(Plain):
        waited: Any = False

        def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.loop.call_later(PATIENCE, self._look)

        def _look(self) -> None:
            """Close the connection if it waited at the last look for the request that it still waits for."""
            if self.transport.is_closing() or self.transport.get_protocol() is not self:  # it became a WebSocket
                return
            waits = self.cycle is None or self.cycle.response_complete
            if waits and self.waited == (self.cycle,):
                self.transport.close()
                return
            self.waited = (self.cycle,) if waits else False
            self.loop.call_later(PATIENCE, self._look)

    return Impatient
