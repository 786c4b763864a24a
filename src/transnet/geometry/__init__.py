"""Where a problem holds: shapes, their combinations and products, and samples of them."""

from .annulus import Annulus, Shell
from .ball import Ball, Disk
from .box import Box
from .csg import Combination
from .domain import Domain, Surface
from .interval import Interval
from .product import Product
from .sampling import quasi

__all__ = [
    "Annulus",
    "Ball",
    "Box",
    "Combination",
    "Disk",
    "Domain",
    "Interval",
    "Product",
    "Shell",
    "Surface",
    "quasi",
]
