"""Finished solves are kept, one JSON object per line, so that an interrupted report continues where it stopped."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from transnet.errors import TransnetError
from transnet.features.space import FeatureSpace
from transnet.paper.run import Job, job_of


class OutputError(TransnetError):
    """Results cannot be written where they should be."""


class Store:
    """Finished solves in a folder: `solves.jsonl`, and the hidden layers of trained networks.

    Parameters
    ----------
    folder : path
        Created if it does not exist.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        try:
            (self.folder / "networks").mkdir(parents=True, exist_ok=True)
            probe = self.folder / ".write-test"
            probe.write_text("")
            probe.unlink()
        except OSError as error:
            raise OutputError(
                f"The folder '{self.folder}' cannot be written: {error.strerror or error}. Choose another with --out."
            ) from error
        self._records: dict[Job, dict[str, Any]] = {}
        for line in self._lines():
            try:
                record = json.loads(line)
                self._records[job_of(record)] = record
            except (ValueError, KeyError, TypeError):
                continue  # an interruption can cut the last line

    @property
    def path(self) -> Path:
        return self.folder / "solves.jsonl"

    def _lines(self) -> list[str]:
        return self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []

    def __contains__(self, job: Job) -> bool:
        return job in self._records

    def add(self, record: dict[str, Any], space: FeatureSpace | None = None) -> None:
        """Keep a record, and the hidden layer if it was trained."""
        job = job_of(record)
        if space is not None:
            np.savez(self._network(job), weights=space.weights, biases=space.biases)
        self._records[job] = record
        # A line that was cut off must not swallow the next one.
        broken = self.path.exists() and self.path.read_bytes()[-1:] not in (b"\n", b"")
        with self.path.open("a", encoding="utf-8") as file:
            file.write(("\n" if broken else "") + json.dumps(record) + "\n")

    def records(self, jobs: Iterable[Job]) -> list[dict[str, Any]]:
        """The records of the finished ones among the jobs."""
        return [self._records[j] for j in jobs if j in self._records]

    def hidden_layer(self, job: Job) -> FeatureSpace | None:
        """The hidden layer of a trained PINN, if it was kept."""
        path = self._network(job)
        if not path.exists():
            return None
        with np.load(path) as file:
            return FeatureSpace(file["weights"], file["biases"])

    def _network(self, job: Job) -> Path:
        name = f"{job.case}-{job.method}-{job.neurons}-{job.seed}-{job.adam_steps}-{job.lbfgs_steps}.npz"
        return self.folder / "networks" / name
