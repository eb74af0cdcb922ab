// Field equations in words: partial differential equations and boundary conditions as text, LaTeX and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "visviva/equations/continuum/field_equations.h"
#include "visviva/symbolic/print/print_options.h"

namespace visviva {

/// One of the equations, written: left = right.
struct FieldLine {
  enum class Kind {
    equation,
    natural,
    geometric,
    coordinate,
    constraint,
    energy,
    flux,
    power,
    through
  };
  Kind kind;
  std::string head;  ///< the field, coordinate, constraint or variable that it belongs to
  std::string left, right;
  std::string place{};                                       ///< of a boundary condition
  std::vector<std::pair<std::string, std::string>> terms{};  ///< where they come from, and they
};

/// All of them: each field's with its conditions, those of coordinates, constraints, and the balance of power.
std::vector<FieldLine> list_field_lines(const FieldEquations& equations, const ModelData& model,
                                        Notation notation);

/// For a terminal: an equation of each field, its boundary conditions below, then those of the other coordinates.
std::string write_field_equations(const FieldEquations& equations, const ModelData& model);
std::string write_field_equations_latex(const FieldEquations& equations, const ModelData& model);
/// field -> {equation, boundary: [{at, kind, equation}]}.
nlohmann::ordered_json make_field_equations_json(const FieldEquations& equations,
                                                 const ModelData& model);
/// Speed -> the equation of an ordinary coordinate, with integrals over the variables of fields.
nlohmann::ordered_json make_integral_equations_json(const FieldEquations& equations,
                                                    const ModelData& model);

/// Variable -> {energy, flux, power, given, through, proved}.
nlohmann::ordered_json make_power_balance_json(const FieldEquations& equations,
                                               const ModelData& model);

}  // namespace visviva
