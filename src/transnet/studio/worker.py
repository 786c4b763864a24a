"""The process that solves for one page: it reads jobs from its input and writes answers to its output.

It is a separate process, so that a solve that hangs can be killed and one that crashes affects nothing else. A message
is its length in four bytes, followed by its content: a job is JSON, an answer is a head in JSON and numbers.
"""

from __future__ import annotations

import json
import os
import signal
from typing import Any, BinaryIO

LENGTH = 4
STALE = getattr(signal, "SIGUSR1", None)
"""The signal that means that the answer is no longer wanted."""


class Stale(BaseException):
    """A newer job is waiting."""


def _stale(number: int, frame: Any) -> None:
    raise Stale


def read(stream: BinaryIO) -> bytes | None:
    """The next message; None at the end."""
    size = stream.read(LENGTH)
    if len(size) < LENGTH:
        return None
    return stream.read(int.from_bytes(size, "little"))


def write(stream: BinaryIO, message: bytes) -> None:
    """Send a message."""
    stream.write(len(message).to_bytes(LENGTH, "little") + message)
    stream.flush()


def main() -> None:
    """Answer jobs until the input ends."""
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed output must not get into the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes our input
    if STALE is not None:
        signal.signal(STALE, signal.SIG_IGN)
    from transnet.studio.answers import Answers

    state = Answers()
    write(answers, b"ready")
    while (job := read(jobs)) is not None:
        try:
            if STALE is not None:
                signal.signal(STALE, _stale)
            answer = state.answer(json.loads(job))
            if STALE is not None:
                signal.signal(STALE, signal.SIG_IGN)
        except Stale:
            answer = packed_answer({"stale": True})
        except MemoryError:
            answer = packed_answer({"error": {"text": "There is not enough memory for this solve. Use fewer neurons."}})
        write(answers, answer)


def packed_answer(head: dict[str, Any], arrays: tuple[Any, ...] = (), raw: bytes = b"") -> bytes:
    """An answer: the length of the head, the head as JSON padded to a multiple of four bytes, numbers as float32."""
    import numpy as np

    numbers = [np.ascontiguousarray(a, dtype="<f4") for a in arrays]
    text = json.dumps({**head, "sizes": [int(a.size) for a in numbers]}, allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    return b"".join([len(text).to_bytes(LENGTH, "little"), text, *(a.tobytes() for a in numbers), raw])


if __name__ == "__main__":
    main()
