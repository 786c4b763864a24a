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

_sines = "*".join(f"sin({k}*x)" for k in range(1, 13))
_maxima = "\n".join(f'a{k} = "max(a{k - 1}*y, {k}*x*y, a{k - 1} + {k}*y)"' for k in range(1, 21))
_bessels = "+".join(f"besselj({k % 40}, {k}*x*y)" for k in range(1, 201))

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
    "a tower behind a coordinate": (_equation("laplacian(u) = 9**(9**(9+x-x))"), 4, "exponent"),
    "a tower of roots": (_equation("laplacian(u) = " + "**".join(["(1/3)"] * 30) + " - atan(1e300)"), 4, "tower"),
    "zero to a coordinate": (_equation("laplacian(u) = (1 - 1)**y"), 4, "power of zero"),
    "a factor behind a coordinate": (_equation("laplacian(u) = 3**(10**9*(1+x-x))"), 4, "exponent"),
    "a derivative that is a number": (_equation("laplacian(u) = 9**(9**(9*diff(x, x)))"), 4, "exponent"),
    "exponentials behind a coordinate": (_equation("laplacian(u) = max(exp(exp(exp(9) + x - x)), 1)"), 4, "moderate"),
    "twelve sines": (_equation(f"diff({_sines}, x, 3) = laplacian(u)"), 4, "derivative"),
    "seven hundred terms": (
        _equation("laplacian(u) = " + "+".join(f"sin({k}*x)" for k in range(1, 701))),
        4,
        "too large",
    ),
    "maxima through definitions": (
        GOOD.replace("= 1", "= a20") + '[definitions]\na0 = "x"\n' + _maxima + "\n",
        11,
        "more than 12",
    ),
    "two hundred Bessel functions": (
        _domain(f"LevelSet(x**2+y**2-1+0.001*({_bessels}), x=(-2,2), y=(-2,2))"),
        3,
        "too large",
    ),
    "three hundred disks that all meet": (
        _domain(" & ".join(f"Disk(center=({k / 1000}, 0))" for k in range(300))),
        3,
        "too many to join",
    ),
    "nine integrals inside each other": (
        _equation("laplacian(u) = " + "integral(max(" * 9 + "x*y" + ", y), s, 0, x)" * 9),
        4,
        "More than 4 integrals",
    ),
    "a deep nest of numbers": (
        _equation("laplacian(u) = " + "re(sqrt(1 + I*" * 12 + "2" + "))" * 12 + "*q"),
        4,
        "no name 'q'",
    ),
    "a deep nest of Bessel functions": (
        _equation("laplacian(u) = " + "besselj(1, atan2(1, 1 + " * 12 + "2" + "))" * 12 + "*q"),
        4,
        "no name 'q'",
    ),
    "a deep nest of real parts of error functions": (
        _equation("laplacian(u) = " + "im(exp(I*erf(" * 12 + "u" + ")))" * 12 + "*q"),
        4,
        "no name 'q'",
    ),
    "derivatives of derivatives": (_equation("div(grad(" * 12 + "u" + "))" * 12 + " = 1"), 4, "at most 8"),
    "a key of dots": (GOOD + "a." * 50_000 + "b = 1\n", 6, "parts"),
    "a table of dots": (GOOD + "[" + "a." * 50_000 + "b]\n", 6, "parts"),
    "an inner key of dots": (GOOD + "title = {" + "a." * 50_000 + "b = 1}\n", 6, "parts"),
    "infinity": (_equation("laplacian(u) = coth(-min(cot(dn(0)), 1e-5))"), 4, "moderate size"),
    "another infinity": (_equation("laplacian(u) = 1/(x - x)"), 4, "zero"),
    "400 digits": (_equation("laplacian(u) = " + "9" * 400), 4, "40 are read"),
    "a parameter of 400 digits": (GOOD + "[parameters]\na = " + "9" * 400 + "\n", 7, "64 bits"),
    "a parameter of 5000 digits": (GOOD + "[parameters]\na = " + "9" * 5000 + "\n", 7, "digits"),
    "a seed of 5000 digits": (GOOD + "[solve]\nseed = " + "9" * 5000 + "\n", 7, "digits"),
    "a weight of 400 digits": (
        GOOD.replace('"u = 0 on boundary"', '{on = "boundary", equations = "u = 0", weight = ' + "9" * 400 + "}"),
        5,
        "64 bits",
    ),
    "a value of 400 digits": (
        GOOD.replace('"u = 0 on boundary"', '{data = "u", points = [[0, 0]], values = [' + "9" * 400 + "]}"),
        5,
        "64 bits",
    ),
    "a vector as level set": (_domain("LevelSet([x, y], x=(-2, 2), y=(-2, 2))"), 3, "formula for a number"),
    "an enormous annulus": (_domain("Annulus(inner=1e-12, outer=1e308)"), 3, "unit of length"),
    "a direction mark in a name": (GOOD.replace('["u"]', '["\\u202eu"]'), 2, "cannot be a name"),
    "a command in a name": (GOOD.replace('["u"]', "['\\href{http://x}{u}']"), 2, "cannot be a name"),
    "deep brackets": (_equation("laplacian(u) = " + "(" * 5000 + "1" + ")" * 5000), 4, "nested"),
    "deep signs": (_equation("laplacian(u) = " + "-" * 5000 + "1"), 4, "nested"),
    "deep functions": (_equation("laplacian(u) = " + "sin(" * 5000 + "x" + ")" * 5000), 4, "nested"),
    "long fractions": (
        _equation("laplacian(u) = " + "+".join(f"1/{10**30 + k}" for k in range(300))),
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
    # files elsewhere, and codes for a terminal
    "a picture above its folder": (GOOD + '[results]\n"../../evil" = "plot(u)"\n', 7, "folder"),
    "a picture with a full path": (GOOD + '[results]\n"/dev/evil" = "plot(u)"\n', 7, "folder"),
    "a table above its folder": (
        GOOD + '[results]\na = {along = [[0, 0], [1, 1]], file = "a/../../evil.csv"}\n',
        7,
        "folder",
    ),
    "two results in one file": (
        GOOD + '[results]\na = {plot = "u", file = "z.png"}\nb = {plot = "u_x", file = "z.png"}\n',
        8,
        "'a' is written to",
    ),
    "a line break in a file name": (GOOD + '[results]\na = {plot = "u", file = "a\\nb.png"}\n', 7, "can be called"),
    "a result as a program": (GOOD + '[results]\na = {plot = "u", file = "evil.sh"}\n', 7, "ends in"),
    "a zero in a name": (GOOD + '[results]\n"a\\u0000b" = "plot(u)"\n', 6, "cannot be shown"),
    "a zero in a file name": (
        GOOD + '[results]\na = {plot = "u", file = "a\\u0000.png"}\n',
        7,
        "No file can be called",
    ),
    "a terminal code in a name": (GOOD + '[results]\n"\\u001b[31m" = "integral(u)"\n', 6, "cannot be shown"),
    "a terminal code in a part": (
        _domain("Polygon([(0, 0), (1, 0), (0, 1)], names=['a\\u001b[2J', 'b', 'c'])"),
        3,
        "cannot be shown",
    ),
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
    "point outside the space": (_condition("u = 0 at (0, 0, 0)"), 5, "entries"),
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
