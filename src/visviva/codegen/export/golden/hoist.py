# Equations of motion, written by visviva export: a module that needs NumPy.
#
# Model hoist
# "A body hanging from a hoist that follows a given x(t)"
#
# Derived by the method of Kane; all numbers in SI units, angles in rad.
# The speeds u follow M u' = f, solved at every call.
# One evaluation of the equations: 9 operations, 1 of them functions; 0 temporaries.
#
# State, with its start values:
#     0  theta   1    0.523599  "angle of the body from straight down"
#     1  theta'  1/s  0
#
# Inputs:
#   none
#
# Parameters:
#     0  mQ  kg     1
#     1  mB  kg     2
#     2  L   m      0.5
#     3  g   m/s^2  9.8
#
# Parameters that follow from these:
#        I = 1/12*mB*L^2
#
# Outputs:
#     0  E
#     1  H
#     2  C
#
# How to use it: rates(t, state) is what integrators such as scipy.integrate.solve_ivp take. State, inputs and
# parameters may have further axes, which all results have too: many states are evaluated at once.
"""Equations of motion: rates(t, state, inputs, parameters) and what they are made of."""

import numpy as np

STATE_NAMES = ("theta", "theta'")
STATE_UNITS = ("1", "1/s")
START_STATE = np.array([0.5235987755982988, 0.0], dtype=float)
INPUT_NAMES = ()
INPUT_UNITS = ()
DEFAULT_INPUTS = np.array([], dtype=float)
PARAMETER_NAMES = ("mQ", "mB", "L", "g")
PARAMETER_UNITS = ("kg", "kg", "m", "m/s^2")
DEFAULT_PARAMETERS = np.array([1.0, 2.0, 0.5, 9.8], dtype=float)
ENERGY_NAMES = ("K0", "K1", "K2", "U", "sigma_R", "P_nonconservative", "Z_rate")
OUTPUT_NAMES = ("E", "H", "C")
OUTPUT_UNITS = ("J", "J", "J")
POINT_NAMES = ("Q", "Bcm")
INDEPENDENT = [0]


class _Values:
    """What one evaluation gives, as arrays."""


def _arrays(t, state, inputs, parameters):
    """Arguments as arrays, and the shape of the axes that are common to all."""
    arrays = [np.asarray(a, dtype=float) for a in (t, state, inputs, parameters)]
    shape = np.broadcast_shapes(arrays[0].shape, *(a.shape[1:] for a in arrays[1:]))
    return (*arrays, shape)


def _mirrored(M):
    """A symmetric matrix from its lower triangle; the first two axes are its rows and columns."""
    for i in range(len(M)):
        M[:i, i] = M[i, :i]
    return M


def _solve(M, f):
    """x of M x = f, for all trailing axes; NaN where M is singular."""
    M, f = np.moveaxis(M, (0, 1), (-2, -1)), np.moveaxis(f, 0, -1)[..., None]
    try:
        x = np.linalg.solve(M, f)
    except np.linalg.LinAlgError:
        good = np.linalg.cond(M) < 1e14
        x = np.full_like(f, np.nan)
        x[good] = np.linalg.solve(M[good], f[good])
    return np.moveaxis(x[..., 0], -1, 0)


def _equations(t, state, inputs, parameters):
    t, state, inputs, parameters, shape = _arrays(t, state, inputs, parameters)
    out = _Values()
    out.q_rates = np.zeros((1,) + shape)
    out.M = np.zeros((1, 1) + shape)
    out.f = np.zeros((1,) + shape)
    theta = state[0]
    theta_d = state[1]
    mB = parameters[1]
    L = parameters[2]
    g = parameters[3]
    out.q_rates[0] = theta_d
    out.M[0, 0] = L*L*mB*1.0833333333333333
    out.f[0] = -(g*np.sin(theta)*mB*L)
    return out


def _energy_values(t, state, inputs, parameters):
    t, state, inputs, parameters, shape = _arrays(t, state, inputs, parameters)
    out = _Values()
    out.energies = np.zeros((7,) + shape)
    theta = state[0]
    theta_d = state[1]
    mQ = parameters[0]
    mB = parameters[1]
    L = parameters[2]
    g = parameters[3]
    v1 = L*theta_d
    v2 = np.sin(t)
    v3 = v2*v2
    out.energies[0] = mB*v3*4.5 + mQ*v3*4.5
    out.energies[2] = v1*v1*mB*0.5416666666666666
    out.energies[3] = -(L*np.cos(theta)*g*mB)
    return out


def _output_values(t, state, inputs, parameters):
    t, state, inputs, parameters, shape = _arrays(t, state, inputs, parameters)
    out = _Values()
    out.outputs = np.zeros((3,) + shape)
    theta = state[0]
    theta_d = state[1]
    mQ = parameters[0]
    mB = parameters[1]
    L = parameters[2]
    g = parameters[3]
    v1 = L*theta_d
    v2 = np.sin(t)
    v3 = v1*v1
    v4 = mB*v3
    v5 = L*np.cos(theta)*g*mB
    v6 = v2*v2
    v7 = mQ*v6
    v8 = 0.5416666666666666*v4
    v9 = 0.5*(9.0*v7 + 0.08333333333333333*v4 + mB*(9.0*v6 + v3)) - v5
    out.outputs[0] = v8 - v5
    out.outputs[1] = v8 - v5 - (mB*v6*4.5 + 4.5*v7)
    out.outputs[2] = v9
    return out


def _point_values(t, state, inputs, parameters):
    t, state, inputs, parameters, shape = _arrays(t, state, inputs, parameters)
    out = _Values()
    out.J = np.zeros((6, 1) + shape)
    out.remainder = np.zeros((6,) + shape)
    theta = state[0]
    L = parameters[2]
    v1 = 3.0*np.sin(t)
    out.remainder[0] = -v1
    out.J[4, 0] = L*np.sin(theta)
    out.J[5, 0] = -(L*np.cos(theta))
    out.remainder[3] = -v1
    return out


def rates(t, state, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS):
    """The rates of the state."""
    e = _equations(t, state, inputs, parameters)
    return np.concatenate([e.q_rates, _solve(_mirrored(e.M), e.f)])


def mass_matrix(t, state, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS):
    """M; its first two axes are rows and columns."""
    e = _equations(t, state, inputs, parameters)
    return _mirrored(e.M)


def forcing(t, state, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS):
    """f"""
    e = _equations(t, state, inputs, parameters)
    return e.f


def energies(t, state, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS):
    """Energies and powers by name; the integral of Z_rate makes K2 + U + Z constant."""
    return dict(zip(ENERGY_NAMES, _energy_values(t, state, inputs, parameters).energies))


def _known(t, state, inputs, parameters, integrals):
    """Inputs, u', unknown forces, multipliers and integrals: what outputs are made of."""
    e = _equations(t, state, inputs, parameters)
    x = _solve(_mirrored(e.M), e.f)
    integrals = np.zeros(0) if integrals is None else np.asarray(integrals, dtype=float)
    parts = [np.asarray(inputs, dtype=float), x, integrals]
    shape = np.broadcast_shapes(*(p.shape[1:] for p in parts))
    return np.concatenate([np.broadcast_to(p.reshape(p.shape + (1,)*(1 + len(shape) - p.ndim)), (len(p),) + shape)
                           for p in parts])


def outputs(t, state, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS, integrals=None):
    """Outputs by name; `integrals` are those over time since the start, zero where they are not given."""
    known = _known(t, state, inputs, parameters, integrals)
    return dict(zip(OUTPUT_NAMES, _output_values(t, state, known, parameters).outputs))


def jacobians(t, state, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS):
    """By point J and the remainder of its velocity along N, J u + remainder."""
    e = _point_values(t, state, inputs, parameters)
    return {name: (e.J[3*k:3*k + 3], e.remainder[3*k:3*k + 3]) for k, name in enumerate(POINT_NAMES)}


def inverse(t, state, independent_rates, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS):
    """Inverse dynamics: the generalized forces that these rates of the independent speeds, STATE_NAMES[1 + i]
    for i in INDEPENDENT, ask for besides what acts already."""
    e = _equations(t, state, inputs, parameters)
    shape = e.f.shape[1:]
    given = np.asarray(independent_rates, dtype=float)
    given = np.broadcast_to(given.reshape(given.shape + (1,)*(1 + len(shape) - given.ndim)), (len(INDEPENDENT),) + shape)
    return np.einsum("ij...,j...->i...", _mirrored(e.M), given) - e.f
