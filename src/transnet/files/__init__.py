"""Problems as text: a small formula language that runs no code, and the TOML files written in it."""

from transnet.files.problem_file import ProblemFile, read_problem
from transnet.files.writing import write_problem
from transnet.language.errors import ProblemFileError

__all__ = ["ProblemFile", "ProblemFileError", "read_problem", "write_problem"]
