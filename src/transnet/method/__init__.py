"""The methods of solution, one file each. A method from outside is added by `tn.register`."""

from __future__ import annotations

from transnet.drive.method import Method
from transnet.method.blocks import Blocks
from transnet.method.cells import PlaneCells
from transnet.method.cross import FewAtATime
from transnet.method.march import InTime
from transnet.method.network import Network
from transnet.method.outside import OutsideBodies
from transnet.method.pieces import InCells
from transnet.method.shocks import Shocks
from transnet.method.tensor import Tensor
from transnet.method.trefftz import Trefftz

METHODS: dict[str, Method] = {}
"""Those from outside, by name."""


def register(method: Method) -> Method:
    """Add a method of solution."""
    METHODS[method.name] = method
    return method


def known_methods() -> tuple[Method, ...]:
    """All methods; what only one of them needs is imported when it is asked for its levels."""
    ours = (
        Trefftz(),
        OutsideBodies(),
        Shocks(),
        Tensor(),
        InTime(),
        Network(),
        PlaneCells(),
        Blocks(),
        InCells(),
        FewAtATime(),
    )
    return (*ours, *METHODS.values())
