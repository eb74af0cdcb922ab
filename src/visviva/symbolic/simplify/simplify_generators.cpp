#include "visviva/symbolic/simplify/simplify_generators.h"

#include <algorithm>

namespace visviva {
namespace {

constexpr std::size_t max_angles = 12;

bool is_pair_function(Op op) {
  return op == Op::sin || op == Op::cos || op == Op::sinh || op == Op::cosh;
}
bool is_circular(Op op) { return op == Op::sin || op == Op::cos || op == Op::tan; }
bool is_call(const Form& form, Op op) { return form.kind == Form::Kind::call && form.op == op; }
bool is_pair_function(const Form& form) {
  return form.kind == Form::Kind::call && is_pair_function(form.op);
}

// One node that becomes a generator, before generators are numbered.
struct Entry {
  std::uint32_t index;
  Op op;
  Ref argument;   // of a sine, cosine or tangent
  bool negative;  // the node is -form
  Form form;
};

void insert_sorted(std::vector<Form>* forms, const Form& form) {
  const auto before = [](const Form& a, const Form& b) { return compare(a, b) < 0; };
  const auto place = std::lower_bound(forms->begin(), forms->end(), form, before);
  if (place == forms->end() || compare(*place, form) != 0) forms->insert(place, form);
}

}  // namespace

GeneratorTable::GeneratorTable(ExprPool& pool, const NodeNames& names,
                               const std::vector<std::uint32_t>& leaves,
                               const WriteOperand& write_operand)
    : pool_(pool), names_(names), write_operand_(write_operand) {
  std::vector<Entry> entries;
  for (const std::uint32_t index : leaves) {
    Entry entry{index, Op::symbol, 0, false, write_operand_(index << 1)};
    entry.negative = is_negative(entry.form);
    if (entry.negative) entry.form = visviva::negate(std::move(entry.form));
    if (is_pair_function(entry.form) || is_call(entry.form, Op::tan)) {
      entry.op = entry.form.op;
      entry.argument = rebuild(pool_, entry.form.parts[0]);
    }
    entries.push_back(std::move(entry));
  }

  // Functions of one argument belong together: each sine brings its cosine.
  std::vector<const Entry*> pairs;
  for (const Entry& entry : entries) {
    if (is_pair_function(entry.op)) pairs.push_back(&entry);
  }
  const auto has_pair = [&pairs](const Entry& tangent) {
    return std::any_of(pairs.begin(), pairs.end(), [&](const Entry* pair) {
      return is_circular(pair->op) && compare(pair->form.parts[0], tangent.form.parts[0]) == 0;
    });
  };
  std::vector<Form> sorted;
  for (const Entry& entry : entries) {
    if (is_pair_function(entry.op)) {
      const bool circular = is_circular(entry.op);
      insert_sorted(&sorted, make_call(circular ? Op::sin : Op::sinh, entry.form.parts));
      insert_sorted(&sorted, make_call(circular ? Op::cos : Op::cosh, entry.form.parts));
    } else if (entry.op != Op::tan || !has_pair(entry)) {
      insert_sorted(&sorted, entry.form);
    }
  }
  for (Form& form : sorted) append(std::move(form));
  const auto find = [this](const Form& form) {
    const auto found = std::find_if(forms_.begin(), forms_.end(),
                                    [&](const Form& f) { return compare(f, form) == 0; });
    return static_cast<std::uint32_t>(found - forms_.begin());
  };

  for (const Entry& entry : entries) {
    Value value;
    value.num.negative = entry.negative;
    if (entry.op == Op::tan && has_pair(entry)) {
      value.num.generator = find(make_call(Op::sin, entry.form.parts));
      value.has_den = true;
      value.den = find(make_call(Op::cos, entry.form.parts));
    } else {
      value.num.generator = find(entry.form);
    }
    values_.emplace(entry.index, value);
  }

  // Relations, in the order of the generators.
  for (std::uint32_t g = 0; g < forms_.size(); ++g) {
    const bool circular = forms_[g].op == Op::sin;
    if (forms_[g].kind != Form::Kind::call || (!circular && forms_[g].op != Op::sinh)) continue;
    const std::uint32_t cosine = find(make_call(circular ? Op::cos : Op::cosh, forms_[g].parts));
    relations_.push_back({{{g, circular ? 1 : -1}, {cosine, 1}}});
    if (!circular) continue;
    const auto same = [&](const Entry* pair) {
      return compare(pair->form.parts[0], forms_[g].parts[0]) == 0;
    };
    angles_.push_back({(*std::find_if(pairs.begin(), pairs.end(), same))->argument, g, cosine});
  }
  add_quaternions();
}

std::uint32_t GeneratorTable::append(Form form) {
  lengths_.push_back(written_length(pool_, form, names_));
  total_length_ += lengths_.back();
  forms_.push_back(std::move(form));
  return static_cast<std::uint32_t>(forms_.size() - 1);
}

void GeneratorTable::add_quaternions() {
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
