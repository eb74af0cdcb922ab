"""Visviva: equations of motion, their energies, and simulations that carry their own proof.

    import visviva
    model = visviva.load("pendulum.viva")            # or visviva.parse(text), or visviva.Model("pendulum")
    model.equations(method="kane").forcing
    run = model.simulate(until="10 s", energy="1e-9 J")
    run["theta"], run.certificate.holds

The nouns and verbs are those of the command line and of C++: a Model gives equations(), energies(), integrals(),
prove(), evaluate(), linearize(), interactions(), compile(), simulate(), report() and export().
"""

from . import units
from ._core import version as __version__
from .errors import Diagnostic, InternalError, ModelError, UsageError
from .expression import Expression
from .language import (Frame, Line, Orientation, Point, Position, Scalar, Solid, Unit, Vector, absolute,
                       acceleration, acos, angular_acceleration, angular_momentum, angular_velocity,
                       asin, atan, atan2, box, cos, cosh, cross, cylinder, d, disc, dot, exp, force,
                       log, magnitude, maximum, minimum, moment, momentum, motor, multiplier, pi,
                       power, quaternion, reaction, rod, rodrigues, rotate, shell, sign, sin, sinh,
                       sphere, spin, sqrt, step, table, tan, tanh, unit, velocity, work)
from .language import scalar as quantity
from .model import Model, load, parse
from .results import (Energies, Equations, Evaluation, Export, Integrals, Interactions, Linearization,
                      Proof, Report, Result, Summary)
from .run import Run
from .sympy_bridge import from_sympy
from .sympy_models import from_sympy_model
from .system import System

__all__ = [name for name in dir() if not name.startswith("_")] + ["__version__"]
