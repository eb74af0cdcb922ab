# Equations of motion, written by visviva export: a module that needs NumPy.
#
# Model double_pendulum
# "Two particles on two strings, with the tensions nobody needs"
#
# Derived by the method of Kane; all numbers in SI units, angles in rad.
# The speeds u follow M u' = f, solved at every call.
# One evaluation of the equations: 45 operations, 4 of them functions; 11 temporaries.
#
# State, with its start values:
#     0  q1   1    2.0944
#     1  q2   1    2.0944
#     2  q1'  1/s  0
#     3  q2'  1/s  0
#
# Inputs:
#   none
#
# Parameters:
#     0  m1  kg     1
#     1  m2  kg     1
#     2  L   m      1
#     3  g   m/s^2  9.81
#
# Outputs:
#     0  E_Z
#     1  q1
#     2  q2
#
# Integrals over time that outputs and events need, zero at the start:
#     0  Z
#
# How to use it: rates(t, state) is what integrators such as scipy.integrate.solve_ivp take. State, inputs and
# parameters may have further axes, which all results have too: many states are evaluated at once.
"""Equations of motion: rates(t, state, inputs, parameters) and what they are made of."""

import numpy as np

STATE_NAMES = ("q1", "q2", "q1'", "q2'")
STATE_UNITS = ("1", "1", "1/s", "1/s")
START_STATE = np.array([2.0943951023931953, 2.0943951023931953, 0.0, 0.0], dtype=float)
INPUT_NAMES = ()
INPUT_UNITS = ()
DEFAULT_INPUTS = np.array([], dtype=float)
PARAMETER_NAMES = ("m1", "m2", "L", "g")
PARAMETER_UNITS = ("kg", "kg", "m", "m/s^2")
DEFAULT_PARAMETERS = np.array([1.0, 1.0, 1.0, 9.81], dtype=float)
ENERGY_NAMES = ("K0", "K1", "K2", "U", "sigma_R", "P_nonconservative", "Z_rate")
OUTPUT_NAMES = ("E_Z", "q1", "q2")
OUTPUT_UNITS = ("J", "1", "1")
INTEGRAL_NAMES = ("Z",)
POINT_NAMES = ("P1", "P2")
INDEPENDENT = [0, 1]


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
    out.q_rates = np.zeros((2,) + shape)
    out.M = np.zeros((2, 2) + shape)
    out.f = np.zeros((2,) + shape)
    q1 = state[0]
    q2 = state[1]
    q1_d = state[2]
    q2_d = state[3]
    m1 = parameters[0]
    m2 = parameters[1]
    L = parameters[2]
    g = parameters[3]
    v1 = L*np.sin(q1)
    v2 = L*np.cos(q1)
    v3 = L*np.sin(q2)
    v4 = L*np.cos(q2)
    v5 = m2*v3
    v6 = m2*v4
    v7 = m2 + m1
    v8 = q1_d*v1*q1_d
    v9 = q1_d*v2*q1_d + g
    v10 = m2*(q2_d*v3*q2_d + v8)
    v11 = m2*(v9 + q2_d*v4*q2_d)
    out.q_rates[0] = q1_d
    out.q_rates[1] = q2_d
    out.M[0, 0] = v1*v7*v1 + v2*v7*v2
    out.f[0] = v2*(v10 + m1*v8) - v1*(v11 + m1*v9)
    out.M[1, 0] = v1*v5 + v2*v6
    out.M[1, 1] = v3*v5 + v4*v6
    out.f[1] = v4*v10 - v3*v11
    return out


def _energy_values(t, state, inputs, parameters):
    t, state, inputs, parameters, shape = _arrays(t, state, inputs, parameters)
    out = _Values()
    out.energies = np.zeros((7,) + shape)
    q1 = state[0]
    q2 = state[1]
    q1_d = state[2]
    q2_d = state[3]
    m1 = parameters[0]
    m2 = parameters[1]
    L = parameters[2]
    g = parameters[3]
    v1 = L*np.cos(q1)
    v2 = L*np.cos(q2)
    v3 = q1_d*v1
    v4 = L*np.sin(q1)*q1_d
    v5 = q2_d*v2 + v3
    v6 = L*np.sin(q2)*q2_d + v4
    out.energies[2] = 0.5*(m2*(v5*v5 + v6*v6) + m1*(v3*v3 + v4*v4))
    out.energies[3] = -(g*(v2 + v1)*m2 + g*v1*m1)
    return out


def _output_values(t, state, inputs, parameters):
    t, state, inputs, parameters, shape = _arrays(t, state, inputs, parameters)
    out = _Values()
    out.outputs = np.zeros((3,) + shape)
    q1 = state[0]
    q2 = state[1]
    q1_d = state[2]
    q2_d = state[3]
    Z = inputs[2]
    m1 = parameters[0]
    m2 = parameters[1]
    L = parameters[2]
    g = parameters[3]
    v1 = L*np.cos(q1)
    v2 = L*np.cos(q2)
    v3 = q1_d*v1
    v4 = L*np.sin(q1)*q1_d
    v5 = q2_d*v2 + v3
    v6 = L*np.sin(q2)*q2_d + v4
    v7 = Z - g*v1*m1 - g*(v2 + v1)*m2 + 0.5*(m2*(v5*v5 + v6*v6) + m1*(v3*v3 + v4*v4))
    out.outputs[0] = v7
    out.outputs[1] = q1
    out.outputs[2] = q2
    return out


def _integral_values(t, state, inputs, parameters):
    t, state, inputs, parameters, shape = _arrays(t, state, inputs, parameters)
    out = _Values()
    out.integral_rates = np.zeros((1,) + shape)
    return out


def _point_values(t, state, inputs, parameters):
    t, state, inputs, parameters, shape = _arrays(t, state, inputs, parameters)
    out = _Values()
    out.J = np.zeros((6, 2) + shape)
    out.remainder = np.zeros((6,) + shape)
    q1 = state[0]
    q2 = state[1]
    L = parameters[2]
    v1 = L*np.sin(q1)
    v2 = L*np.cos(q1)
    out.J[0, 0] = v2
    out.J[1, 0] = v1
    out.J[3, 0] = v2
    out.J[4, 0] = v1
    out.J[3, 1] = L*np.cos(q2)
    out.J[4, 1] = L*np.sin(q2)
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
    integrals = np.zeros(1) if integrals is None else np.asarray(integrals, dtype=float)
    parts = [np.asarray(inputs, dtype=float), x, integrals]
    shape = np.broadcast_shapes(*(p.shape[1:] for p in parts))
    return np.concatenate([np.broadcast_to(p.reshape(p.shape + (1,)*(1 + len(shape) - p.ndim)), (len(p),) + shape)
                           for p in parts])


def outputs(t, state, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS, integrals=None):
    """Outputs by name; `integrals` are those over time since the start, zero where they are not given."""
    known = _known(t, state, inputs, parameters, integrals)
    return dict(zip(OUTPUT_NAMES, _output_values(t, state, known, parameters).outputs))


def integral_rates(t, state, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS, integrals=None):
    """The rates of the integrals over time, in the order of INTEGRAL_NAMES."""
    known = _known(t, state, inputs, parameters, integrals)
    return _integral_values(t, state, known, parameters).integral_rates


def jacobians(t, state, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS):
    """By point J and the remainder of its velocity along N, J u + remainder."""
    e = _point_values(t, state, inputs, parameters)
    return {name: (e.J[3*k:3*k + 3], e.remainder[3*k:3*k + 3]) for k, name in enumerate(POINT_NAMES)}


def inverse(t, state, independent_rates, inputs=DEFAULT_INPUTS, parameters=DEFAULT_PARAMETERS):
    """Inverse dynamics: the generalized forces that these rates of the independent speeds, STATE_NAMES[2 + i]
    for i in INDEPENDENT, ask for besides what acts already."""
    e = _equations(t, state, inputs, parameters)
    shape = e.f.shape[1:]
    given = np.asarray(independent_rates, dtype=float)
    given = np.broadcast_to(given.reshape(given.shape + (1,)*(1 + len(shape) - given.ndim)), (len(INDEPENDENT),) + shape)
    return np.einsum("ij...,j...->i...", _mirrored(e.M), given) - e.f
