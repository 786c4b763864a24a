"""Where a problem holds: shapes, their combinations and products, and samples of them."""

from transnet.measure.sampling import quasi

from .annulus import Annulus, Shell
from .ball import Ball, Disk
from .box import Box
from .csg import Combination
from .curve import Curve
from .curved import Sphere, Torus
from .domain import Domain, Surface
from .exterior import Exterior
from .implicit import LevelSet
from .interval import Interval
from .mesh import Mesh
from .partition import Pieces
from .polygon import Polygon
from .product import Product
from .region import Region
from .slit import Segment, Slit

__all__ = [
    "Annulus", "Ball", "Box", "Combination", "Curve", "Disk", "Domain", "Exterior", "Interval", "LevelSet", "Mesh",
    "Pieces", "Polygon", "Product", "Region", "Segment", "Shell", "Slit", "Sphere", "Surface", "Torus", "quasi",
]  # fmt: skip
