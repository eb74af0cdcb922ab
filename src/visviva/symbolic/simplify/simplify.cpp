#include "visviva/symbolic/simplify/simplify.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "visviva/base/error.h"
#include "visviva/symbolic/calculus/attempt.h"
#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/parts_under.h"
#include "visviva/symbolic/core/parity.h"
#include "visviva/symbolic/simplify/root_algebra.h"
#include "visviva/symbolic/simplify/simplify_layout.h"
#include "visviva/symbolic/simplify/simplify_roots.h"
#include "visviva/symbolic/simplify/simplify_trig.h"

namespace visviva {
namespace {

// A quotient written with different choices among its identities.
class Variants {
 public:
  Variants(GeneratorTable& table, Budget& budget) : table_(table), budget_(budget) {}

  void add(const Quotient& q) {
    if (std::find(all_.begin(), all_.end(), q) == all_.end()) all_.push_back(q);
  }

  // Adds a quotient as it is; and with squares exchanged, eliminated one way or the other; and
  // angles joined.
  void add_all(const Quotient& q) {
    add(q);
    if (table_.relations().empty()) return;
    const std::size_t members = 2;
    add_tidied(q);
    for (std::size_t member = 0; member < members; ++member) add_tidied(eliminated(q, member));
  }

  // The quotients that are worth a layout: not much longer than the shortest, in terms.
  std::vector<Quotient> best() const {
    const auto size = [](const Quotient& q) { return q.num.size() + q.den.size(); };
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const Quotient& q : all_) fewest = std::min(fewest, size(q));
    std::vector<Quotient> chosen;
    std::copy_if(all_.begin(), all_.end(), std::back_inserter(chosen),
                 [&](const Quotient& q) { return size(q) <= 2 * fewest; });
    return chosen;
  }

 private:
  Quotient eliminated(Quotient q, std::size_t member) {
    const std::vector<SquareRelation> relations = table_.relations();
    for (const SquareRelation& relation : relations) {
      q.num = eliminate_square(q.num, relation, member, budget_);
      q.den = eliminate_square(q.den, relation, member, budget_);
    }
    return cancel(q.num, q.den, budget_);
  }

  void add_tidied(const Quotient& q) {
    const Polynomial num = exchange_squares(q.num, table_.relations(), budget_);
    const Polynomial den = exchange_squares(q.den, table_.relations(), budget_);
    add(cancel(num, den, budget_));
    const Polynomial joined = recombine_angles(num, table_, budget_);
    add(cancel(exchange_squares(joined, table_.relations(), budget_),
               recombine_angles(den, table_, budget_), budget_));
  }

  GeneratorTable& table_;
  Budget& budget_;
  std::vector<Quotient> all_;
};

constexpr std::size_t most_plain_nodes = 1000;  // of a tree that is written as it was built
constexpr std::size_t most_part_nodes = 120;    // of one whose parts are tried one by one, too
constexpr std::size_t root_proof = 10'000;      // of the budget
constexpr std::size_t most_root_nodes = 1500;   // of an expression that is proved with roots

// Sets a flag as long as it is there.
class Inside {
 public:
  explicit Inside(bool* flag) : flag_(*flag), before_(*flag) { flag_ = true; }
  ~Inside() { flag_ = before_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  bool& flag_;
  bool before_;
};

// The number in front of a term, and the rest.
std::pair<Rational, Form> split_number(const Form& term) {
  if (term.kind == Form::Kind::number) return {term.number, make_number({1, 1})};
  if (term.kind != Form::Kind::product) return {{1, 1}, term};
  std::vector<Factor> factors;
  for (std::size_t i = 0; i < term.parts.size(); ++i)
    factors.emplace_back(term.parts[i], term.exponents[i]);
  return {term.number, make_product({1, 1}, factors)};
}

// The terms of some sums.
std::vector<Form> terms_of(const std::vector<Form>& sums) {
  std::vector<Form> terms;
  for (const Form& sum : sums) {
    if (sum.kind == Form::Kind::sum)
      terms.insert(terms.end(), sum.parts.begin(), sum.parts.end());
    else
      terms.push_back(sum);
  }
  return terms;
}

// A sum in which terms that differ by their number only are one.
Form make_merged_sum(const std::vector<Form>& terms) {
  constexpr std::size_t most_merged = 100;  // each is compared with each
  if (terms.size() > most_merged) return make_sum(terms);
  std::vector<std::pair<Rational, Form>> merged;
  for (const Form& term : terms) {
    auto [number, rest] = split_number(term);
    const auto same = std::find_if(merged.begin(), merged.end(),
                                   [&](const auto& m) { return compare(m.second, rest) == 0; });
    if (same == merged.end())
      merged.emplace_back(number, std::move(rest));
    else
      same->first = checked(add(same->first, number));
  }
  std::vector<Form> sum;
  for (const auto& [number, rest] : merged)
    if (number.num != 0) sum.push_back(make_product(number, {{rest, 1}}));
  return make_sum(std::move(sum));
}

// Takes the whole number that all terms of a sum have in common out of it: (2*a + 2*b)^2 is 4*(a + b)^2.
Rational take_content(Form* form) {
  if (form->kind != Form::Kind::sum) return {1, 1};
  std::int64_t common = 0;
  for (const Form& term : form->parts) {
    const Rational number = split_number(term).first;
    if (number.den != 1) return {1, 1};
    common = std::gcd(common, number.num);
  }
  if (common < 2) return {1, 1};
  std::vector<Form> terms;
  for (const Form& term : form->parts) terms.push_back(make_product({1, common}, {{term, 1}}));
  *form = make_sum(std::move(terms));
  return {common, 1};
}

// A product whose sums have no number in common.
Form make_plain_product(std::vector<Factor> factors) {
  std::vector<Factor> all;
  for (auto& [base, exponent] : factors) {
    const Rational number = take_content(&base);
    if (!is_one(number)) all.emplace_back(make_number(number), exponent);
    all.emplace_back(std::move(base), exponent);
  }
  return make_product({1, 1}, all);
}

// Runs a step that may outgrow its limits; what it has done so far stays.
template <class Step>
void try_step(const Step& step) {
  try {
    step();
  } catch (const TooLarge&) {
  }
}

}  // namespace

Form Simplifier::simplify(Ref root) {
  if ((root & 1u) != 0) return negate(simplify(root ^ 1u));
  const Node& node = pool_.node(root);
  Rational r;
  if (pool_.rational_value(root, &r)) return make_number(r);
  if (operand_count(node.op) == 0) return make_leaf(pool_, root);
  return is_arithmetic(node.op) ? shortest(root) : call(root);
}

Form Simplifier::operand(Ref ref) {
  if ((ref & 1u) != 0) return negate(operand(ref ^ 1u));
  auto& known = known_[is_in_function_ ? 1 : 0];
  if (const auto found = known.find(ref >> 1); found != known.end()) return found->second;
  if (names_.contains(ref >> 1)) return make_leaf(pool_, ref);
  Form form = simplify(ref);
  known.emplace(ref >> 1, form);
  return form;
}

// sin(b - a) is written -sin(a - b).
Form Simplifier::call(Ref root) {
  const Node node = pool_.node(root);
  const Inside inside(&is_in_function_);
  std::vector<Form> operands{operand(node.a)};
  if (operand_count(node.op) > 1) operands.push_back(operand(node.b));
  const Parity parity = parity_of(node.op);
  const bool turned = parity != Parity::none && has_negative_lead(operands[0]);
  if (turned) operands[0] = negate(std::move(operands[0]));
  Form form = make_call(node.op, operands);
  if (turned && parity == Parity::odd) form = negate(std::move(form));
  if (proves(form, root)) return form;
  require_small(root);
  operands = {structural(node.a, false)};
  if (operand_count(node.op) > 1) operands.push_back(structural(node.b, false));
  return make_call(node.op, operands);
}

Form Simplifier::shortest(Ref root) {
  const bool small = is_small(root);
  std::vector<Form> candidates;
  if (small) try_step([&] { candidates.push_back(plain(root, true)); });
  std::vector<Form> more = polynomial_forms(root);
  // With roots in it the whole is often longer than its parts.
  const bool has_short_parts = has_root_under(Expr(pool_, root)) && is_small(root, most_part_nodes);
  if ((more.empty() || has_short_parts) && small && budget_.work > 0)
    try_step([&] { more.push_back(from_operands(root)); });
  std::move(more.begin(), more.end(), std::back_inserter(candidates));
  for (std::size_t i = candidates.size(); i-- > 0;)
    if (auto squared = with_squared_roots(candidates[i])) candidates.push_back(*std::move(squared));

  std::vector<std::pair<std::size_t, std::size_t>> order;  // cost, place
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool single = candidates.size() == 1;
    order.emplace_back(single ? 0 : reading_cost(pool_, candidates[i], names_), i);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [cost, i] : order) {
    if (proves(candidates[i], root)) return candidates[i];
  }
  require_small(root);
  return structural(root, true);
}

// Small enough to be written as it was built.
bool Simplifier::is_small(Ref root) const { return is_small(root, most_plain_nodes); }

bool Simplifier::is_small(Ref root, std::size_t limit) const {
  std::size_t count = 0;
  std::vector<Ref> stack{root};
  while (!stack.empty() && count < limit) {
    const Ref ref = stack.back();
    stack.pop_back();
    ++count;
    if (ref != root && names_.contains(ref >> 1)) continue;
    const Node& node = pool_.node(ref);
    if (operand_count(node.op) > 0) stack.push_back(node.a);
    if (operand_count(node.op) > 1) stack.push_back(node.b);
  }
  return count < limit;
}

void Simplifier::require_small(Ref root) const {
  if (!is_small(root)) throw TooLarge();
}

std::vector<Form> Simplifier::polynomial_forms(Ref root) {
  std::vector<Form> forms;
  if (budget_.work == 0) return forms;
  try_step([&] {
    const Arithmetic arithmetic = collect_arithmetic(pool_, root, names_);
    const GeneratorTable::WriteOperand write = [this](Ref ref) { return operand(ref); };
    std::vector<RootLeaf> roots = collect_root_leaves(pool_, arithmetic.leaves, names_);
    std::vector<std::uint32_t> leaves = add_leaves(arithmetic.leaves, roots);
    if (leaves.size() > budget_.max_generators) {
      roots.clear();
      leaves = arithmetic.leaves;
    }
    GeneratorTable table(pool_, names_, leaves, write);
    budget_.spend(arithmetic.nodes.size() + 4 * table.total_length());
    Variants variants(table, budget_);
    try_step([&] {
      const Quotient q = convert(pool_, arithmetic, table, false, budget_);
      variants.add_all(q);
      if (!roots.empty()) variants.add_all(reduce_roots(q, pool_, roots, table, budget_));
    });
    if (!table.relations().empty()) {
      try_step([&] { variants.add(convert(pool_, arithmetic, table, true, budget_)); });
    }
    Layout layout(pool_, names_, table, budget_);
    for (const Quotient& q : variants.best()) {
      try_step([&] {
        for (Form& form : layout.quotient(q)) forms.push_back(std::move(form));
      });
    }
  });
  return forms;
}

// ---- As built

// Sums and products of the tree joined, nothing expanded.
Form Simplifier::plain(Ref ref, bool is_root) {
  if ((ref & 1u) != 0) return negate(plain(ref ^ 1u, is_root));
  const Node node = pool_.node(ref);
  if (!is_arithmetic(node.op) || (!is_root && names_.contains(ref >> 1))) return operand(ref);
  if (node.op == Op::add) {
    std::vector<Form> terms;
    add_terms(node.a, false, &terms);
    add_terms(node.b, false, &terms);
    return make_merged_sum(terms);
  }
  std::vector<Factor> factors;
  add_factors(node.a, 1, &factors);
  add_factors(node.b, node.op == Op::multiply ? 1 : -1, &factors);
  return make_plain_product(std::move(factors));
}

void Simplifier::add_terms(Ref ref, bool negative, std::vector<Form>* terms) {
  const Node node = pool_.node(ref);
  negative = negative != ((ref & 1u) != 0);
  if (node.op == Op::add && !names_.contains(ref >> 1)) {
    add_terms(node.a, negative, terms);
    add_terms(node.b, negative, terms);
  } else {
    Form term = plain(ref & ~Ref{1}, false);
    terms->push_back(negative ? negate(std::move(term)) : std::move(term));
  }
}

void Simplifier::add_factors(Ref ref, std::int64_t exponent, std::vector<Factor>* factors) {
  const Node node = pool_.node(ref);
  const bool joins = node.op == Op::multiply || node.op == Op::divide;
  if (!joins || names_.contains(ref >> 1)) {
    factors->emplace_back(plain(ref, false), exponent);
    return;
  }
  if ((ref & 1u) != 0) factors->emplace_back(make_number({-1, 1}), 1);
  add_factors(node.a, exponent, factors);
  add_factors(node.b, node.op == Op::multiply ? exponent : -exponent, factors);
}

// For what is too large as a whole: the operands simplified one by one.
Form Simplifier::from_operands(Ref root) {
  const Node node = pool_.node(root);
  const Form a = operand(node.a), b = operand(node.b);
  if (node.op == Op::add) return make_merged_sum(terms_of({a, b}));
  return make_plain_product({{a, 1}, {b, node.op == Op::multiply ? 1 : -1}});
}

// Exactly the nodes, with all brackets: the same by construction.
Form Simplifier::structural(Ref ref, bool is_root) {
  if ((ref & 1u) != 0) return negate(structural(ref ^ 1u, is_root));
  const Node node = pool_.node(ref);
  if (!is_arithmetic(node.op) || (!is_root && names_.contains(ref >> 1))) return operand(ref);
  const Form a = structural(node.a, false), b = structural(node.b, false);
  if (node.op == Op::add) return make_bare_sum(a, b);
  return make_bare_product(a, {b, node.op == Op::multiply ? 1 : -1});
}

// ---- Proof

bool Simplifier::proves(const Form& form, Ref root) {
  const auto rebuilt = attempt([&] { return rebuild(pool_, form); });
  if (!rebuilt) return false;
  if (pool_.fingerprint(*rebuilt) == pool_.fingerprint(root)) return true;
  // Fingerprints do not know that the square of a root is what stands under it.
  if (is_in_function_ || budget_.work < root_proof || !has_roots(root)) return false;
  budget_.work -= root_proof;
  return vanishes_with_roots(pool_, pool_.add(*rebuilt, ExprPool::negate(root)));
}

bool Simplifier::has_roots(Ref root) const {
  if (!has_root_under(Expr(pool_, root))) return false;
  const std::vector<std::uint32_t> cone = collect_cone(pool_, {root});
  return cone.size() <= most_root_nodes &&
         std::any_of(cone.begin(), cone.end(),
                     [&](std::uint32_t i) { return pool_.node(i << 1).op == Op::sqrt; });
}

}  // namespace visviva
