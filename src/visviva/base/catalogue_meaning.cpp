// What can be wrong with names, dimensions and kinds of values.
#include "visviva/base/catalogue_tables.h"

namespace visviva {
namespace {

std::vector<CatalogueEntry> names() {
  return {
      {"E-name-twice", "a name is declared twice",
       "Scalars; frames and bodies; points and particles; forces and constraints: in each of these "
       "four a name is declared once.",
       "parameter L = 1 m\ncoordinate L = 0 m", "parameter L = 1 m\ncoordinate q = 0 m"},
      {"E-name-unknown", "a name is not declared",
       "Nothing of this name is declared anywhere in the model; the order does not matter.",
       "point P = No + lenght*N.x", "parameter length = 1 m\npoint P = No + length*N.x"},
      {"E-name-kind", "a name stands for something else",
       "A point was expected and a frame was found, or the like. Namespaces are apart: the same "
       "name may be a point and a scalar.",
       "let v = velocity(B)", "let v = velocity(Bcm)"},
      {"E-definition-cycle", "definitions go in a circle",
       "What is defined here depends on itself, perhaps through others.",
       "parameter a = 2*b, b = a/2", "parameter a = 2 m, b = a/2"},
      {"E-statement-twice", "a statement stands once",
       "A model has one `model` line, one `gravity` and one `study`.",
       "study until 1 s\nstudy until 2 s", "study until 2 s"},
      {"E-value-not-constant", "a parameter is not constant",
       "The value of a parameter depends on other parameters only, not on time, coordinates or "
       "speeds.",
       "parameter a = 2*t", "specified a(t) = 2*t"},
      {"E-specified-depends", "a specified function depends on more than time",
       "It is known in advance: parameters and t, no coordinates and no speeds. What depends on "
       "the state is a force or a `let`.",
       "specified F(t) = -k*q", "let F = -k*q"},
      {"E-rate-unknown", "this has no rate",
       "Primes stand after coordinates (two), specified functions (two) and speeds (one).",
       "parameter L = 1 m\nlet v = L'", "coordinate L = 1 m\nlet v = L'"},
      {"W-unused-parameter", "a parameter is not used",
       "Nothing in the model depends on it: perhaps another was meant.", "parameter g = 9.81 m/s^2",
       "parameter g = 9.81 m/s^2\ngravity -g*N.y"},
      {"W-unused-coordinate", "a coordinate moves nothing",
       "No frame and no point depends on it, so there is nothing to determine it.",
       "coordinate q = 0 m\nparticle Q at No, mass m",
       "coordinate q = 0 m\nparticle Q at No + q*N.x, mass m"},
      {"W-unused-specified", "a specified function is not used",
       "No position, force or output depends on it.", "specified x(t) = 1 m",
       "specified x(t) = 1 m\npoint P = No + x*N.x"},
      {"W-unused-input", "an input is not used", "No force depends on it.", "input tau = 0 N*m",
       "input tau = 0 N*m\ntorque T on B = tau*N.z"},
      {"W-unused-output", "an output never changes",
       "It contains numbers and parameters only, so that every row of results is the same.",
       "parameter m = 1 kg\noutput twice = 2*m", "coordinate x = 1 m\noutput twice = 2*x"},
      {"W-unused-name", "an unknown or a `let` is not used",
       "No force contains the unknown, or no expression the `let`.", "unknown T",
       "unknown T\nforce F on Q = T*N.x"},
  };
}

std::vector<CatalogueEntry> dimensions() {
  return {
      {"W-angle-large", "an angle beyond a full turn has no unit",
       "Numbers without a unit are radians. Degrees are written with deg; rad says that radians "
       "are meant.",
       "coordinate theta = 45", "coordinate theta = 45 deg"},
      {"E-dimension-sum", "terms of a sum have different dimensions",
       "Only like can be added to like. A plain 0 goes with everything.", "let a = 1 m + 2 s",
       "let a = 1 m + 2 m"},
      {"E-function-undefined", "a function without a definition is to have a value",
       "`function X(theta)` alone is for derivations: derive, energy, prove and check. A run, a "
       "state or "
       "a source file needs its definition.",
       "function X(theta)\nparticle Q at No + X(theta)*N.x, mass 1 kg",
       "function X(theta) = 0.1 m*theta + 0.02 m*sin(theta)\nparticle Q at No + X(theta)*N.x, mass "
       "1 "
       "kg"},
      {"E-dimension-function", "an argument has the wrong dimension",
       "sin, exp and their kind take pure numbers (angles are such); min, max and atan2 take "
       "values of one dimension.",
       "let a = sin(2 m)", "let a = sin(2 m/L)"},
      {"E-dimension-power", "a power of something with a dimension needs a plain number",
       "The dimension of x^n must be known: n is a number, not a symbol.", "let a = L^n",
       "let a = L^2"},
      {"E-dimension-definition", "a value has another dimension than its name",
       "What is assigned, in a case or with --set, must have the dimension that the name has in "
       "the model.",
       "parameter L = 1 m\ncase long: L = 2 s", "parameter L = 1 m\ncase long: L = 2 m"},
      {"E-dimension-start", "a start value has the wrong dimension",
       "A coordinate and its start value, a rate and its start value, agree.",
       "coordinate x = 0 m, x' = 1 m", "coordinate x = 0 m, x' = 1 m/s"},
      {"E-dimension-position", "a position needs a length",
       "Points are apart by vectors of dimension length.", "point P = No + 2*N.x",
       "point P = No + 2 m*N.x"},
      {"E-dimension-angle", "an angle is a pure number", "Rotations take angles: rad, deg or rev.",
       "frame A = rotate(N, z, 2 m)", "frame A = rotate(N, z, 2 rad)"},
      {"E-dimension-rate", "an angular velocity has the dimension 1/s",
       "`spin` takes an angular velocity.", "frame A = spin(N, 2*N.z)",
       "frame A = spin(N, 2 rad/s*N.z)"},
      {"E-dimension-mass", "a mass has the dimension kg", "Masses of particles and bodies.",
       "particle Q at P, mass 2 N", "particle Q at P, mass 2 kg"},
      {"E-dimension-inertia", "a moment of inertia has the dimension kg*m^2",
       "All its entries, products of inertia too.", "body B at P, mass m, inertia 1 kg, 1 kg, 1 kg",
       "body B at P, mass m, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2"},
      {"E-dimension-solid", "the sizes of a solid are lengths", "Radius, length and edges.",
       "body B at P, mass m, sphere radius 2", "body B at P, mass m, sphere radius 2 m"},
      {"E-dimension-gravity", "gravity is an acceleration", "A vector in m/s^2, not a force.",
       "gravity -m*g*N.y", "gravity -g*N.y"},
      {"E-dimension-force", "a force or torque has the wrong dimension",
       "Forces are in N, torques in N*m.", "force F on P = 2 kg*N.x", "force F on P = 2 N*N.x"},
      {"E-dimension-spring", "a spring or damper has the wrong dimension",
       "Stiffness times length is a force, stiffness times angle a torque; a damper's rate "
       "likewise with speeds.",
       "spring S from P to Q, stiffness 3 N", "spring S from P to Q, stiffness 3 N/m"},
      {"E-dimension-energy", "a potential or dissipation has the wrong dimension",
       "A potential is an energy (N*m), a Rayleigh function a power (W).", "potential V = k*s",
       "potential V = 1/2*k*s^2"},
      {"E-dimension-constraint", "the sides of a constraint have different dimensions",
       "Both sides agree; a plain 0 goes with everything.", "constraint dot(P - No, N.x) = 2 s",
       "constraint dot(P - No, N.x) = 2 m"},
      {"E-dimension-study", "a setting of the study has the wrong dimension",
       "Times are in s, energy in J, the tolerance is a pure number.", "study until 10 m",
       "study until 10 s"},
      {"E-dimension-table", "a table has another dimension than its function",
       "The unit in the table and the use of the function disagree.",
       "specified F(t) = table(\"f.csv\", unit m)\nforce P on Q = F*N.x",
       "specified F(t) = table(\"f.csv\", unit N)\nforce P on Q = F*N.x"},
  };
}

std::vector<CatalogueEntry> kinds() {
  return {
      {"E-point-sum", "points cannot be added",
       "A point plus a vector is a point; a point minus a point is a vector.", "point P = Q + R",
       "point P = Q + (R - No)"},
      {"E-point-scale", "a point cannot be multiplied",
       "Only vectors and scalars can; a point has no magnitude.", "point P = 2*Q",
       "point P = No + 2*(Q - No)"},
      {"E-point-expected", "a point was expected",
       "The value of `point`, `at` and the like is a point plus vectors.", "point P = 2 m*N.x",
       "point P = No + 2 m*N.x"},
      {"E-vector-expected", "a vector was expected", "Forces, torques and gravity are vectors.",
       "gravity -9.81 m/s^2", "gravity -9.81 m/s^2*N.y"},
      {"E-scalar-expected", "a scalar was expected",
       "Coordinates, parameters and energies are scalars.", "potential V = k*N.x",
       "potential V = k*s^2"},
      {"E-vector-sum", "a vector and a scalar cannot be added",
       "Sums hold vectors, or scalars, or a point and vectors.", "let a = 2 m + 3 m*N.x",
       "let a = 2 m*N.y + 3 m*N.x"},
      {"E-vector-product", "vectors are multiplied by dot or cross", "`*` multiplies by a scalar.",
       "let a = v*w", "let a = dot(v, w)"},
      {"E-vector-divisor", "nothing can be divided by a vector",
       "Nor can a vector be raised to a power.", "let a = 1/v", "let a = 1/magnitude(v)"},
      {"E-unit-of-zero", "the zero vector has no direction",
       "`unit` divides by the magnitude, which is always 0 here.", "let e = unit(P - P)",
       "let e = unit(P - Q)"},
      {"E-value-domain", "a function has no value there",
       "The root or logarithm of a negative number, the arc sine of 2, and the like.",
       "parameter a = sqrt(-1)", "parameter a = sqrt(2)"},
      {"E-division-by-zero", "something is divided by zero",
       "The divisor is 0 whatever the values.", "let a = 1/(x - x)", "let a = 1/x"},
  };
}

}  // namespace

std::vector<CatalogueEntry> meaning_catalogue() {
  std::vector<CatalogueEntry> all;
  for (const auto& part : {names(), dimensions(), kinds()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace visviva
