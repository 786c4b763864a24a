"""(c) DeepXDE: Adam, then L-BFGS, as its documentation advises for forward problems."""

import contextlib
import io

from measure import now, ours
from peers.deepxde_cases import CASES, Statement, dde, statement
from report import Figure, Part
from transnet.paper.cases import case

TARGET = 1000


def trained(stated: Statement, scale: float = 1.0) -> tuple[dde.Model, float, int]:
    """The trained model, its seconds, and the steps that L-BFGS took until its own end or the limit.

    `scale` shortens both phases.
    """
    adam, lbfgs = max(1, int(scale * stated.adam)), max(1, int(scale * stated.lbfgs))
    model = dde.Model(stated.data, dde.nn.FNN(list(stated.layers), "tanh", "Glorot normal"))
    weights = list(stated.weights)
    dde.optimizers.set_LBFGS_options(maxiter=lbfgs)
    # With PyTorch it goes in strides of 1000, which the limit does not shorten.
    dde.optimizers.config.LBFGS_options.update(iter_per_step=min(1000, lbfgs), fun_per_step=min(1250, 2 * lbfgs))
    with contextlib.redirect_stdout(io.StringIO()):
        begun = now()
        model.compile("adam", lr=1e-3, loss_weights=weights)
        model.train(iterations=adam, display_every=adam, verbose=0)
        model.compile("L-BFGS", loss_weights=weights)
        model.train(display_every=lbfgs, verbose=0)
        spent = now() - begun
    return model, spent, model.train_state.iteration - adam


def run(quick: bool, scale: float = 1.0) -> Part:
    rows, figures = [], []
    for name in CASES:
        what = case(name)
        with contextlib.redirect_stdout(io.StringIO()):
            stated = statement(name)
        model, spent, steps = trained(stated, scale)
        theirs = what.errors_of(model.predict(what.test_points))
        reached = ours(what, theirs.relative_l2)
        ratio = spent / reached.seconds if reached else 0.0
        mine = (reached.size, reached.seconds) if reached else ("-", "-")
        network = " x ".join(map(str, stated.layers[1:-1]))
        rows.append((name, network, steps, theirs.mse, theirs.relative_l2, spent, *mine, ratio))
        figures.append(Figure(f"(c) {name}: faster than DeepXDE", ratio, TARGET))
        print(f"   {name}: relative error {theirs.relative_l2:.1e} after {spent:.0f} s, ratio {ratio:.0f}", flush=True)
    header = (
        "case", "hidden layers", "L-BFGS steps", "its MSE", "its relative error", "its seconds", "our neurons",
        "our seconds", "ratio",
    )  # fmt: skip
    notes = (
        "tanh networks in double precision, one seed: 1000 steps of Adam, then at most 3000 of L-BFGS (2000 for C5, C6 "
        "and C8). Ours is the smallest network that reaches its error, the whole call."
    )
    return Part("(c) DeepXDE at its own error", header, rows, figures, notes)
