#include "visviva/symbolic/simplify/simplify_generators.h"

#include <algorithm>

namespace visviva {
namespace {

constexpr std::size_t max_angles = 12;

bool is_pair_function(Op op) {
  return op == Op::sin || op == Op::cos || op == Op::sinh || op == Op::cosh;
}
bool is_call(const Form& form, Op op) { return form.kind == Form::Kind::call && form.op == op; }
bool is_pair_function(const Form& form) {
  return form.kind == Form::Kind::call && is_pair_function(form.op);
}

void insert_sorted(std::vector<Form>* forms, const Form& form) {
  const auto before = [](const Form& a, const Form& b) { return compare(a, b) < 0; };
  const auto place = std::lower_bound(forms->begin(), forms->end(), form, before);
  if (place == forms->end() || compare(*place, form) != 0) forms->insert(place, form);
}

}  // namespace

// A node that becomes a generator, before generators are numbered.
struct GeneratorTable::Leaf {
  std::uint32_t index;
  Op op;
  Ref argument;   // of a sine, cosine or tangent
  bool negative;  // the node is -form
  Form form;
};

GeneratorTable::GeneratorTable(ExprPool& pool, const NodeNames& names,
                               const std::vector<std::uint32_t>& leaves,
                               const WriteOperand& write_operand)
    : pool_(pool), names_(names), write_operand_(write_operand) {
  std::vector<Leaf> written;
  for (const std::uint32_t index : leaves) written.push_back(write_leaf(index));
  number_generators(written);
  set_values(written);
  relate_pairs(written);
  relate_quaternions();
}

GeneratorTable::Leaf GeneratorTable::write_leaf(std::uint32_t index) const {
  Leaf leaf{index, Op::symbol, 0, false, write_operand_(index << 1)};
  leaf.negative = is_negative(leaf.form);
  if (leaf.negative) leaf.form = visviva::negate(std::move(leaf.form));
  if (is_pair_function(leaf.form) || is_call(leaf.form, Op::tan)) {
    leaf.op = leaf.form.op;
    leaf.argument = rebuild(pool_, leaf.form.parts[0]);
  }
  return leaf;
}

bool GeneratorTable::is_quotient(const Leaf& leaf, const std::vector<Leaf>& leaves) {
  return leaf.op == Op::tan && std::any_of(leaves.begin(), leaves.end(), [&](const Leaf& pair) {
           return (pair.op == Op::sin || pair.op == Op::cos) &&
                  compare(pair.form.parts[0], leaf.form.parts[0]) == 0;
         });
}

// Functions of one argument belong together: each sine brings its cosine.
void GeneratorTable::number_generators(const std::vector<Leaf>& leaves) {
  std::vector<Form> sorted;
  for (const Leaf& leaf : leaves) {
    if (is_pair_function(leaf.op)) {
      const bool circular = leaf.op == Op::sin || leaf.op == Op::cos;
      insert_sorted(&sorted, make_call(circular ? Op::sin : Op::sinh, leaf.form.parts));
      insert_sorted(&sorted, make_call(circular ? Op::cos : Op::cosh, leaf.form.parts));
    } else if (!is_quotient(leaf, leaves)) {
      insert_sorted(&sorted, leaf.form);
    }
  }
  for (Form& form : sorted) append(std::move(form));
}

std::uint32_t GeneratorTable::find(const Form& form) const {
  const auto found = std::find_if(forms_.begin(), forms_.end(),
                                  [&](const Form& f) { return compare(f, form) == 0; });
  return static_cast<std::uint32_t>(found - forms_.begin());
}

void GeneratorTable::set_values(const std::vector<Leaf>& leaves) {
  for (const Leaf& leaf : leaves) {
    Value value;
    value.num.negative = leaf.negative;
    if (is_quotient(leaf, leaves)) {
      value.num.generator = find(make_call(Op::sin, leaf.form.parts));
      value.has_den = true;
      value.den = find(make_call(Op::cos, leaf.form.parts));
    } else {
      value.num.generator = find(leaf.form);
    }
    values_.emplace(leaf.index, value);
  }
}

// Relations of sines and cosines, in the order of the generators.
void GeneratorTable::relate_pairs(const std::vector<Leaf>& leaves) {
  for (std::uint32_t g = 0; g < forms_.size(); ++g) {
    const bool circular = is_call(forms_[g], Op::sin);
    if (!circular && !is_call(forms_[g], Op::sinh)) continue;
    const std::uint32_t cosine = find(make_call(circular ? Op::cos : Op::cosh, forms_[g].parts));
    relations_.push_back({{{g, circular ? 1 : -1}, {cosine, 1}}});
    if (!circular) continue;
    const auto same = [&](const Leaf& leaf) {
      return is_pair_function(leaf.op) && compare(leaf.form.parts[0], forms_[g].parts[0]) == 0;
    };
    angles_.push_back({std::find_if(leaves.begin(), leaves.end(), same)->argument, g, cosine});
  }
}

std::uint32_t GeneratorTable::append(Form form) {
  lengths_.push_back(written_length(pool_, form, names_));
  total_length_ += lengths_.back();
  forms_.push_back(std::move(form));
  return static_cast<std::uint32_t>(forms_.size() - 1);
}

void GeneratorTable::relate_quaternions() {
  for (const auto& symbols : pool_.unit_quaternions()) {
    SquareRelation relation;
    for (const Ref symbol : symbols) {
      const auto found = values_.find(symbol >> 1);
      if (found != values_.end()) relation.members.emplace_back(found->second.num.generator, 1);
    }
    if (relation.members.size() < 2) continue;
    for (const Ref symbol : symbols) {
      if (!values_.contains(symbol >> 1))
        relation.members.emplace_back(append(make_leaf(pool_, symbol)), 1);
    }
    relations_.push_back(std::move(relation));
  }
}

std::optional<std::pair<std::size_t, bool>> GeneratorTable::combined_angle(std::size_t a,
                                                                           std::size_t b,
                                                                           int sign) {
  const Ref second = angles_[b].argument;
  Ref argument = pool_.add(angles_[a].argument, sign > 0 ? second : ExprPool::negate(second));
  if (pool_.is_constant(argument)) return std::nullopt;
  Form form = write_operand_(argument);
  const bool turned = has_negative_lead(form);
  if (turned) {
    form = visviva::negate(std::move(form));
    argument = ExprPool::negate(argument);
  }
  for (std::size_t i = 0; i < angles_.size(); ++i) {
    if (pool_.fingerprint(angles_[i].argument) == pool_.fingerprint(argument)) return {{i, turned}};
  }
  if (angles_.size() >= max_angles) return std::nullopt;
  const std::uint32_t sine = append(make_call(Op::sin, {form}));
  const std::uint32_t cosine = append(make_call(Op::cos, {std::move(form)}));
  angles_.push_back({argument, sine, cosine});
  relations_.push_back({{{sine, 1}, {cosine, 1}}});
  return {{angles_.size() - 1, turned}};
}

}  // namespace visviva
