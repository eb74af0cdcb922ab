#include "visviva/symbolic/print/print.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/print/print_cut.h"
#include "visviva/symbolic/print/print_forms.h"
#include "visviva/symbolic/form/print_walk.h"
#include "visviva/symbolic/simplify/simplify.h"

namespace visviva {
namespace {

// Beyond this an expression is not tried as a whole.
constexpr std::size_t max_whole_nodes = 1500;
constexpr std::size_t max_whole_depth = 300;

// An intermediate this short is written in place.
constexpr std::size_t short_text = 16;

// Marks the named nodes that a form mentions.
void mark_used(const Form& form, const NodeNames& names, std::vector<std::uint32_t>* used) {
  if (form.kind == Form::Kind::leaf && names.contains(form.ref >> 1))
    used->push_back(form.ref >> 1);
  for (const Form& part : form.parts) mark_used(part, names, used);
}

}  // namespace

class SystemPrinter {
 public:
  SystemPrinter(ExprPool& pool, const PrintOptions& options) : pool_(pool), options_(options) {
    budget_.work = options.work;
  }

  PrintedSystem run(const std::vector<Ref>& roots) {
    make_forms(roots);
    return written();
  }

  PrintedForms run_forms(const std::vector<Ref>& roots) {
    make_forms(roots);
    PrintedForms forms(pool_);
    for (std::size_t i = 0; i < roots.size(); ++i) forms.forms_.emplace(roots[i], forms_[i]);
    forms.cuts_ = std::move(cuts_);
    forms.definitions_ = std::move(definitions_);
    forms.names_ = std::move(names_);
    return forms;
  }

  // The coefficients' forms times names, as one sum, with the intermediates they need.
  PrintedSystem run_combination(const std::vector<Ref>& roots,
                                const std::vector<std::string>& names) {
    make_forms(roots);
    PrintedSystem system = written();
    const NotationWriter& writer = notation_writer(options_.notation);
    std::vector<SignedText> terms;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const bool negative =
          forms_[i].kind == Form::Kind::sum ? has_negative_lead(forms_[i]) : is_negative(forms_[i]);
      const Form form = negative ? negate(forms_[i]) : forms_[i];
      const std::string name = writer.name(names[i]);
      const bool one = form.kind == Form::Kind::number && is_one(form.number);
      std::string text = write_form(pool_, form, names_, writer);
      if (form.kind == Form::Kind::sum) text = writer.group(text);
      terms.push_back({negative, one ? name : writer.product({text, name})});
    }
    system.expressions = {writer.sum(terms)};
    return system;
  }

 private:
  void make_forms(const std::vector<Ref>& roots) {
    forms_.resize(roots.size());
    // Small ones first: they shall not go short because of large ones.
    std::vector<std::pair<std::size_t, std::size_t>> by_size;  // nodes, place
    for (std::size_t i = 0; i < roots.size(); ++i) by_size.emplace_back(whole_size(roots[i]), i);
    std::sort(by_size.begin(), by_size.end());
    std::vector<std::size_t> large;
    for (const auto& [size, i] : by_size) {
      if (size > max_whole_nodes || !write_whole(roots[i], &forms_[i])) large.push_back(i);
    }
    if (!large.empty()) cut(roots, large);
  }

  // Nodes of an expression; more than any limit when it is too deep.
  std::size_t whole_size(Ref root) const {
    const std::vector<std::uint32_t> cone = collect_cone(pool_, {root});
    if (cone.size() > max_whole_nodes) return cone.size();
    return depth_of(pool_, cone) > max_whole_depth ? max_whole_nodes + 1 : cone.size();
  }

  bool write_whole(Ref root, Form* form) {
    const NodeNames none;
    Budget share = budget_;
    share.work = std::min(budget_.work, options_.work / 6);
    Simplifier simplifier(pool_, none, share);
    bool written = true;
    try {
      *form = simplifier.simplify(root);
      written = written_length(pool_, *form, none) <= options_.inline_length;
    } catch (const TooLarge&) {
      written = false;
    }
    budget_.work -= share.work - simplifier.work_left();
    return written;
  }

  void cut(const std::vector<Ref>& roots, const std::vector<std::size_t>& large) {
    std::vector<Ref> refs;
    for (const std::size_t i : large) refs.push_back(roots[i]);
    // Lines must stay small enough to be written as built.
    const std::size_t line_size = std::min<std::size_t>(options_.line_size, 300);
    const std::size_t shared_size = std::min(options_.shared_size, line_size);
    cuts_ = choose_cuts(pool_, refs, {.shared_size = shared_size, .line_size = line_size});
    name_cuts(cuts_);
    Budget share = budget_;
    share.work = std::max(budget_.work, options_.work / 2);
    Simplifier simplifier(pool_, names_, share);
    for (const std::uint32_t index : cuts_) {
      definitions_.push_back(simplifier.simplify(index << 1));
      const Form& form = definitions_.back();
      if (written_length(pool_, form, names_) <= short_text) simplifier.set_form(index, form);
    }
    for (const std::size_t i : large) {
      forms_[i] = simplifier.operand(roots[i]);
    }
    drop_unused();
  }

  // z1, z2, ... without names that symbols have.
  void name_cuts(const std::vector<std::uint32_t>& cuts) {
    names_.clear();
    std::size_t number = 0;
    for (const std::uint32_t index : cuts) {
      std::string name;
      do {
        name = options_.prefix + std::to_string(++number);
      } while (pool_.has_symbol_named(name));
      names_.emplace(index, name);
    }
  }

  // What simplification made superfluous goes; the rest is numbered anew.
  void drop_unused() {
    std::vector<std::uint32_t> used;
    for (const Form& form : forms_) mark_used(form, names_, &used);
    std::vector<std::uint32_t> cuts;
    std::vector<Form> definitions;
    IndexMap needed;
    const auto need_all = [&] {
      for (const std::uint32_t index : used) needed.set(index, 1);
      used.clear();
    };
    for (std::size_t i = cuts_.size(); i-- > 0;) {
      need_all();
      if (!needed.contains(cuts_[i])) continue;
      mark_used(definitions_[i], names_, &used);
      cuts.push_back(cuts_[i]);
      definitions.push_back(std::move(definitions_[i]));
    }
    std::reverse(cuts.begin(), cuts.end());
    std::reverse(definitions.begin(), definitions.end());
    cuts_ = std::move(cuts);
    definitions_ = std::move(definitions);
    name_cuts(cuts_);
  }

  PrintedSystem written() const {
    const NotationWriter& writer = notation_writer(options_.notation);
    PrintedSystem system;
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      system.intermediates.push_back({names_.at(cuts_[i]),
                                      write_form(pool_, definitions_[i], names_, writer),
                                      Expr(pool_, cuts_[i] << 1)});
    }
    for (const Form& form : forms_)
      system.expressions.push_back(write_form(pool_, form, names_, writer));
    return system;
  }

  ExprPool& pool_;
  const PrintOptions& options_;
  Budget budget_;
  std::vector<Form> forms_;          // one for each expression
  std::vector<std::uint32_t> cuts_;  // indices of the intermediates, and their forms
  std::vector<Form> definitions_;
  NodeNames names_;
};

namespace {

// The one expression of a system, with what it needs said after it.
std::string written_with_intermediates(const PrintedSystem& system, Notation notation) {
  if (system.intermediates.empty()) return system.expressions.front();
  std::vector<std::string> names, definitions;
  for (const Intermediate& intermediate : system.intermediates) {
    names.push_back(print_name(intermediate.name, notation));
    definitions.push_back(intermediate.expression);
  }
  return notation_writer(notation).where(system.expressions.front(), names, definitions);
}

}  // namespace

PrintedSystem print_system(const std::vector<Expr>& exprs, const PrintOptions& options) {
  if (exprs.empty()) return {};
  Workspace work(common_pool(exprs, "print_system"));
  PrintedSystem system =
      SystemPrinter(work.pool(), options).run(refs_in(work.pool(), exprs, "print_system"));
  system.pool = work.finish();
  return system;
}

PrintedForms print_forms(const std::vector<Expr>& exprs, const PrintOptions& options) {
  if (exprs.empty()) throw UsageError("print_forms", "expected an expression");
  ExprPool& pool = common_pool(exprs, "print_forms");
  std::vector<Ref> roots = refs_in(pool, exprs, "print_forms");
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return SystemPrinter(pool, options).run_forms(roots);
}

std::string print(const Expr& expr, Notation notation) {
  if (!expr.valid()) throw UsageError("print", "an empty Expr was used");
  return written_with_intermediates(print_system({expr}, {.notation = notation}), notation);
}

std::string print_combination(const std::vector<Expr>& coefficients,
                              const std::vector<std::string>& names, Notation notation) {
  if (coefficients.size() != names.size())
    throw UsageError("print_combination", "expected a name for each coefficient");
  std::vector<Ref> roots;
  std::vector<std::string> kept;
  if (coefficients.empty()) return notation_writer(notation).number({.digits = "0"});
  const Workspace work(common_pool(coefficients, "print_combination"));
  const std::vector<Ref> refs = refs_in(work.pool(), coefficients, "print_combination");
  for (std::size_t i = 0; i < refs.size(); ++i) {
    if (coefficients[i].is_zero()) continue;
    roots.push_back(refs[i]);
    kept.push_back(names[i]);
  }
  const NotationWriter& writer = notation_writer(notation);
  if (roots.empty()) return writer.number({.digits = "0"});
  const PrintOptions options{.notation = notation};
  SystemPrinter printer(work.pool(), options);
  return written_with_intermediates(printer.run_combination(roots, kept), notation);
}

std::string print_name(std::string_view name, Notation notation) {
  return notation_writer(notation).name(name);
}

}  // namespace visviva
