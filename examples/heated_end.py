"""A rod heated at its end: the temperatures of the end over time for which the rod is as wanted at the end of time.

    v_t = v_xx   on (0, 1) x (0, 1/2),   v(x, 0) = 0,   v(0, t) = 0,   v(1, t) = sum_k c_k sin^2(k pi t)

The wanted temperatures are those of known factors c, so that the best control is known, too; the error is the largest
distance of a factor from it. Derivatives come from marches of the tangents. Four to five seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
ACCURACY = 1e-3
TRUE = (0.8, -0.5)
END = 0.5

# Domain
x, t = sp.symbols("x t")
domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, END))

# Problem
v = tn.unknown("v", x, t)
c = sp.symbols("c1 c2")
control = sum(factor * sp.sin((k + 1) * sp.pi * t) ** 2 for k, factor in enumerate(c))
problem = tn.Problem(
    domain,
    [sp.Eq(sp.diff(v, t), sp.diff(v, x, 2))],
    [tn.on("t=0", sp.Eq(v, 0)), tn.on("x=0", sp.Eq(v, 0)), tn.on("x=1", sp.Eq(v, control))],
)
PLACES = np.stack([np.linspace(0.1, 0.9, 9), np.full(9, END)], axis=1)


# Solve
def main() -> tuple[tn.Solution, float]:
    wanted = tn.solve(problem, parameters=dict(zip(c, TRUE, strict=True)), tol=1e-7)(PLACES)
    best = tn.minimise(
        lambda solution: solution.misfit(v, PLACES, wanted),
        problem,
        over=list(c),
        parameters=dict.fromkeys(c, 0.2),
        tol=1e-6,
    )
    found = [best.parameters[factor] for factor in c]
    return best.solution, float(np.abs(np.subtract(found, TRUE)).max())


def picture(solution: tn.Solution) -> object:
    """The temperatures over place and time."""
    return solution.plot(v)


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"factors off by {error:.1e}")
    picture(solution)
