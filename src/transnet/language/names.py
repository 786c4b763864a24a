"""The names of one problem: what its formulas may use besides the words of the language."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp

from transnet.language.errors import FormulaError
from transnet.language.guarded import Value
from transnet.language.vocabulary import CONSTANTS, FUNCTIONS, IMAGINARY, OPERATORS, OTHER_NAMES
from transnet.problem import NormalComponent, curvature
from transnet.problem.unknowns import MOST_COORDINATES as MOST_COORDINATES

HIGHEST_ORDER = 8
"""Of a derivative."""


@dataclass(frozen=True)
class Names:
    """What the names in a formula stand for.

    Parameters
    ----------
    coordinates, unknowns, parameters : mappings from names to SymPy
        An unknown may be complex, an expression of its two parts, or a vector of its components.
    definitions : mapping from names to values
        Abbreviations.
    letters : mapping from names to SymPy
        The variables bound by integrals.
    """

    coordinates: Mapping[str, sp.Symbol] = field(default_factory=dict)
    unknowns: Mapping[str, sp.Expr] = field(default_factory=dict)
    parameters: Mapping[str, sp.Symbol] = field(default_factory=dict)
    definitions: Mapping[str, Value] = field(default_factory=dict)
    letters: Mapping[str, sp.Symbol] = field(default_factory=dict)

    @property
    def space(self) -> tuple[sp.Symbol, ...]:
        """The coordinates without time."""
        return tuple(c for name, c in self.coordinates.items() if name != "t")

    def find(self, name: str, offset: int) -> Value:
        """The value of a name, or an error that lists the known ones."""
        for known in (self.letters, self.coordinates, self.unknowns, self.parameters):
            if name in known:
                return Value(known[name])
        if name in self.definitions:
            return self.definitions[name]
        if name in CONSTANTS:
            return Value(*CONSTANTS[name])
        if name.startswith("n_") and name[2:] in self.coordinates:
            return Value(NormalComponent(self.coordinates[name[2:]]))
        if name == "curvature":
            return Value(curvature())
        derivative = self._subscripted(name)
        if derivative is not None:
            return Value(derivative)
        if name == IMAGINARY:
            return Value(sp.I)
        raise FormulaError(self._unknown_name(name), offset)

    def _subscripted(self, name: str) -> sp.Expr | None:
        """u_xx for the second derivative of the unknown u."""
        unknown, _, letters = name.rpartition("_")
        if unknown in self.unknowns and 0 < len(letters) <= HIGHEST_ORDER:
            if all(letter in self.coordinates for letter in letters):
                return sp.diff(self.unknowns[unknown], *(self.coordinates[letter] for letter in letters))
            if letters in self.coordinates:
                return sp.diff(self.unknowns[unknown], self.coordinates[letters])
        return None

    def _unknown_name(self, name: str) -> str:
        own = [*self.unknowns, *self.coordinates, *self.parameters, *self.definitions]
        functions = [*FUNCTIONS, *OPERATORS]
        if name in functions or name in OTHER_NAMES:
            return f"'{name}' is a function: write its argument in brackets, {name}(...)."
        close = difflib.get_close_matches(name[:40], [*own, *CONSTANTS, *functions], n=1)
        hint = f" Did you mean '{close[0]}'?" if close and len(name) > 1 else ""
        known = f" Known here: {', '.join(own[:20])}{', ...' if len(own) > 20 else ''}." if own else ""
        return f"There is no name '{name[:40]}'.{hint}{known} If it is a constant, add it to the parameters."
