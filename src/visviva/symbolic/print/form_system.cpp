#include "visviva/symbolic/print/form_system.h"

#include <algorithm>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/print/choose_cuts.h"
#include "visviva/symbolic/simplify/simplify.h"

namespace visviva {
namespace {

// Beyond this an expression is not tried as a whole.
constexpr std::size_t max_whole_nodes = 1500;
constexpr std::size_t max_whole_depth = 300;

// An intermediate this short is written in place.
constexpr std::size_t short_text = 16;

class FormSystemMaker {
 public:
  FormSystemMaker(ExprPool& pool, const PrintOptions& options) : pool_(pool), options_(options) {
    budget_.work = options.work;
  }

  FormSystem make(const std::vector<Ref>& roots) {
    system_.forms.resize(roots.size());
    // Small ones first: they shall not go short because of large ones.
    std::vector<std::pair<std::size_t, std::size_t>> by_size;  // nodes, place
    for (std::size_t i = 0; i < roots.size(); ++i) by_size.emplace_back(whole_size(roots[i]), i);
    std::sort(by_size.begin(), by_size.end());
    std::vector<std::size_t> large;
    for (const auto& [size, i] : by_size) {
      if (size > max_whole_nodes || !write_whole(roots[i], &system_.forms[i])) large.push_back(i);
    }
    if (!large.empty()) cut(roots, large);
    return std::move(system_);
  }

 private:
  // Nodes of an expression; more than the limit when they are, or it is too deep.
  std::size_t whole_size(Ref root) const {
    const std::size_t size = count_nodes(pool_, root, max_whole_nodes);
    if (size > max_whole_nodes || size <= max_whole_depth) return size;
    return depth_of(pool_, collect_cone(pool_, {root})) > max_whole_depth ? max_whole_nodes + 1
                                                                          : size;
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
    system_.cuts = choose_cuts(pool_, refs, {.shared_size = shared_size, .line_size = line_size});
    name_cuts(system_.cuts);
    Budget share = budget_;
    share.work = std::max(budget_.work, options_.work / 2);
    Simplifier simplifier(pool_, system_.names, share);
    for (const std::uint32_t index : system_.cuts) {
      system_.definitions.push_back(simplifier.simplify(index << 1));
      const Form& form = system_.definitions.back();
      if (written_length(pool_, form, system_.names) <= short_text)
        simplifier.set_form(index, form);
    }
    for (const std::size_t i : large) {
      system_.forms[i] = simplifier.operand(roots[i]);
    }
    drop_unused();
  }

  // z1, z2, ... without names that symbols have.
  void name_cuts(const std::vector<std::uint32_t>& cuts) {
    system_.names.clear();
    std::size_t number = 0;
    for (const std::uint32_t index : cuts) {
      std::string name;
      do {
        name = options_.prefix + std::to_string(++number);
      } while (pool_.has_symbol_named(name));
      system_.names.emplace(index, name);
    }
  }

  // What simplification made superfluous goes; the rest is numbered anew.
  void drop_unused() {
    std::unordered_set<std::uint32_t> used;
    for (const Form& form : system_.forms) collect_named(form, system_.names, &used);
    std::vector<std::uint32_t> cuts;
    std::vector<Form> definitions;
    for (std::size_t i = system_.cuts.size(); i-- > 0;) {
      if (!used.contains(system_.cuts[i])) continue;
      collect_named(system_.definitions[i], system_.names, &used);
      cuts.push_back(system_.cuts[i]);
      definitions.push_back(std::move(system_.definitions[i]));
    }
    std::reverse(cuts.begin(), cuts.end());
    std::reverse(definitions.begin(), definitions.end());
    system_.cuts = std::move(cuts);
    system_.definitions = std::move(definitions);
    name_cuts(system_.cuts);
  }

  ExprPool& pool_;
  const PrintOptions& options_;
  Budget budget_;
  FormSystem system_;
};

}  // namespace

FormSystem make_form_system(ExprPool& pool, const std::vector<Ref>& roots,
                            const PrintOptions& options) {
  return FormSystemMaker(pool, options).make(roots);
}

void collect_named(const Form& form, const NodeNames& names,
                   std::unordered_set<std::uint32_t>* used) {
  if (form.kind == Form::Kind::leaf && names.contains(form.ref >> 1)) used->insert(form.ref >> 1);
  for (const Form& part : form.parts) collect_named(part, names, used);
}

}  // namespace visviva
