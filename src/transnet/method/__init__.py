"""The methods of solution, one file each. A method from outside is added by `tn.register`."""

from __future__ import annotations

from transnet.drive.method import Method
from transnet.method.cross import Cross
from transnet.method.march import March
from transnet.method.network import Network
from transnet.method.pieces import InCells
from transnet.method.tensor import Tensor
from transnet.method.trefftz import Trefftz

_added: list[Method] = []


def register(method: Method) -> Method:
    """Add a method of solution."""
    _added[:] = [*(m for m in _added if m.name != method.name), method]
    return method


def known_methods() -> tuple[Method, ...]:
    """All methods; what only one of them needs is imported when it is asked for its levels."""
    return (Trefftz(), Tensor(), March(), Network(), InCells(), Cross(), *_added)
