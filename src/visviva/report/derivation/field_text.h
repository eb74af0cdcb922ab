// Field equations in words: partial differential equations and boundary conditions as text, LaTeX and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "visviva/equations/continuum/field_equations.h"

namespace visviva {

/// For a terminal: an equation of each field, its boundary conditions below, then those of the other coordinates.
std::string write_field_equations(const FieldEquations& equations, const ModelData& model);
std::string write_field_equations_latex(const FieldEquations& equations, const ModelData& model);
/// field -> {equation, boundary: [{at, kind, equation}]}.
nlohmann::ordered_json make_field_equations_json(const FieldEquations& equations,
                                                 const ModelData& model);
/// Speed -> the equation of an ordinary coordinate, with integrals over the variables of fields.
nlohmann::ordered_json make_integral_equations_json(const FieldEquations& equations,
                                                    const ModelData& model);

}  // namespace visviva
