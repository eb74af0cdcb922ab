/*
 * Equations of motion of hoist, written by visviva export: C99, needs <math.h> only.
 * "A body hanging from a hoist that follows a given x(t)"
 *
 * Derived by the method of Kane; all numbers in SI units, angles in rad.
 * The speeds u follow M u' = f, solved at every call.
 * One evaluation of the equations: 9 operations, 1 of them functions; 0 temporaries.
 *
 * State, with its start values:
 *     0  theta   1    0.523599  "angle of the body from straight down"
 *     1  theta'  1/s  0
 *
 * Inputs:
 *   none
 *
 * Parameters:
 *     0  mQ  kg     1
 *     1  mB  kg     2
 *     2  L   m      0.5
 *     3  g   m/s^2  9.8
 *
 * Parameters that follow from these:
 *        I = 1/12*mB*L^2
 *
 * Outputs:
 *     0  E
 *     1  H
 *     2  C
 *
 * How to use it: compile this file with the others and copy the declarations below, or include it.
 *   double rates[hoist_state_count];
 *   int status = hoist_rates(0.0, hoist_start_state, hoist_default_inputs,
 *                           hoist_default_parameters, rates);
 * Arrays without entries may be null pointers. Matrices are stored row after row. Functions keep
 * nothing between calls. Status: 0 good; 1 good, but constraints are redundant here and multipliers
 * not unique; -1 accelerations are not determined; -2 the constraints contradict each other; -3 a
 * number is not finite, as that of a table outside of its rows.
 */
#include <math.h>

enum {
    hoist_state_count = 2,
    hoist_configuration_count = 1, /* first in the state */
    hoist_speed_count = 1,         /* then these */
    hoist_input_count = 0,
    hoist_parameter_count = 4
};

/* Places in the array of energies. */
enum {
    hoist_K0, /* kinetic energy, the part without independent speeds */
    hoist_K1, /* the part linear in them */
    hoist_K2, /* the part quadratic in them */
    hoist_U, /* generalized potential energy */
    hoist_sigma_R, /* what accelerating v_t takes along v_R, sum of m v_R.dv_t/dt */
    hoist_P_nonconservative, /* power of what has no potential */
    hoist_Z_rate, /* Z' = sigma_R - P_nonconservative: K2 + U + Z is constant */
    hoist_energy_count
};

enum { hoist_output_count = 3 };
extern const char *const hoist_output_names[3];
enum { hoist_point_count = 2 };
extern const char *const hoist_point_names[2];
enum { hoist_independent_count = 1 };
extern const int hoist_independent[1]; /* places among the speeds */
extern const double hoist_start_state[2];
extern const double hoist_default_inputs[1];
extern const double hoist_default_parameters[4];
extern const char *const hoist_state_names[2];
extern const char *const hoist_input_names[1];
extern const char *const hoist_parameter_names[4];

/* The rates of the state. */
int hoist_rates(double t, const double *state, const double *inputs,
    const double *parameters, double *rates);
/* M, speed_count x speed_count. */
int hoist_mass_matrix(double t, const double *state, const double *inputs,
    const double *parameters, double *M);
/* f */
int hoist_forcing(double t, const double *state, const double *inputs,
    const double *parameters, double *f);
/* Energies and powers, energy_count of them. */
int hoist_energies(double t, const double *state, const double *inputs,
    const double *parameters, double *energies);
/* Outputs, output_count of them; integrals over time since the start, a null pointer where they are zero. */
int hoist_outputs(double t, const double *state, const double *inputs,
    const double *parameters, const double *integrals, double *outputs);
/* Velocities of points along N are J u + remainder: J is point_count x 3 x speed_count, the remainder
   point_count x 3. */
int hoist_jacobians(double t, const double *state, const double *inputs,
    const double *parameters, double *J, double *remainder);
/* Inverse dynamics: the generalized forces, independent_count of them, that these rates of the independent speeds ask
   for besides what acts already. -1 where the constraints do not determine the other speeds. */
int hoist_inverse(double t, const double *state, const double *inputs,
    const double *parameters, const double *independent_rates, double *forces);

const double hoist_start_state[2] = { 0.5235987755982988, 0.0 };
const char *const hoist_state_names[2] = { "theta", "theta'" };
const double hoist_default_inputs[1] = { 0.0 };
const char *const hoist_input_names[1] = { "" };
const double hoist_default_parameters[4] = { 1.0, 2.0, 0.5, 9.8 };
const char *const hoist_parameter_names[4] = { "mQ", "mB", "L", "g" };
const char *const hoist_output_names[3] = { "E", "H", "C" };
const char *const hoist_point_names[2] = { "Q", "Bcm" };
const int hoist_independent[1] = { 0 };

struct hoist_equations {
    double q_rates[1];
    double M[1];
    double f[1];
};

static void hoist_equations_at(double t, const double *state, const double *inputs,
    const double *parameters, struct hoist_equations *out)
{
    const double theta = state[0];
    const double theta_d = state[1];
    const double mB = parameters[1];
    const double L = parameters[2];
    const double g = parameters[3];
    (void)t;
    (void)inputs;

    out->q_rates[0] = theta_d;
    out->M[0] = L*L*mB*1.0833333333333333;
    out->f[0] = -(g*sin(theta)*mB*L);
}

struct hoist_energy_values {
    double energies[7];
};

static void hoist_energy_values_at(double t, const double *state, const double *inputs,
    const double *parameters, struct hoist_energy_values *out)
{
    const double theta = state[0];
    const double theta_d = state[1];
    const double mQ = parameters[0];
    const double mB = parameters[1];
    const double L = parameters[2];
    const double g = parameters[3];
    (void)inputs;

    const double v1 = L*theta_d;
    const double v2 = sin(t);
    const double v3 = v2*v2;
    out->energies[0] = mB*v3*4.5 + mQ*v3*4.5;
    out->energies[1] = 0.0;
    out->energies[2] = v1*v1*mB*0.5416666666666666;
    out->energies[3] = -(L*cos(theta)*g*mB);
    out->energies[4] = 0.0;
    out->energies[5] = 0.0;
    out->energies[6] = 0.0;
}

struct hoist_output_values {
    double outputs[3];
};

static void hoist_output_values_at(double t, const double *state, const double *inputs,
    const double *parameters, struct hoist_output_values *out)
{
    const double theta = state[0];
    const double theta_d = state[1];
    const double mQ = parameters[0];
    const double mB = parameters[1];
    const double L = parameters[2];
    const double g = parameters[3];
    (void)inputs;

    const double v1 = L*theta_d;
    const double v2 = sin(t);
    const double v3 = v1*v1;
    const double v4 = mB*v3;
    const double v5 = L*cos(theta)*g*mB;
    const double v6 = v2*v2;
    const double v7 = mQ*v6;
    const double v8 = 0.5416666666666666*v4;
    const double v9 = 0.5*(9.0*v7 + 0.08333333333333333*v4 + mB*(9.0*v6 + v3)) - v5;
    out->outputs[0] = v8 - v5;
    out->outputs[1] = v8 - v5 - (mB*v6*4.5 + 4.5*v7);
    out->outputs[2] = v9;
}

struct hoist_point_values {
    double J[6];
    double remainder[6];
};

static void hoist_point_values_at(double t, const double *state, const double *inputs,
    const double *parameters, struct hoist_point_values *out)
{
    const double theta = state[0];
    const double L = parameters[2];
    (void)inputs;

    const double v1 = 3.0*sin(t);
    out->J[0] = 0.0;
    out->J[1] = 0.0;
    out->J[2] = 0.0;
    out->remainder[0] = -v1;
    out->remainder[1] = 0.0;
    out->remainder[2] = 0.0;
    out->J[3] = 0.0;
    out->J[4] = L*sin(theta);
    out->J[5] = -(L*cos(theta));
    out->remainder[3] = -v1;
    out->remainder[4] = 0.0;
    out->remainder[5] = 0.0;
}

/* Solves M x = f by M = L D L', M symmetric and positive, given by its lower triangle and
   overwritten; f becomes x. 0, or -1 when M is singular, -3 when a number is not finite. */
static int hoist_solve(double *M, double *x)
{
    const int n = hoist_speed_count;
    int i, j, k;
    for (j = 0; j < n; ++j) {
        const double size = fabs(M[j*n + j]);
        for (k = 0; k < j; ++k) M[j*n + j] -= M[j*n + k]*M[j*n + k]*M[k*n + k];
        if (!isfinite(M[j*n + j]) || !isfinite(x[j])) return -3;
        if (!(M[j*n + j] > 1e-14*size)) return -1;
        for (i = j + 1; i < n; ++i) {
            for (k = 0; k < j; ++k) M[i*n + j] -= M[i*n + k]*M[j*n + k]*M[k*n + k];
            M[i*n + j] /= M[j*n + j];
        }
    }
    for (i = 0; i < n; ++i)
        for (k = 0; k < i; ++k) x[i] -= M[i*n + k]*x[k];
    for (i = n - 1; i >= 0; --i) {
        x[i] /= M[i*n + i];
        for (k = i + 1; k < n; ++k) x[i] -= M[k*n + i]*x[k];
    }
    for (i = 0; i < n; ++i)
        if (!isfinite(x[i])) return -3;
    return 0;
}

int hoist_rates(double t, const double *state, const double *inputs,
    const double *parameters, double *rates)
{
    struct hoist_equations e;
    int i, status;
    hoist_equations_at(t, state, inputs, parameters, &e);
    status = hoist_solve(e.M, e.f);
    for (i = 0; i < hoist_configuration_count; ++i) rates[i] = e.q_rates[i];
    for (i = 0; i < hoist_speed_count; ++i) rates[hoist_configuration_count + i] = e.f[i];
    for (i = 0; i < hoist_configuration_count && status == 0; ++i)
        if (!isfinite(rates[i])) return -3;
    return status;
}

int hoist_mass_matrix(double t, const double *state, const double *inputs,
    const double *parameters, double *M)
{
    enum { n = hoist_speed_count };
    struct hoist_equations e;
    int i, j;
    hoist_equations_at(t, state, inputs, parameters, &e);
    for (i = 0; i < n; ++i)
        for (j = 0; j < n; ++j) M[i*n + j] = i >= j ? e.M[i*n + j] : e.M[j*n + i];
    for (i = 0; i < n*n; ++i)
        if (!isfinite(M[i])) return -3;
    return 0;
}

int hoist_forcing(double t, const double *state, const double *inputs,
    const double *parameters, double *f)
{
    struct hoist_equations e;
    int i;
    hoist_equations_at(t, state, inputs, parameters, &e);
    for (i = 0; i < hoist_speed_count; ++i) f[i] = e.f[i];
    for (i = 0; i < hoist_speed_count; ++i)
        if (!isfinite(f[i])) return -3;
    return 0;
}

int hoist_energies(double t, const double *state, const double *inputs,
    const double *parameters, double *energies)
{
    struct hoist_energy_values e;
    int i;
    hoist_energy_values_at(t, state, inputs, parameters, &e);
    for (i = 0; i < hoist_energy_count; ++i) energies[i] = e.energies[i];
    for (i = 0; i < hoist_energy_count; ++i)
        if (!isfinite(energies[i])) return -3;
    return 0;
}

/* What outputs are made of: inputs, u', unknown forces, multipliers, integrals. */
static int hoist_find_known(double t, const double *state, const double *inputs,
    const double *parameters, const double *integrals, double *known)
{
    struct hoist_equations e;
    int i, status;
    hoist_equations_at(t, state, inputs, parameters, &e);
    status = hoist_solve(e.M, e.f);
    for (i = 0; i < hoist_input_count; ++i) known[i] = inputs[i];
    for (i = 0; i < 1; ++i)
        known[hoist_input_count + i] = e.f[i];
    for (i = 0; i < 0; ++i)
        known[hoist_input_count + 1 + i] = integrals ? integrals[i] : 0.0;
    return status;
}

static int hoist_status_of(int status, int count, const double *values)
{
    int i;
    for (i = 0; i < count && status >= 0; ++i)
        if (!isfinite(values[i])) return -3;
    return status;
}

int hoist_outputs(double t, const double *state, const double *inputs,
    const double *parameters, const double *integrals, double *outputs)
{
    struct hoist_output_values e;
    double known[1];
    int i;
    const int status = hoist_find_known(t, state, inputs, parameters, integrals, known);
    hoist_output_values_at(t, state, known, parameters, &e);
    for (i = 0; i < hoist_output_count; ++i) outputs[i] = e.outputs[i];
    return hoist_status_of(status, hoist_output_count, outputs);
}

int hoist_jacobians(double t, const double *state, const double *inputs,
    const double *parameters, double *J, double *remainder)
{
    enum { rows = 3*hoist_point_count, n = hoist_speed_count };
    struct hoist_point_values e;
    int i;
    hoist_point_values_at(t, state, inputs, parameters, &e);
    for (i = 0; i < rows*n; ++i) J[i] = e.J[i];
    for (i = 0; i < rows; ++i) remainder[i] = e.remainder[i];
    for (i = 0; i < rows*n; ++i)
        if (!isfinite(J[i])) return -3;
    for (i = 0; i < rows; ++i)
        if (!isfinite(remainder[i])) return -3;
    return 0;
}

int hoist_inverse(double t, const double *state, const double *inputs,
    const double *parameters, const double *independent_rates, double *forces)
{
    enum { n = hoist_speed_count, given = hoist_independent_count };
    struct hoist_equations e;
    double rates[n], rest[n];
    int i, j;
    hoist_equations_at(t, state, inputs, parameters, &e);
    for (i = 0; i < given; ++i) rates[hoist_independent[i]] = independent_rates[i];
    for (i = 0; i < n; ++i) {
        rest[i] = -e.f[i];
        for (j = 0; j < n; ++j) rest[i] += (i >= j ? e.M[i*n + j] : e.M[j*n + i])*rates[j];
    }
    for (i = 0; i < given; ++i) {
        forces[i] = rest[hoist_independent[i]];
        if (!isfinite(forces[i])) return -3;
    }
    return 0;
}
