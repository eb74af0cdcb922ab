// The outline of a written derivation: headed sections of equations and tables, before text or
// LaTeX sets them.
#pragma once

#include <string>
#include <vector>

#include "visviva/report/derivation/derivation.h"
#include "visviva/symbolic/print/printed_texts.h"

namespace visviva {

/// label: left = right, and a note in words after it.
struct OutlineEquation {
  std::string left;
  std::string relation = "=";
  std::string right;
  std::string note{};
  std::string label{};
};

/// A table of the terms of one generalized force.
struct OutlineTable {
  std::string head;  ///< the speed, written
  struct Row {
    std::string kind;  ///< "active" or "inertia", at the first row of its kind
    std::string name;  ///< of a load or body
    int line = 0;
    std::string value;
  };
  std::vector<Row> rows;
};

/// A table of short formulas: points or frames against speeds. The first cell of a row is its name.
struct OutlineGrid {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
};

struct OutlineSection {
  std::string title;
  std::vector<std::string> words{};  ///< paragraphs
  std::vector<OutlineEquation> equations{};
  std::vector<OutlineTable> tables{};
  std::vector<OutlineGrid> grids{};
};

struct Outline {
  std::string title;
  std::vector<OutlineSection> sections;
};

Outline make_outline(const Derivation& derivation, Notation notation);

/// The condition under which embedded constraints hold; no equations where only parameters could
/// violate it. `validity` is EmbeddedEquations::validity, written by `written`.
OutlineSection make_validity_section(const ModelData& model, const Expr& validity,
                                     const PrintedTexts& written);

/// True when no symbol in it changes with the motion.
bool has_only_parameters(const ModelData& model, const Expr& expr);

/// a + b, both written; a minus at the front of b becomes the sign between them.
std::string write_signed_sum(const std::string& a, const std::string& b);

}  // namespace visviva
