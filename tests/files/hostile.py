"""Problem files that are wrong or mean harm, each with the line where that is and a word of the message.

Shared by the tests of the reader and of the command line.
"""

from __future__ import annotations

HEAD = """coordinates = ["x", "y"]
unknowns = ["u"]
domain = "Box(x=(0, 1), y=(0, 1))"
"""
GOOD = HEAD + 'equations = ["laplacian(u) = 1"]\nconditions = ["u = 0 on boundary"]\n'


def _equation(text: str) -> str:
    return HEAD + f"equations = ['''{text}''']\nconditions = [\"u = 0 on boundary\"]\n"


def _condition(text: str) -> str:
    return HEAD + f"equations = [\"laplacian(u) = 1\"]\nconditions = ['''{text}''']\n"


def _domain(text: str) -> str:
    return GOOD.replace("Box(x=(0, 1), y=(0, 1))", text)


_laughs = "\n".join(f'a{k} = "a{k - 1}*sin(a{k - 1}) + a{k - 1}"' for k in range(1, 40))

HOSTILE: dict[str, tuple[str, int, str]] = {
    # code in formulas
    "import": (_equation("__import__('os').system('touch /tmp/pwned') = u"), 4, "means nothing"),
    "attribute": (_equation("u.__class__.__mro__ = 0"), 4, "means nothing"),
    "call of eval": (_equation("eval(u) = 0"), 4, "no function 'eval'"),
    "lambda": (_equation("(lambda: 1)() + u = 0"), 4, "means nothing"),
    "comprehension": (_equation("[x for x in y] = u"), 4, "for"),
    "code in a domain": (_domain("Mesh('/etc/passwd')"), 3, "mesh"),
    "a mesh from elsewhere": (_domain("Mesh('../../secret.stl')"), 3, "mesh"),
    # too much work
    "tower of powers": (_equation("laplacian(u) = 9**9**9**9"), 4, "exponent"),
    "factorial": (_equation("laplacian(u) = factorial(10**9)"), 4, "no function"),
    "tower of exponentials": (_equation("laplacian(u) = max(exp(exp(exp(9))), 1)"), 4, "moderate size"),
    "growing power": (_equation("laplacian(u) = (1 + 1/10**9)**(10**9)"), 4, "exponent"),
    "deep brackets": (_equation("laplacian(u) = " + "(" * 5000 + "1" + ")" * 5000), 4, "nested"),
    "deep signs": (_equation("laplacian(u) = " + "-" * 5000 + "1"), 4, "nested"),
    "deep functions": (_equation("laplacian(u) = " + "sin(" * 5000 + "x" + ")" * 5000), 4, "nested"),
    "long fractions": (
        _equation("laplacian(u) = " + "+".join(f"1/{10**30 + k}" for k in range(900))),
        4,
        "fractions",
    ),
    "huge derivative": (_equation("diff(" + "exp(sin(" * 20 + "x" + "))" * 20 + ", x, 8) = u"), 4, "derivative"),
    "a billion laughs": (
        GOOD + '[definitions]\na0 = "x"\n' + _laughs + "\n",
        14,
        "too large",
    ),
    "long formula": (_equation("laplacian(u) = " + "x+" * 40_000 + "1"), 4, "characters"),
    "ten megabytes": ("# " + "x" * 10_000_000 + "\n" + GOOD, 1, "larger than"),
    "deep arrays": (GOOD + "solve = " + "[" * 100_000 + "]" * 100_000, 1, "nested"),
    "many shapes": (_domain(" | ".join("Disk()" for _ in range(500))), 3, "more than"),
    "long names": (_equation("laplacian(u) = " + "x" * 30_000), 4, "no name"),
    "many equations": (GOOD.replace('["laplacian(u) = 1"]', str(["laplacian(u) = 1"] * 300)), 4, "at most"),
    # mistakes
    "unknown name": (_equation("laplacian(u) = q*x"), 4, "no name 'q'"),
    "misspelt function": (_equation("laplacan(u) = x"), 4, "laplacian"),
    "no equal sign": (_equation("laplacian(u)"), 4, "'='"),
    "two equal signs": (_equation("u = 1 = 2"), 4, "one sign"),
    "missing bracket": (_equation("laplacian(u = 1"), 4, "Expected ')'"),
    "division by zero": (_equation("u = x/(1 - 1)"), 4, "divides by zero"),
    "root of a negative number": (_equation("u = sqrt(-2)"), 4, "real"),
    "missing section": ('coordinates = ["x"]\nunknowns = ["u"]\n', 1, "no 'domain'"),
    "wrong type": (GOOD.replace('["u"]', "3"), 2, "list of texts"),
    "unknown key": (GOOD + "[solve]\ntolerance = 1e-6\n", 7, "'tol'"),
    "wrong tolerance": (GOOD + "[solve]\ntol = 3\n", 7, "between 0 and 1"),
    "not TOML": (GOOD.replace('"Box', "Box"), 3, "TOML"),
    "not text": (GOOD + 'title = "\udcff"\n', 6, "UTF-8"),
    "unknown part": (_condition("u = 0 on lefft"), 5, "left"),
    "no place": (_condition("u = 0"), 5, "where it holds"),
    "point outside of the space": (_condition("u = 0 at (0, 0, 0)"), 5, "entries"),
    "empty box": (_domain("Box(x=(1, 0), y=(0, 1))"), 3, "reversed"),
    "empty domain": (_domain("Disk() - Disk(radius=2)"), 3, "empty"),
    "infinite parameter": (GOOD + "[parameters]\na = inf\n", 7, "finite"),
    "reserved name": (GOOD.replace('["u"]', '["sin"]'), 2, "meaning of its own"),
    "second place of a list": (
        HEAD + 'equations = ["laplacian(u) = 1"]\nconditions = [\n  "u = 0 on left",\n  "u = on right",\n]\n',
        7,
        "should follow",
    ),
}
