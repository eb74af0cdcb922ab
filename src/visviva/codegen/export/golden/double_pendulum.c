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

const double double_pendulum_start_state[4] = { 2.0943951023931953, 2.0943951023931953, 0.0, 0.0 };
const char *const double_pendulum_state_names[4] = { "q1", "q2", "q1'", "q2'" };
const double double_pendulum_default_inputs[1] = { 0.0 };
const char *const double_pendulum_input_names[1] = { "" };
const double double_pendulum_default_parameters[4] = { 1.0, 1.0, 1.0, 9.81 };
const char *const double_pendulum_parameter_names[4] = { "m1", "m2", "L", "g" };

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
