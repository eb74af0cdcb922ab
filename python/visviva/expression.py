"""Expression: a formula as the model language writes it, with ways into SymPy and LaTeX.

    equations.forcing[0]            # Expression("-mB*L*g*sin(theta)"), a str
    equations.forcing[0].to_sympy() # -L*g*mB*sin(theta(t))
    equations.forcing[0].latex()

A formula is read into a tree of tuples: ("number", text), ("name", text), ("call", function, arguments),
("neg", a), and ("+" | "-" | "*" | "/" | "^", a, b).
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .errors import UsageError

Tree = Tuple[Any, ...]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*(?:\[[\w\s,+-]*\])?'*)|(?P<sign>[-+*/^(),]))")


def _split(text: str) -> List[Tuple[str, str]]:
    tokens, at = [], 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        if not found:
            raise UsageError(f"not a formula: {text!r}, at {text[at:at + 12]!r}")
        tokens.append((str(found.lastgroup), found.group(str(found.lastgroup))))
        at = found.end()
    return tokens + [("end", "")]


class _Reader:
    """Reads a formula: sums of products of powers, as the language has them."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens, self.at = text, _split(text), 0

    def read(self) -> Tree:
        tree = self.sum()
        if self.tokens[self.at][0] != "end":
            raise UsageError(f"not a formula: {self.text!r}")
        return tree

    def takes(self, signs: str) -> Optional[str]:
        kind, word = self.tokens[self.at]
        if kind == "sign" and word in signs:
            self.at += 1
            return word
        return None

    def sum(self) -> Tree:
        tree = self.product()
        while sign := self.takes("+-"):
            tree = (sign, tree, self.product())
        return tree

    def product(self) -> Tree:
        if self.takes("-"):
            return ("neg", self.product())
        tree = self.signed()
        while sign := self.takes("*/"):
            tree = (sign, tree, self.signed())
        return tree

    def signed(self) -> Tree:
        if self.takes("-"):
            return ("neg", self.signed())
        return self.power()

    def power(self) -> Tree:
        base = self.atom()
        return ("^", base, self.signed()) if self.takes("^") else base

    def atom(self) -> Tree:
        kind, word = self.tokens[self.at]
        if self.takes("("):
            tree = self.sum()
            self.close()
            return tree
        self.at += 1
        if kind == "number":
            return ("number", word)
        if kind != "name":
            raise UsageError(f"not a formula: {self.text!r}")
        if not self.takes("("):
            return ("name", word)
        arguments = [self.sum()]
        while self.takes(","):
            arguments.append(self.sum())
        self.close()
        return ("call", word, tuple(arguments))

    def close(self) -> None:
        if not self.takes(")"):
            raise UsageError(f"not a formula: {self.text!r}, a bracket is open")


def read_formula(text: str) -> Tree:
    """The tree of a formula."""
    return _Reader(text).read()


_GREEK = set(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split())


def name_latex(name: str) -> str:
    """A name of the language in LaTeX: theta' is a dotted theta, q1 has an index."""
    bare = name.rstrip("'")
    dots = len(name) - len(bare)
    match = re.match(r"^([^\W\d_]+?)_?(\d+|(?<=_)\w+)?$", bare)
    stem, index = (match.group(1), match.group(2)) if match else (bare, None)
    if stem not in _GREEK and len(stem) > 1 and index is None:
        stem, index = stem[0], stem[1:]
    letter = "\\" + stem if stem in _GREEK else stem
    if dots:
        letter = "\\" + ("d" * dots if dots <= 4 else "d") + "ot{" + letter + "}"
    if index is None:
        return letter
    index = index.replace("_", "\\_")
    return f"{letter}_{{{index}}}" if index.isdigit() else f"{letter}_{{\\mathrm{{{index}}}}}"


_LEVEL = {"+": 1, "-": 1, "neg": 2, "*": 2, "/": 4, "^": 3}


def factor_latex(expression: "Expression") -> str:
    """A formula in LaTeX as a factor: a sum in brackets."""
    return _latex(expression.tree(), 2)


def _latex(tree: Tree, least: int = 0) -> str:
    text, level = _latex_and_level(tree)
    return text if level >= least else f"\\left({text}\\right)"


def _latex_and_level(tree: Tree) -> Tuple[str, int]:
    kind = tree[0]
    if kind == "number":
        mantissa, _, power = tree[1].lower().partition("e")
        return (f"{mantissa} \\cdot 10^{{{int(power)}}}", 2) if power else (mantissa, 5)
    if kind == "name":
        return name_latex(tree[1]), 5
    if kind == "call":
        return _call_latex(tree[1], tree[2]), 5
    if kind == "neg":
        return "-" + _latex(tree[1], 2), 1
    if kind in "+-":
        return f"{_latex(tree[1], 1)} {kind} {_latex(tree[2], 1 if kind == '+' else 2)}", 1
    if kind == "*":
        left, right = _latex(tree[1], 2), _latex(tree[2], 2)
        return left + (" \\cdot " if right[0].isdigit() else " \\, ") + right, 2
    if kind == "/":
        return f"\\frac{{{_latex(tree[1])}}}{{{_latex(tree[2])}}}", 4
    return f"{_latex(tree[1], 5)}^{{{_latex(tree[2])}}}", 3


def _call_latex(function: str, arguments: Tuple[Tree, ...]) -> str:
    words = [_latex(a) for a in arguments]
    if function == "sqrt":
        return f"\\sqrt{{{words[0]}}}"
    if function == "abs":
        return f"\\left|{words[0]}\\right|"
    known = {"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "min", "max"}
    arcs = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}
    name = "\\" + arcs.get(function, function) if function in known or function in arcs \
        else f"\\operatorname{{{function}}}".replace("_", "\\_")
    return f"{name}\\left({', '.join(words)}\\right)"


class Expression(str):
    """A formula in the syntax of the model language; numbers in it are SI."""

    def tree(self) -> Tree:
        """The formula as a tree of tuples, as the module says."""
        return read_formula(self)

    def latex(self) -> str:
        """The formula in LaTeX, without dollar signs."""
        return _latex(self.tree())

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def to_sympy(self, values: Optional[Mapping[str, Any]] = None, functions: Any = "auto") -> Any:
        """The formula in SymPy.

        Names that occur with primes, or that `functions` lists, become functions of SymPy's time
        `dynamicsymbols._t`, and primes their derivatives; other names become symbols. `values` puts
        something else in the place of names.
        """
        from .sympy_bridge import to_sympy
        return to_sympy(self, values, functions)

    def names(self) -> List[str]:
        """The names that occur in it, in order."""
        found: Dict[str, None] = {}

        def walk(tree: Tree) -> None:
            if tree[0] == "name":
                found[tree[1]] = None
            elif tree[0] == "call":
                for argument in tree[2]:
                    walk(argument)
            elif tree[0] != "number":
                for part in tree[1:]:
                    walk(part)

        walk(self.tree())
        return list(found)
