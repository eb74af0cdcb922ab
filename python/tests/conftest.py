"""Models that several tests use."""

import pathlib

import pytest
import visviva
from visviva import rotate, units

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


@pytest.fixture
def pendulum():
    """A point mass on a massless rod of 1 m."""
    model = visviva.Model("pendulum")
    N = model.newtonian
    L, m = model.parameter("L", 1 * units.m), model.parameter("m", 1 * units.kg)
    g = model.parameter("g", 9.81 * units.m / units.s**2)
    theta = model.coordinate("theta", start=90 * units.deg)
    A = model.frame("A", rotate(N, "z", theta))
    model.particle("Q", at=N.origin - L * A.y, mass=m)
    model.gravity(-g * N.y)
    return model
