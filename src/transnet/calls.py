"""Messages for calls with arguments that do not exist: a misspelt keyword is answered with the one that was meant."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from transnet.arguments import first_misfit
from transnet.errors import ArgumentError, FileError, TransnetError

CLOSE = 0.7
"""How similar a misspelt keyword is to the one meant: 'nuerons' is similar enough, 'epochs' and 'points' are not."""
OTHERS = {
    "verbose": "progress", "verbosity": "progress", "disp": "progress", "callback": "watch", "timeout": "seconds",
    "time_limit": "seconds", "max_time": "seconds", "rtol": "tol", "atol": "tol", "tolerance": "tol", "eps": "tol",
    "width": "neurons", "hidden": "neurons", "units": "neurons", "params": "parameters", "initial_guess": "guess",
    "x0": "guess", "init": "guess", "random_state": "seed", "n": "points",
    "conductivity": "k", "diffusivity": "k", "lambda_": "k", "rho": "density", "c": "capacity",
    "heat_capacity": "capacity", "q": "source", "young": "E", "youngs_modulus": "E", "poisson": "nu",
    "mu": "viscosity", "epsilon": "permittivity", "eps_r": "permittivity", "mu_r": "permeability",
    "sigma": "conductivity", "omega": "frequency", "f": "frequency", "alpha": "expansion",
    "wave_number": "wavenumber", "how_many": "count", "number": "count", "k": "count",
}  # fmt: skip
"""What other libraries and textbooks call arguments."""
TRAINING = (
    "epochs", "epoch", "iterations", "max_iter", "maxiter", "steps", "optimizer", "optimiser", "lr", "learning_rate",
    "batch_size", "loss", "loss_weights", "metrics",
)  # fmt: skip
"""Arguments of trainings."""

T = TypeVar("T", bound=Callable[..., Any])


def explained(made: T) -> T:
    """A function, or a class, whose wrong calls raise an `ArgumentError` that says what it takes.

    A correct call costs nothing extra. Only if it fails are the arguments checked: whether they exist, and are of the
    kinds that the signature declares.
    """
    if inspect.isclass(made):
        made.__init__ = _guarded(made.__init__, None)  # type: ignore[method-assign]
        return made
    return _guarded(made, made.__qualname__)


def _guarded(function: Any, name: str | None) -> Any:
    signature = inspect.signature(function)

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except TransnetError:
            raise
        except (TypeError, ValueError, AttributeError, OverflowError) as error:
            called = name or type(args[0]).__name__  # for a class, the instance
            try:
                wrong = first_misfit(signature, args, keywords)
            except TypeError as cause:
                raise ArgumentError(_reason(called, signature, args, keywords, cause)) from None
            if wrong is None and "inhomogeneous shape" in str(error):
                raise ArgumentError(
                    f"{called}: a list has rows of different lengths. Give each as many entries."
                ) from None
            if wrong is None:
                raise  # it comes from inside
            argument, kind, given = wrong
            raise ArgumentError(f"{called}: {argument} is {kind}, not {shown(given)}.") from None

    return call


def _reason(
    name: str, signature: inspect.Signature, args: tuple[Any, ...], keywords: Mapping[str, Any], cause: TypeError
) -> str:
    own = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
    stars: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    names = [p.name for p in own if p.kind not in stars]
    has = f"It takes: {', '.join(stars.get(p.kind, '') + p.name for p in own)}." if own else "It takes no arguments."
    if not any(p.kind == p.VAR_KEYWORD for p in own):
        for keyword in keywords:
            if keyword not in names:
                alike = [n for n in names if n.startswith(keyword) or keyword.startswith(n)]
                alike += [n for n in (OTHERS.get(keyword.lower(), ""),) if n in names]
                alike += difflib.get_close_matches(keyword, names, n=1, cutoff=CLOSE)
                hint = f" Did you mean '{alike[0]}'?" if alike else ""
                if not alike and keyword.lower() in TRAINING:
                    hint = " Nothing is trained here: the output weights are one least-squares solution."
                elif not alike and "parameters" in names:
                    hint = f" A parameter of the problem is given as parameters={{{keyword}: ...}}."
                return f"{name} has no argument '{keyword}'.{hint} {has}"
    given = len(args) - (len(signature.parameters) - len(own))  # without self
    positional = [p for p in own if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = [*positional[max(given, 0) :], *(p for p in own if p.kind == p.KEYWORD_ONLY)]
    missing = [p.name for p in needed if p.default is p.empty and p.name not in keywords]
    if missing:
        return f"{name} was called without {' and '.join(map(repr, missing))}. {has}"
    if given > len(positional):
        first = [p.name for p in positional]
        rest = [n for n in names if n not in first]
        by_name = f" Give the others by name, such as {rest[0]}=...: {', '.join(rest)}." if rest else ""
        count = "one argument" if len(first) == 1 else f"{len(first) or 'no'} arguments"
        return f"{name} takes {count} without a name ({', '.join(first)}), but {given} were given.{by_name}"
    return f"{name}: {cause}. {has}"


def shown(value: Any, width: int = 80) -> str:
    """A value given by a user, for a message: short, on one line, whatever its own `repr` does."""
    try:
        text = repr(value)
    except Exception:  # an object that cannot be printed, or an integer with more digits than Python prints
        text = f"a value of type {type(value).__name__}"
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= width else f"{text[: width - 3]}..."


def file_path(path: Any) -> Path:
    """The path for what a user passed as one."""
    try:
        return Path(path)
    except TypeError:
        raise FileError(f"The name of a file is a text or a pathlib.Path, not {shown(path)}.") from None


def there(question: Callable[[], bool]) -> bool:
    """The result of `path.is_file`, `is_dir` or `exists`; False for a name that no file can have, such as one of 500
    letters."""
    try:
        return question()
    except (OSError, ValueError):
        return False
