#include "visviva/symbolic/simplify/simplify_layout.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace visviva {
namespace {

constexpr std::size_t max_collected = 40;  // terms; finding common factors costs their cube

// Terms that share a factor: (sum of outer) * inner, inner with content 1.
struct Group {
  Polynomial outer;
  Polynomial inner;
};

// Whether c * p, p of content 1, shows the numbers that people wrote: not 4e-12*(53125000*a + 3*b).
bool reads_well(const Rational& c, const Polynomial& p) {
  constexpr std::int64_t plain = 1000;
  if (c.den == 1 || (std::abs(c.num) <= plain && c.den <= plain)) return true;
  return std::all_of(p.terms().begin(), p.terms().end(), [](const auto& term) {
    return term.second.den == 1 && std::abs(term.second.num) == 1;
  });
}

// The number taken out of a sum: its content where that reads well, else only its sign.
Rational taken_out(const Polynomial& p) {
  const Rational c = content(p);
  if (reads_well(c, scale(p, *divide({1, 1}, c)))) return c;
  return {c.num < 0 ? -1 : 1, 1};
}

void add_group(std::vector<Group>* groups, const Polynomial& part, const Monomial& factor) {
  const Rational c = taken_out(part);
  const Polynomial inner = scale(part, *divide({1, 1}, c));
  for (Group& group : *groups) {
    if (group.inner != inner) continue;
    group.outer.add(factor, c);
    return;
  }
  groups->push_back({Polynomial(c, factor), inner});
}

}  // namespace

std::vector<Form> Layout::quotient(const Quotient& q) {
  std::vector<Form> forms;
  const Form below = polynomial(q.den);
  forms.push_back(with_tangents(make_product({1, 1}, {{polynomial(q.num), 1}, {below, -1}})));
  // a/d + b/d where d is one term.
  if (q.den.size() == 1 && q.num.size() > 1)
    forms.push_back(expanded(q.num, q.den.terms().begin()->first));
  if (auto parts = by_roots(q)) forms.push_back(*std::move(parts));
  return forms;
}

// (a + b r)/(d r) with a root r as a/(d r) + b/d: each of them may be much shorter than the whole.
std::optional<Form> Layout::by_roots(const Quotient& q) {
  if (q.den.size() == 0 || q.num.size() < 2) return std::nullopt;
  std::map<Monomial, Polynomial> parts;
  for (const auto& [m, c] : q.num.terms()) {
    Monomial roots;
    for (const auto& power : m) {
      const Form& base = table_.form(power.first);
      if (base.kind == Form::Kind::call && base.op == Op::sqrt) roots.push_back(power);
    }
    parts[roots].set(m, c);
  }
  if (parts.size() < 2) return std::nullopt;
  std::vector<Form> terms;
  for (const auto& [roots, part] : parts) {
    const Quotient own = cancel(part, q.den, budget_);
    terms.push_back(
        with_tangents(make_product({1, 1}, {{polynomial(own.num), 1}, {polynomial(own.den), -1}})));
  }
  return make_sum(std::move(terms));
}

// The same polynomial again costs the same work, so that what is found does not depend on what is remembered, but no time.
template <class Make>
Form Layout::remembered(std::vector<Known>* known, const Polynomial& p, const Make& make) {
  const auto found =
      std::find_if(known->begin(), known->end(), [&](const Known& k) { return k.p == p; });
  if (found != known->end()) {
    budget_.spend(found->work);
    return found->form;
  }
  const std::size_t before = budget_.work;
  Form form = make();
  known->push_back({p, form, before - budget_.work});
  return form;
}

Form Layout::polynomial(const Polynomial& p) {
  if (p.size() < 2) return expanded(p);
  return remembered(&polynomials_, p, [&] { return shorter(factored(p), sum(p)); });
}

Form Layout::factored(const Polynomial& p) {
  const Factorization found = factor(p, budget_);
  if (found.factors.size() == 1 && found.factors[0].second == 1) {
    if (is_one(found.constant) || !reads_well(found.constant, found.factors[0].first))
      return sum(p);
    const Form whole = make_product(found.constant, {{sum(found.factors[0].first), 1}});
    return shorter(whole, sum(p));
  }
  std::vector<Factor> factors;
  Rational sign{1, 1};
  const Polynomial* only_sum = nullptr;
  std::size_t sums = 0;
  for (const auto& [base, exponent] : found.factors) {
    Form form = base.size() == 1 ? expanded(base) : sum(base);
    if (has_negative_lead(form)) {
      form = negate(std::move(form));
      if (exponent % 2 != 0) sign.num = -sign.num;
    }
    if (base.size() > 1) {
      sums += static_cast<std::size_t>(exponent);
      only_sum = &base;
    }
    factors.emplace_back(std::move(form), exponent);
  }
  const auto constant = multiply(found.constant, sign);
  if (!constant) throw TooLarge();
  Form form = make_product(*constant, factors);
  if (sums != 1 || is_one(found.constant)) return form;
  // 9.81*m + 2*k rather than (981*m + 200*k)/100
  std::vector<Factor> others;
  for (const auto& [base, exponent] : found.factors) {
    if (base.size() == 1) others.emplace_back(expanded(base), exponent);
  }
  others.emplace_back(sum(scale(*only_sum, found.constant)), 1);
  Form distributed = make_product({1, 1}, others);
  return reads_well(found.constant, *only_sum) ? shorter(std::move(form), std::move(distributed))
                                               : distributed;
}

Form Layout::sum(const Polynomial& p) {
  if (p.size() < 3 || p.size() > max_collected) return expanded(p);
  return remembered(&sums_, p,
                    [&] { return shorter(expanded(p), shorter(grouped(p), collected(p))); });
}

// By what moves: one term for each product of coordinates, rates and functions, parameters gathered
// before it.
Form Layout::grouped(const Polynomial& p) {
  std::map<Monomial, Polynomial> groups;
  for (const auto& [m, c] : p.terms()) {
    Monomial moving, fixed;
    for (const auto& power : m) {
      (table_.form(power.first).level > 0 ? moving : fixed).push_back(power);
    }
    groups[moving].add(fixed, c);
  }
  if (groups.size() < 2 || groups.size() == p.size()) return expanded(p);
  std::vector<Form> terms;
  for (const auto& [moving, coefficient] : groups) {
    terms.push_back(
        make_product({1, 1}, {{polynomial(coefficient), 1}, {term({1, 1}, moving), 1}}));
  }
  return make_sum(std::move(terms));
}

// Greedy: the common factor that saves most is taken out, again and again.
Form Layout::collected(const Polynomial& p) {
  std::vector<Group> groups;
  Polynomial rest = p;
  for (;;) {
    const Monomial factor = best_common_factor(rest);
    if (factor.empty()) break;
    Polynomial part, others;
    for (const auto& [m, c] : rest.terms()) {
      if (divides(factor, m)) {
        part.set(divide(m, factor), c);
      } else {
        others.set(m, c);
      }
    }
    add_group(&groups, part, factor);
    rest = std::move(others);
  }
  if (groups.empty()) return expanded(p);
  std::vector<Form> terms{expanded(rest)};
  for (const Group& group : groups) {
    Form inner = polynomial(group.inner);
    Form outer = polynomial(group.outer);
    if (has_negative_lead(inner)) {
      inner = negate(std::move(inner));
      outer = negate(std::move(outer));
    }
    terms.push_back(make_product({1, 1}, {{std::move(outer), 1}, {std::move(inner), 1}}));
  }
  return make_sum(std::move(terms));
}

Monomial Layout::best_common_factor(const Polynomial& p) const {
  std::vector<Monomial> monomials, candidates;
  for (const auto& [m, c] : p.terms()) monomials.push_back(m);
  for (std::size_t i = 0; i < monomials.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      candidates.push_back(common_divisor(monomials[i], monomials[j]));
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  budget_.spend(monomials.size() * (monomials.size() + candidates.size()) / 4);
  Monomial best;
  std::size_t most = 2;  // the brackets
  for (const Monomial& candidate : candidates) {
    const auto users = std::count_if(monomials.begin(), monomials.end(),
                                     [&](const Monomial& m) { return divides(candidate, m); });
    const std::size_t saved = static_cast<std::size_t>(users - 1) * (length(candidate) + 1);
    if (candidate.empty() || saved <= most) continue;
    most = saved;
    best = candidate;
  }
  return best;
}

// ---- Small things

Form Layout::term(const Rational& c, const Monomial& m, const Monomial& below) const {
  std::vector<Factor> factors;
  for (const auto& [g, exponent] : m) factors.emplace_back(table_.form(g), exponent);
  for (const auto& [g, exponent] : below)
    factors.emplace_back(table_.form(g), -static_cast<std::int64_t>(exponent));
  return make_product(c, factors);
}

Form Layout::expanded(const Polynomial& p, const Monomial& below) const {
  std::vector<Form> terms;
  for (const auto& [m, c] : p.terms()) {
    Form form = term(c, m, below);
    terms.push_back(below.empty() ? std::move(form) : with_tangents(std::move(form)));
  }
  return make_sum(std::move(terms));
}

Form Layout::shorter(Form a, Form b) const {
  const std::size_t cost_a = reading_cost(pool_, a, names_),
                    cost_b = reading_cost(pool_, b, names_);
  budget_.spend(cost_a + cost_b);
  return cost_b < cost_a ? std::move(b) : std::move(a);
}

std::size_t Layout::length(const Monomial& m) const {
  std::size_t sum = m.empty() ? 0 : m.size() - 1;
  for (const auto& [g, exponent] : m) sum += table_.length(g) + (exponent > 1 ? 2 : 0);
  return sum;
}

Form with_tangents(Form form) {
  if (form.kind != Form::Kind::product) return form;
  std::vector<Factor> factors;
  for (std::size_t i = 0; i < form.parts.size(); ++i)
    factors.emplace_back(form.parts[i], form.exponents[i]);
  std::vector<Factor> tangents;
  for (auto& [sine, above] : factors) {
    if (sine.kind != Form::Kind::call || sine.op != Op::sin || above < 1) continue;
    for (auto& [cosine, below] : factors) {
      const bool fits = cosine.kind == Form::Kind::call && cosine.op == Op::cos && below < 0;
      if (!fits || compare(sine.parts[0], cosine.parts[0]) != 0) continue;
      const std::int64_t n = std::min(above, -below);
      tangents.emplace_back(make_call(Op::tan, sine.parts), n);
      above -= n;
      below += n;
    }
  }
  if (tangents.empty()) return form;
  factors.insert(factors.end(), tangents.begin(), tangents.end());
  return make_product(form.number, factors);
}

namespace {

bool is_root_power(const Form& base, std::int64_t exponent) {
  return base.kind == Form::Kind::call && base.op == Op::sqrt && std::abs(exponent) > 1;
}

}  // namespace

std::optional<Form> with_squared_roots(const Form& form) {
  bool has_any = false;
  std::vector<Form> parts;
  for (std::size_t i = 0; i < form.parts.size(); ++i) {
    std::optional<Form> part = with_squared_roots(form.parts[i]);
    const bool is_power =
        form.kind == Form::Kind::product && is_root_power(form.parts[i], form.exponents[i]);
    has_any = has_any || part || is_power;
    parts.push_back(part ? *std::move(part) : form.parts[i]);
  }
  if (!has_any) return std::nullopt;
  if (form.kind == Form::Kind::sum) return make_sum(std::move(parts));
  if (form.kind == Form::Kind::call) return make_call(form.op, parts);
  std::vector<Factor> factors;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t exponent = form.exponents[i];
    const bool is_power = is_root_power(parts[i], exponent);
    if (is_power) factors.emplace_back(parts[i].parts[0], exponent / 2);
    if (!is_power || exponent % 2 != 0)
      factors.emplace_back(parts[i], is_power ? exponent % 2 : exponent);
  }
  return make_product(form.number, factors);
}

}  // namespace visviva
