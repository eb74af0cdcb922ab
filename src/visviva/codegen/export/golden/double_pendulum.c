/*
 * Equations of motion of double_pendulum, written by visviva export: C99, needs <math.h> only.
 * "Two particles on two strings, with the tensions nobody needs"
 *
 * Derived by the method of Kane; all numbers in SI units, angles in rad.
 * The speeds u follow M u' = f, solved at every call.
 * One evaluation of the equations: 45 operations, 4 of them functions; 11 temporaries.
 *
 * State, with its start values:
 *     0  q1   1    2.0944
 *     1  q2   1    2.0944
 *     2  q1'  1/s  0
 *     3  q2'  1/s  0
 *
 * Inputs:
 *   none
 *
 * Parameters:
 *     0  m1  kg     1
 *     1  m2  kg     1
 *     2  L   m      1
 *     3  g   m/s^2  9.81
 *
 * Outputs:
 *     0  E_Z
 *     1  q1
 *     2  q2
 *
 * Integrals over time that outputs and events need, zero at the start:
 *     0  Z
 *
 * How to use it: compile this file with the others and copy the declarations below, or include it.
 *   double rates[double_pendulum_state_count];
 *   int status = double_pendulum_rates(0.0, double_pendulum_start_state, double_pendulum_default_inputs,
 *                           double_pendulum_default_parameters, rates);
 * Arrays without entries may be null pointers. Matrices are stored row after row. Functions keep
 * nothing between calls. Status: 0 good; 1 good, but constraints are redundant here and multipliers
 * not unique; -1 accelerations are not determined; -2 the constraints contradict each other; -3 a
 * number is not finite, as that of a table outside of its rows.
 */
#include <math.h>

enum {
    double_pendulum_state_count = 4,
    double_pendulum_configuration_count = 2, /* first in the state */
    double_pendulum_speed_count = 2,         /* then these */
    double_pendulum_input_count = 0,
    double_pendulum_parameter_count = 4
};

/* Places in the array of energies. */
enum {
    double_pendulum_K0, /* kinetic energy, the part without independent speeds */
    double_pendulum_K1, /* the part linear in them */
    double_pendulum_K2, /* the part quadratic in them */
    double_pendulum_U, /* generalized potential energy */
    double_pendulum_sigma_R, /* what accelerating v_t takes along v_R, sum of m v_R.dv_t/dt */
    double_pendulum_P_nonconservative, /* power of what has no potential */
    double_pendulum_Z_rate, /* Z' = sigma_R - P_nonconservative: K2 + U + Z is constant */
    double_pendulum_energy_count
};

enum { double_pendulum_output_count = 3 };
extern const char *const double_pendulum_output_names[3];
enum { double_pendulum_integral_count = 1 };
extern const char *const double_pendulum_integral_names[1];
enum { double_pendulum_point_count = 2 };
extern const char *const double_pendulum_point_names[2];
enum { double_pendulum_independent_count = 2 };
extern const int double_pendulum_independent[2]; /* places among the speeds */
extern const double double_pendulum_start_state[4];
extern const double double_pendulum_default_inputs[1];
extern const double double_pendulum_default_parameters[4];
extern const char *const double_pendulum_state_names[4];
extern const char *const double_pendulum_input_names[1];
extern const char *const double_pendulum_parameter_names[4];

/* The rates of the state. */
int double_pendulum_rates(double t, const double *state, const double *inputs,
    const double *parameters, double *rates);
/* M, speed_count x speed_count. */
int double_pendulum_mass_matrix(double t, const double *state, const double *inputs,
    const double *parameters, double *M);
/* f */
int double_pendulum_forcing(double t, const double *state, const double *inputs,
    const double *parameters, double *f);
/* Energies and powers, energy_count of them. */
int double_pendulum_energies(double t, const double *state, const double *inputs,
    const double *parameters, double *energies);
/* Outputs, output_count of them; integrals over time since the start, a null pointer where they are zero. */
int double_pendulum_outputs(double t, const double *state, const double *inputs,
    const double *parameters, const double *integrals, double *outputs);
/* The rates of the integrals, integral_count of them; integrals as above. */
int double_pendulum_integral_rates(double t, const double *state, const double *inputs,
    const double *parameters, const double *integrals, double *rates);
/* Velocities of points along N are J u + remainder: J is point_count x 3 x speed_count, the remainder
   point_count x 3. */
int double_pendulum_jacobians(double t, const double *state, const double *inputs,
    const double *parameters, double *J, double *remainder);
/* Inverse dynamics: the generalized forces, independent_count of them, that these rates of the independent speeds ask
   for besides what acts already. -1 where the constraints do not determine the other speeds. */
int double_pendulum_inverse(double t, const double *state, const double *inputs,
    const double *parameters, const double *independent_rates, double *forces);

const double double_pendulum_start_state[4] = { 2.0943951023931953, 2.0943951023931953, 0.0, 0.0 };
const char *const double_pendulum_state_names[4] = { "q1", "q2", "q1'", "q2'" };
const double double_pendulum_default_inputs[1] = { 0.0 };
const char *const double_pendulum_input_names[1] = { "" };
const double double_pendulum_default_parameters[4] = { 1.0, 1.0, 1.0, 9.81 };
const char *const double_pendulum_parameter_names[4] = { "m1", "m2", "L", "g" };
const char *const double_pendulum_output_names[3] = { "E_Z", "q1", "q2" };
const char *const double_pendulum_integral_names[1] = { "Z" };
const char *const double_pendulum_point_names[2] = { "P1", "P2" };
const int double_pendulum_independent[2] = { 0, 1 };

struct double_pendulum_equations {
    double q_rates[2];
    double M[4];
    double f[2];
};

static void double_pendulum_equations_at(double t, const double *state, const double *inputs,
    const double *parameters, struct double_pendulum_equations *out)
{
    const double q1 = state[0];
    const double q2 = state[1];
    const double q1_d = state[2];
    const double q2_d = state[3];
    const double m1 = parameters[0];
    const double m2 = parameters[1];
    const double L = parameters[2];
    const double g = parameters[3];
    (void)t;
    (void)inputs;

    const double v1 = L*sin(q1);
    const double v2 = L*cos(q1);
    const double v3 = L*sin(q2);
    const double v4 = L*cos(q2);
    const double v5 = m2*v3;
    const double v6 = m2*v4;
    const double v7 = m2 + m1;
    const double v8 = q1_d*v1*q1_d;
    const double v9 = q1_d*v2*q1_d + g;
    const double v10 = m2*(q2_d*v3*q2_d + v8);
    const double v11 = m2*(v9 + q2_d*v4*q2_d);
    out->q_rates[0] = q1_d;
    out->q_rates[1] = q2_d;
    out->M[0] = v1*v7*v1 + v2*v7*v2;
    out->f[0] = v2*(v10 + m1*v8) - v1*(v11 + m1*v9);
    out->M[2] = v1*v5 + v2*v6;
    out->M[3] = v3*v5 + v4*v6;
    out->f[1] = v4*v10 - v3*v11;
}

struct double_pendulum_energy_values {
    double energies[7];
};

static void double_pendulum_energy_values_at(double t, const double *state, const double *inputs,
    const double *parameters, struct double_pendulum_energy_values *out)
{
    const double q1 = state[0];
    const double q2 = state[1];
    const double q1_d = state[2];
    const double q2_d = state[3];
    const double m1 = parameters[0];
    const double m2 = parameters[1];
    const double L = parameters[2];
    const double g = parameters[3];
    (void)t;
    (void)inputs;

    const double v1 = L*cos(q1);
    const double v2 = L*cos(q2);
    const double v3 = q1_d*v1;
    const double v4 = L*sin(q1)*q1_d;
    const double v5 = q2_d*v2 + v3;
    const double v6 = L*sin(q2)*q2_d + v4;
    out->energies[0] = 0.0;
    out->energies[1] = 0.0;
    out->energies[2] = 0.5*(m2*(v5*v5 + v6*v6) + m1*(v3*v3 + v4*v4));
    out->energies[3] = -(g*(v2 + v1)*m2 + g*v1*m1);
    out->energies[4] = 0.0;
    out->energies[5] = 0.0;
    out->energies[6] = 0.0;
}

struct double_pendulum_output_values {
    double outputs[3];
};

static void double_pendulum_output_values_at(double t, const double *state, const double *inputs,
    const double *parameters, struct double_pendulum_output_values *out)
{
    const double q1 = state[0];
    const double q2 = state[1];
    const double q1_d = state[2];
    const double q2_d = state[3];
    const double Z = inputs[2];
    const double m1 = parameters[0];
    const double m2 = parameters[1];
    const double L = parameters[2];
    const double g = parameters[3];
    (void)t;

    const double v1 = L*cos(q1);
    const double v2 = L*cos(q2);
    const double v3 = q1_d*v1;
    const double v4 = L*sin(q1)*q1_d;
    const double v5 = q2_d*v2 + v3;
    const double v6 = L*sin(q2)*q2_d + v4;
    const double v7 = Z - g*v1*m1 - g*(v2 + v1)*m2 + 0.5*(m2*(v5*v5 + v6*v6) + m1*(v3*v3 + v4*v4));
    out->outputs[0] = v7;
    out->outputs[1] = q1;
    out->outputs[2] = q2;
}

struct double_pendulum_integral_values {
    double integral_rates[1];
};

static void double_pendulum_integral_values_at(double t, const double *state, const double *inputs,
    const double *parameters, struct double_pendulum_integral_values *out)
{
    (void)t;
    (void)state;
    (void)inputs;
    (void)parameters;
    out->integral_rates[0] = 0.0;
}

struct double_pendulum_point_values {
    double J[12];
    double remainder[6];
};

static void double_pendulum_point_values_at(double t, const double *state, const double *inputs,
    const double *parameters, struct double_pendulum_point_values *out)
{
    const double q1 = state[0];
    const double q2 = state[1];
    const double L = parameters[2];
    (void)t;
    (void)inputs;

    const double v1 = L*sin(q1);
    const double v2 = L*cos(q1);
    out->J[0] = v2;
    out->J[2] = v1;
    out->J[4] = 0.0;
    out->J[1] = 0.0;
    out->J[3] = 0.0;
    out->J[5] = 0.0;
    out->remainder[0] = 0.0;
    out->remainder[1] = 0.0;
    out->remainder[2] = 0.0;
    out->J[6] = v2;
    out->J[8] = v1;
    out->J[10] = 0.0;
    out->J[7] = L*cos(q2);
    out->J[9] = L*sin(q2);
    out->J[11] = 0.0;
    out->remainder[3] = 0.0;
    out->remainder[4] = 0.0;
    out->remainder[5] = 0.0;
}

/* Solves M x = f by M = L D L', M symmetric and positive, given by its lower triangle and
   overwritten; f becomes x. 0, or -1 when M is singular, -3 when a number is not finite. */
static int double_pendulum_solve(double *M, double *x)
{
    const int n = double_pendulum_speed_count;
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

int double_pendulum_rates(double t, const double *state, const double *inputs,
    const double *parameters, double *rates)
{
    struct double_pendulum_equations e;
    int i, status;
    double_pendulum_equations_at(t, state, inputs, parameters, &e);
    status = double_pendulum_solve(e.M, e.f);
    for (i = 0; i < double_pendulum_configuration_count; ++i) rates[i] = e.q_rates[i];
    for (i = 0; i < double_pendulum_speed_count; ++i) rates[double_pendulum_configuration_count + i] = e.f[i];
    for (i = 0; i < double_pendulum_configuration_count && status == 0; ++i)
        if (!isfinite(rates[i])) return -3;
    return status;
}

int double_pendulum_mass_matrix(double t, const double *state, const double *inputs,
    const double *parameters, double *M)
{
    enum { n = double_pendulum_speed_count };
    struct double_pendulum_equations e;
    int i, j;
    double_pendulum_equations_at(t, state, inputs, parameters, &e);
    for (i = 0; i < n; ++i)
        for (j = 0; j < n; ++j) M[i*n + j] = i >= j ? e.M[i*n + j] : e.M[j*n + i];
    for (i = 0; i < n*n; ++i)
        if (!isfinite(M[i])) return -3;
    return 0;
}

int double_pendulum_forcing(double t, const double *state, const double *inputs,
    const double *parameters, double *f)
{
    struct double_pendulum_equations e;
    int i;
    double_pendulum_equations_at(t, state, inputs, parameters, &e);
    for (i = 0; i < double_pendulum_speed_count; ++i) f[i] = e.f[i];
    for (i = 0; i < double_pendulum_speed_count; ++i)
        if (!isfinite(f[i])) return -3;
    return 0;
}

int double_pendulum_energies(double t, const double *state, const double *inputs,
    const double *parameters, double *energies)
{
    struct double_pendulum_energy_values e;
    int i;
    double_pendulum_energy_values_at(t, state, inputs, parameters, &e);
    for (i = 0; i < double_pendulum_energy_count; ++i) energies[i] = e.energies[i];
    for (i = 0; i < double_pendulum_energy_count; ++i)
        if (!isfinite(energies[i])) return -3;
    return 0;
}

/* What outputs are made of: inputs, u', unknown forces, multipliers, integrals. */
static int double_pendulum_find_known(double t, const double *state, const double *inputs,
    const double *parameters, const double *integrals, double *known)
{
    struct double_pendulum_equations e;
    int i, status;
    double_pendulum_equations_at(t, state, inputs, parameters, &e);
    status = double_pendulum_solve(e.M, e.f);
    for (i = 0; i < double_pendulum_input_count; ++i) known[i] = inputs[i];
    for (i = 0; i < 2; ++i)
        known[double_pendulum_input_count + i] = e.f[i];
    for (i = 0; i < 1; ++i)
        known[double_pendulum_input_count + 2 + i] = integrals ? integrals[i] : 0.0;
    return status;
}

static int double_pendulum_status_of(int status, int count, const double *values)
{
    int i;
    for (i = 0; i < count && status >= 0; ++i)
        if (!isfinite(values[i])) return -3;
    return status;
}

int double_pendulum_outputs(double t, const double *state, const double *inputs,
    const double *parameters, const double *integrals, double *outputs)
{
    struct double_pendulum_output_values e;
    double known[3];
    int i;
    const int status = double_pendulum_find_known(t, state, inputs, parameters, integrals, known);
    double_pendulum_output_values_at(t, state, known, parameters, &e);
    for (i = 0; i < double_pendulum_output_count; ++i) outputs[i] = e.outputs[i];
    return double_pendulum_status_of(status, double_pendulum_output_count, outputs);
}

int double_pendulum_integral_rates(double t, const double *state, const double *inputs,
    const double *parameters, const double *integrals, double *rates)
{
    struct double_pendulum_integral_values e;
    double known[3];
    int i;
    const int status = double_pendulum_find_known(t, state, inputs, parameters, integrals, known);
    double_pendulum_integral_values_at(t, state, known, parameters, &e);
    for (i = 0; i < double_pendulum_integral_count; ++i) rates[i] = e.integral_rates[i];
    return double_pendulum_status_of(status, double_pendulum_integral_count, rates);
}

int double_pendulum_jacobians(double t, const double *state, const double *inputs,
    const double *parameters, double *J, double *remainder)
{
    enum { rows = 3*double_pendulum_point_count, n = double_pendulum_speed_count };
    struct double_pendulum_point_values e;
    int i;
    double_pendulum_point_values_at(t, state, inputs, parameters, &e);
    for (i = 0; i < rows*n; ++i) J[i] = e.J[i];
    for (i = 0; i < rows; ++i) remainder[i] = e.remainder[i];
    for (i = 0; i < rows*n; ++i)
        if (!isfinite(J[i])) return -3;
    for (i = 0; i < rows; ++i)
        if (!isfinite(remainder[i])) return -3;
    return 0;
}

int double_pendulum_inverse(double t, const double *state, const double *inputs,
    const double *parameters, const double *independent_rates, double *forces)
{
    enum { n = double_pendulum_speed_count, given = double_pendulum_independent_count };
    struct double_pendulum_equations e;
    double rates[n], rest[n];
    int i, j;
    double_pendulum_equations_at(t, state, inputs, parameters, &e);
    for (i = 0; i < given; ++i) rates[double_pendulum_independent[i]] = independent_rates[i];
    for (i = 0; i < n; ++i) {
        rest[i] = -e.f[i];
        for (j = 0; j < n; ++j) rest[i] += (i >= j ? e.M[i*n + j] : e.M[j*n + i])*rates[j];
    }
    for (i = 0; i < given; ++i) {
        forces[i] = rest[double_pendulum_independent[i]];
        if (!isfinite(forces[i])) return -3;
    }
    return 0;
}
