// ExportDraft: expressions of one block of an exported file with their places, before they become a program.
#pragma once

#include <optional>
#include <vector>

#include "visviva/codegen/export/exported_block.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

struct ExportDraft {
  std::vector<Expr> expressions{};
  std::vector<ExportedTarget> targets{};
  Replacements definitions{};  // of what stood in them

  void add(const Expr& e, const char* array, std::size_t row,
           std::optional<std::size_t> column = {}) {
    expressions.push_back(e);
    targets.push_back({array, row, column});
  }
};

}  // namespace visviva
