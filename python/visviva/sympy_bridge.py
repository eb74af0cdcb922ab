"""From formulas of the model language to SymPy and back; models from SymPy's mechanics."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, Mapping, Optional

from .errors import UsageError
from .expression import Expression, Tree
from .language import PRODUCT, Scalar


def _sympy() -> Any:
    try:
        import sympy
    except ImportError as missing:
        raise UsageError("SymPy is not installed: pip install sympy") from missing
    return sympy


def to_sympy(expression: Expression, values: Optional[Mapping[str, Any]] = None,
             functions: Any = "auto") -> Any:
    """See Expression.to_sympy()."""
    sympy = _sympy()
    time = _time()
    names = expression.names()
    if functions == "auto":
        functions = {n.rstrip("'") for n in names if n.endswith("'")}
    given: Dict[str, Any] = dict(values or {})

    def name(text: str) -> Any:
        if text in given:
            return given[text]
        if text == "pi":
            return sympy.pi
        if text == "t":
            return time
        bare = text.rstrip("'")
        if bare not in functions:
            return sympy.Symbol(bare)
        function = given.get(bare, sympy.Function(bare)(time))
        for _ in range(len(text) - len(bare)):
            function = function.diff(time)
        return function

    return _build(expression.tree(), name, sympy)


def _build(tree: Tree, name: Any, sympy: Any) -> Any:
    kind = tree[0]
    if kind == "number":
        return sympy.Integer(tree[1]) if tree[1].isdigit() else sympy.Float(tree[1])
    if kind == "name":
        return name(tree[1])
    if kind == "call":
        return _call(tree[1], [_build(a, name, sympy) for a in tree[2]], sympy)
    if kind == "neg":
        return -_build(tree[1], name, sympy)
    a, b = (_build(part, name, sympy) for part in tree[1:])
    if kind == "+":
        return a + b
    if kind == "-":
        return a - b
    if kind == "*":
        return a * b
    return a / b if kind == "/" else a**b


def _call(function: str, arguments: Any, sympy: Any) -> Any:
    special = {"abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max,
               "step": lambda x: sympy.Heaviside(x, sympy.Rational(1, 2))}
    if function in special:
        return special[function](*arguments)
    known = getattr(sympy, function, None)
    return known(*arguments) if known is not None else sympy.Function(function)(*arguments)


def _time() -> Any:
    from sympy.physics.vector import dynamicsymbols
    return dynamicsymbols._t


_NAME = re.compile(r"^[^\W\d]\w*$")


def from_sympy(expression: Any, names: Optional[Mapping[Any, str]] = None) -> Scalar:
    """A formula of SymPy as a scalar of a model.

    Symbols and functions of time keep their names, unless `names` gives them another; derivatives by
    time get primes. What the model language has no word for is a UsageError.
    """
    sympy = _sympy()
    given = dict(names or {})

    def name_of(symbol: Any, text: str) -> str:
        text = given.get(symbol, text)
        if not _NAME.match(text):
            raise UsageError(f"{text!r} is no name of the model language: names={{symbol: 'name'}}")
        return text

    def write(e: Any) -> Scalar:
        if e in given:
            return Scalar.name(given[e])
        if e == sympy.pi:
            return Scalar.name("pi")
        if e.is_Integer:
            return Scalar.number(int(e))
        if e.is_Rational:
            return Scalar.number(int(e.p)) / Scalar.number(int(e.q))
        if e.is_Number or e.is_NumberSymbol:
            return Scalar.number(float(e))
        if e.is_Symbol:
            return Scalar.name("t" if e == _time() else name_of(e, e.name))
        if e.is_Add:
            terms = e.as_ordered_terms()
            total = write(terms[0])
            for term in terms[1:]:
                total = total - write(-term) if term.could_extract_minus_sign() else total + write(term)
            return total
        if e.is_Mul:
            return _product(e, write)
        if e.is_Pow:
            if e.exp == sympy.Rational(1, 2):
                return Scalar.call("sqrt", write(e.base))
            if e.exp == -1:
                return 1 / write(e.base)
            return write(e.base) ** write(e.exp)
        if isinstance(e, sympy.Derivative):
            return _derivative(e, name_of)
        if isinstance(e, sympy.core.function.AppliedUndef):
            if e.args == (_time(),):
                return Scalar.name(name_of(e, e.func.__name__))
        elif isinstance(e, sympy.Function):
            return _function(e, write, sympy)
        raise UsageError(f"the model language has no word for {e}")

    result: Scalar = write(sympy.sympify(expression))
    return result


def _product(e: Any, write: Callable[[Any], Scalar]) -> Scalar:
    top, bottom = e.as_numer_denom()
    if bottom != 1:
        return write(top) / write(bottom)
    first, *rest = e.as_ordered_factors()
    if first == -1:
        return -write(e / -1)
    product = write(first)
    for factor in rest:
        product = Scalar((product * write(factor)).text, PRODUCT)
    return product


def _derivative(e: Any, name_of: Any) -> Scalar:
    function = e.expr
    if not function.args == (_time(),) or any(v != _time() for v, _ in e.variable_count):
        raise UsageError(f"the model language has no word for {e}")
    count = sum(int(n) for _, n in e.variable_count)
    return Scalar.name(name_of(function, function.func.__name__) + "'" * count)


def _function(e: Any, write: Any, sympy: Any) -> Scalar:
    words = {sympy.Abs: "abs", sympy.Min: "min", sympy.Max: "max", sympy.Heaviside: "step",
             sympy.sign: "sign", sympy.atan2: "atan2"}
    name = words.get(e.func, e.func.__name__)
    known = ("sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max step"
             .split())
    if name not in known:
        raise UsageError(f"the model language has no word for {e}")
    arguments = e.args[:1] if name == "step" else e.args
    return Scalar.call(name, *[write(a) for a in arguments])
