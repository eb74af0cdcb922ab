// What can be wrong with fields, lines, and laws per length.
#include "visviva/base/catalogue_tables.h"

namespace visviva {

std::vector<CatalogueEntry> continuum_catalogue() {
  return {
      {"E-field-variable", "the variable of a field is misused",
       "It stands for every place: in lines, in laws `over` it, and before `at`. It is no other "
       "scalar, has no rate, and is what the slopes of its fields are taken by.",
       "field w(x) from 0 m to L\npoint P = No + x*N.x",
       "field w(x) from 0 m to L\npoint P = No + L*N.x"},
      {"E-field-place", "a field is named where there is no place, or the wrong one",
       "A field has a value at every place of its interval: say where with `at`. Places are made "
       "of "
       "parameters and lie on the interval.",
       "output tip = w", "output tip = w at L"},
      {"E-field-interval", "the interval of a field cannot be",
       "It goes forwards, from one constant to another; fields of one variable have one interval.",
       "field w(x) from L to 0 m", "field w(x) from 0 m to L"},
      {"E-field-order", "slopes of too high an order",
       "Energies of a line have first and second slopes; a moment acts where second slopes have an "
       "energy.",
       "potential V over x = 1/2*k*d(w, x, x, x)^2", "potential V over x = 1/2*EI*d(w, x, x)^2"},
      {"E-field-condition", "too many conditions at a place",
       "A field is held where its energies let it: its value where they have first slopes, its "
       "slope too where they have second ones, each once. The other conditions follow from the "
       "forces there. What holds it depends on parameters and time.",
       "potential V over x = 1/2*T*d(w, x)^2\nfix w at L = 0 m, d(w, x) at L = 0",
       "potential V over x = 1/2*T*d(w, x)^2\nfix w at L = 0 m"},
      {"E-field-elements", "a field cannot be cut into these elements",
       "Their number is whole, 1 to 100000. What is fixed lies at their ends, and fields of one "
       "variable have numbers of elements that fit each other.",
       "fix w at L/3 = 0 m\ndiscretize w, elements 10",
       "fix w at L/3 = 0 m\ndiscretize w, elements 12"},
      {"E-field-discretize", "a field is not cut into elements",
       "`derive` and `linearize` take fields as they are; every other command needs coordinates, "
       "for all fields of a variable.",
       "field w(x) from 0 m to L", "field w(x) from 0 m to L\ndiscretize w, elements 20"},
      {"E-field-moving", "a line whose material moves has no linear elements",
       "Material that passes a place turns with the line's slope: slopes go on from one element to "
       "the next, as cubic ones have them.",
       "line String at No + x*N.x + w*N.y, mass rho, moving v\ndiscretize w, elements 20, linear",
       "line String at No + x*N.x + w*N.y, mass rho, moving v\ndiscretize w, elements 20"},
      {"E-field-weight", "a field moves nothing that has mass",
       "Its acceleration would not be determined. A line gives it mass, or a rotary inertia.",
       "field w(x) from 0 m to L",
       "field w(x) from 0 m to L\nline Beam at No + x*N.x + w*N.y, mass rhoA"},
      {"E-fix-form", "what is fixed is no field at a place",
       "`fix` takes fields and their slopes, each with its place and value.", "fix w = 0 m",
       "fix w at 0 m = 0 m"},
      {"E-line-mass", "a line has no material",
       "It has a mass per length, or sections with a rotary inertia, at places that depend on the "
       "variable.",
       "line Beam at No + x*N.x, mass 0 kg/m", "line Beam at No + x*N.x + w*N.y, mass rhoA"},
      {"E-line-rotary", "how sections of a line turn is not known",
       "They turn with the frame of one axis, by one angle.", "torque T over x on Beam = tau*A.z",
       "line Beam at No + x*A.x + w*A.y, mass rhoA, rotary rhoJ about A.z by d(w, x)\n"
       "torque T over x on Beam = tau*A.z"},
      {"W-line-stiffening", "a turning beam that does not stiffen",
       "Positions that are linear in the deflection let a beam lengthen as it bends. In a frame "
       "that "
       "turns, centrifugal forces then soften it instead of stiffening it, and above some rate it "
       "runs away. An energy of the first slope, or positions that keep its length, mend it.",
       "line Beam at No + x*A.x + w*A.y, mass rhoA",
       "line Beam at No + x*A.x + w*A.y, mass rhoA\n"
       "potential stiffening over x = 1/4*rhoA*Omega^2*(L^2 - x^2)*d(w, x)^2"},
      {"E-line-unknown", "there is no such line", "What is per length acts on a line.",
       "force load over x on Bem = -p*N.y", "force load over x on Beam = -p*N.y"},
      {"E-dimension-density", "a density has the wrong dimension",
       "What stands after `over x` is per length: energy, force or torque divided by the dimension "
       "of x; likewise the mass of a line.",
       "potential V over x = 1/2*k*w^2", "potential V over x = 1/2*(k/L)*w^2"},
      {"E-dimension-field", "a place or a fixed value has the wrong dimension",
       "Places have the dimension of the field's interval, what is fixed that of the field.",
       "fix w at 0 s = 0 m", "fix w at 0 m = 0 m"},
  };
}

}  // namespace visviva
