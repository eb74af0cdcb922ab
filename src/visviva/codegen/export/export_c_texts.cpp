#include "visviva/codegen/export/export_c_texts.h"

#include <fmt/format.h>

#include <map>

namespace visviva {
namespace {

// Functions that C does not have; NaN goes through.
const std::map<Op, std::string>& helpers() {
  static const std::map<Op, std::string> texts = {
      {Op::sign, R"(static double NAME_sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}
)"},
      {Op::step, R"(static double NAME_step(double x)
{
    return isnan(x) ? x : x >= 0.0 ? 1.0 : 0.0;
}
)"},
      {Op::min, R"(static double NAME_min(double a, double b)
{
    return isnan(a) || isnan(b) ? a + b : a < b ? a : b;
}
)"},
      {Op::max, R"(static double NAME_max(double a, double b)
{
    return isnan(a) || isnan(b) ? a + b : a < b ? b : a;
}
)"}};
  return texts;
}

constexpr const char* positive_solver = R"(
/* Solves M x = f by M = L D L', M symmetric and positive, given by its lower triangle and
   overwritten; f becomes x. 0, or -1 when M is singular, -3 when a number is not finite. */
static int NAME_solve(double *M, double *x)
{
    const int n = NAME_speed_count;
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
)";

constexpr const char* general_solver = R"(
/* Solves K x = y, y the last column of K, by elimination with full pivoting; rows and columns are
   scaled to 1 first. Answers as NAME_accelerations does. */
static int NAME_solve(double K[NAME_equation_count][NAME_unknown_total + 1], double *x)
{
    enum { rows = NAME_equation_count, columns = NAME_unknown_total, n = NAME_speed_count };
    const double zero_pivot = 1e-10, consistent = 1e-6, determined = 1e-7;
    double factor[columns], size = 0.0, first = 0.0, null[columns];
    int order[columns], rank = 0, i, j, k, pass;

    for (j = 0; j < columns; ++j) {
        factor[j] = 1.0;
        order[j] = j;
        x[j] = 0.0;
    }
    for (i = 0; i < rows; ++i)
        for (j = 0; j <= columns; ++j)
            if (!isfinite(K[i][j])) return -3;
    for (pass = 0; pass < 3; ++pass) {
        for (i = 0; i < rows; ++i) {
            double largest = 0.0;
            for (j = 0; j < columns; ++j) largest = fmax(largest, fabs(K[i][j]));
            for (j = 0; j <= columns && largest > 0.0; ++j) K[i][j] /= largest;
        }
        for (j = 0; j < columns; ++j) {
            double largest = 0.0;
            for (i = 0; i < rows; ++i) largest = fmax(largest, fabs(K[i][j]));
            if (!(largest > 0.0)) continue;
            for (i = 0; i < rows; ++i) K[i][j] /= largest;
            factor[j] /= largest;
        }
    }
    for (i = 0; i < rows; ++i) size = fmax(size, fabs(K[i][columns]));

    /* The largest entry that is left is the next pivot. */
    for (; rank < rows && rank < columns; ++rank) {
        int row = rank, column = rank;
        double pivot = 0.0;
        for (i = rank; i < rows; ++i)
            for (j = rank; j < columns; ++j)
                if (fabs(K[i][j]) > pivot) {
                    pivot = fabs(K[i][j]);
                    row = i;
                    column = j;
                }
        if (rank == 0) first = pivot;
        if (!(pivot > zero_pivot*first)) break;
        for (j = 0; j <= columns; ++j) {
            const double keep = K[row][j];
            K[row][j] = K[rank][j];
            K[rank][j] = keep;
        }
        for (i = 0; i < rows; ++i) {
            const double keep = K[i][column];
            K[i][column] = K[i][rank];
            K[i][rank] = keep;
        }
        k = order[column];
        order[column] = order[rank];
        order[rank] = k;
        for (i = rank + 1; i < rows; ++i) {
            const double ratio = K[i][rank]/K[rank][rank];
            for (j = rank; j <= columns && ratio != 0.0; ++j) K[i][j] -= ratio*K[rank][j];
        }
    }

    /* What no pivot determines is zero. */
    for (i = rank - 1; i >= 0; --i) {
        double sum = K[i][columns];
        for (j = i + 1; j < rank; ++j) sum -= K[i][j]*x[order[j]];
        x[order[i]] = sum/K[i][i];
        size = fmax(size, fabs(x[order[i]]));
    }
    for (i = rank; i < rows; ++i)
        if (!(fabs(K[i][columns]) <= consistent*size)) return -2;

    /* Every other solution differs by such vectors: accelerations must not. */
    for (k = rank; k < columns; ++k) {
        if (order[k] < n) return -1;
        for (i = rank - 1; i >= 0; --i) {
            double sum = -K[i][k];
            for (j = i + 1; j < rank; ++j) sum -= K[i][j]*null[j];
            null[i] = sum/K[i][i];
            if (order[i] < n && !(fabs(null[i]) <= determined)) return -1;
        }
    }
    for (j = 0; j < columns; ++j) x[j] *= factor[j];
    for (j = 0; j < columns; ++j)
        if (!isfinite(x[j])) return -3;
    return rank < columns ? 1 : 0;
}
)";

// (1) of export_system.h, solved.
std::string write_assembly(const ExportedSystem& s) {
  std::string text = R"(
static int NAME_solve_equations(const struct NAME_equations *e, double *x)
{
    enum { n = NAME_speed_count, columns = NAME_unknown_total };
    double K[NAME_equation_count][NAME_unknown_total + 1];
    int i, j;
    for (j = 0; j < columns; ++j) x[j] = 0.0;
    for (i = 0; i < NAME_equation_count; ++i)
        for (j = 0; j <= columns; ++j) K[i][j] = 0.0;
    for (i = 0; i < n; ++i) {
        for (j = 0; j < n; ++j) K[i][j] = i >= j ? e->M[i*n + j] : e->M[j*n + i];
        K[i][columns] = e->f[i];
    }
)";
  if (s.unknown_count > 0)
    text += R"(    for (i = 0; i < n; ++i)
        for (j = 0; j < NAME_unknown_count; ++j) K[i][n + j] = -e->W[i*NAME_unknown_count + j];
)";
  if (s.row_count > 0)
    text += R"(    {
        /* A row that is zero but for rounding says nothing. */
        const int first = n + NAME_unknown_count;
        double largest = 0.0;
        for (i = 0; i < NAME_row_count*n; ++i) largest = fmax(largest, fabs(e->A[i]));
        for (i = 0; i < NAME_row_count; ++i) {
            double size = 0.0;
            for (j = 0; j < n; ++j) {
                if (!isfinite(e->A[i*n + j])) return -3;
                size = fmax(size, fabs(e->A[i*n + j]));
            }
            K[n + i][columns] = e->b[i];
            for (j = 0; j < n && !(size <= 1e-14*largest); ++j) {
                K[n + i][j] = e->A[i*n + j];
                K[j][first + i] = -e->A[i*n + j];
            }
        }
    }
)";
  if (s.auxiliary_count > 0) {
    text += fmt::format(
        "    for (i = 0; i < {}; ++i) {{\n        const int row = n + NAME_row_count + i;\n",
        s.auxiliary_count);
    text += "        for (j = 0; j < n; ++j) K[row][j] = e->C[i*n + j];\n";
    text +=
        "        for (j = 0; j < NAME_unknown_count; ++j) K[row][n + j] = "
        "-e->V[i*NAME_unknown_count + j];\n";
    if (s.row_count > 0)
      text +=
          "        for (j = 0; j < NAME_row_count; ++j)\n            K[row][n + "
          "NAME_unknown_count + j] = -e->L[i*NAME_row_count + j];\n";
    text += "        K[row][columns] = e->d[i];\n    }\n";
  }
  return text + "    return NAME_solve(K, x);\n}\n";
}

}  // namespace

const char* const c_table_function = R"(
/* The cubic spline through samples, or a derivative of it; NaN outside of them. */
static double NAME_table_value(int count, const double *times, const double *values,
                               const double *curvatures, double t, int derivative)
{
    const double size = fmax(fabs(times[0]), fabs(times[count - 1]));
    const double slack = 8.0*2.220446049250313e-16*size;
    int low = 0, high = count - 1;
    double h, a, b;
    if (!(t >= times[0] - slack && t <= times[count - 1] + slack)) return NAN;
    t = fmin(fmax(t, times[0]), times[count - 1]);
    while (high - low > 1) {
        const int middle = low + (high - low)/2;
        if (times[middle] <= t) low = middle; else high = middle;
    }
    h = times[high] - times[low];
    a = (times[high] - t)/h;
    b = (t - times[low])/h;
    switch (derivative) {
    case 0:
        return a*values[low] + b*values[high]
               - h*(h/6.0*(a*b*((1.0 + a)*curvatures[low] + (1.0 + b)*curvatures[high])));
    case 1:
        return (values[high] - values[low])/h
               + h/6.0*((1.0 - 3.0*a*a)*curvatures[low] - (1.0 - 3.0*b*b)*curvatures[high]);
    case 2:
        return a*curvatures[low] + b*curvatures[high];
    default:
        return (curvatures[high] - curvatures[low])/h;
    }
}
)";

std::string write_c_helpers(const std::set<Op>& called) {
  std::string text;
  for (const auto& [op, helper] : helpers()) {
    if (called.count(op) != 0) text += "\n" + helper;
  }
  return text;
}

std::string write_c_solver(const ExportedSystem& system) {
  return system.is_plain() ? positive_solver : general_solver + write_assembly(system);
}

}  // namespace visviva
