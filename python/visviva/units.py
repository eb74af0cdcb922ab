"""Units: 0.5 * units.m, 9.81 * units.m / units.s**2, 30 * units.deg. Every unit of the model language is here by its name."""

from .language import Unit

m, kg, s, A, K, mol, cd = (Unit({name: 1}) for name in "m kg s A K mol cd".split())
km, cm, mm, gram, rad, deg, rev = (Unit({n: 1}) for n in "km cm mm gram rad deg rev".split())
N, J, W, Pa, Hz, minute, hour = (Unit({n: 1}) for n in "N J W Pa Hz min h".split())


def __getattr__(name: str) -> Unit:
    """A unit by its name; one that does not exist is found where the model is read."""
    if name.startswith("_"):
        raise AttributeError(name)
    return Unit({name: 1})
