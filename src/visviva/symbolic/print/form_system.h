// FormSystem: many expressions laid out as forms, the large ones cut into named intermediates that
// they share.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "visviva/symbolic/form/write_form.h"
#include "visviva/symbolic/print/print_options.h"

namespace visviva {

struct FormSystem {
  std::vector<Form> forms;          ///< one for each expression
  std::vector<std::uint32_t> cuts;  ///< indices of the nodes that are intermediates
  std::vector<Form> definitions;    ///< the forms of the intermediates
  NodeNames names;                  ///< the names of the intermediates, by index
};

/// Simplifies expressions, small ones first; `notation` does not matter.
FormSystem make_form_system(ExprPool& pool, const std::vector<Ref>& roots,
                            const PrintOptions& options);

/// Adds the indices of the named nodes that a form mentions.
void collect_named(const Form& form, const NodeNames& names,
                   std::unordered_set<std::uint32_t>* used);

}  // namespace visviva
