"""SciPy's LAPACK without the rest of `scipy.linalg`, whose import takes longer than most solves."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import scipy

from transnet.interrupts import undisturbed

NAME = "scipy.linalg._flapack"


def _loaded() -> Any:
    """The module of the wrapped routines; `scipy.linalg.lapack` if it is not found on its own."""
    if NAME in sys.modules:
        return sys.modules[NAME]
    folder = Path(scipy.__file__).parent / "linalg"
    for suffix in EXTENSION_SUFFIXES:
        file = folder / f"_flapack{suffix}"
        spec = importlib.util.spec_from_file_location(NAME, file) if file.exists() else None
        if spec is not None and spec.loader is not None:
            try:
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
            except ImportError:
                break
            sys.modules[NAME] = module  # the one that scipy.linalg itself uses
            return module
    from scipy.linalg import lapack

    return lapack


_routines = undisturbed(_loaded)


def __getattr__(name: str) -> Any:
    return getattr(_routines, name)
