#include "visviva/symbolic/simplify/expand.h"

#include <algorithm>
#include <functional>

#include "visviva/symbolic/calculus/attempt.h"

namespace visviva {
namespace {

constexpr int max_depth = 400;

bool is_product(Op op) { return op == Op::multiply || op == Op::divide; }
bool is_power_like(Op op) {
  return op == Op::sqrt || op == Op::power || op == Op::abs || op == Op::sign;
}

// A value's lanes, the same for S and -S.
std::array<std::uint64_t, 2> lanes_up_to_sign(const Fingerprint& f) {
  return field::is_canonical(f) ? f.lane : field::negate(f).lane;
}

}  // namespace

Expander::Expander(ExprPool& pool, Scope scope, std::size_t limit, Expr symbol)
    : pool_(pool), scope_(scope), limit_(limit), work_(100 * limit), symbol_(symbol) {}

// ---- What is looked into

void Expander::mark_active(Ref root) {
  if (active_.contains(root >> 1)) return;
  for (const std::uint32_t i : collect_cone(pool_, {root})) {
    if (active_.contains(i)) continue;
    const Node& n = pool_.node(i << 1);
    const int operands = operand_count(n.op);
    const bool below = (operands > 0 && *active_.find(n.a >> 1) != 0) ||
                       (operands > 1 && *active_.find(n.b >> 1) != 0);
    bool active = false;
    switch (scope_) {
      case Scope::everything:
        active = !pool_.is_constant(i << 1);
        break;
      case Scope::one_symbol:
        active = below || i == symbol_.ref() >> 1;
        break;
      case Scope::roots:
        active = (is_power_like(n.op) && !pool_.is_constant(i << 1)) ||
                 (below && (is_product(n.op) || n.op == Op::add));
        break;
    }
    active_.set(i, active ? 1 : 0);
  }
}

bool Expander::is_active(const Expr& expr) {
  mark_active(expr.ref());
  return is_active_node(expr.ref() >> 1);
}

// Sums that occur as a base, so that x (x^2 + a^2) sqrt(x^2 + a^2) keeps its shape.
void Expander::note_kept_sums(Ref root) {
  IndexMap seen;
  std::vector<std::pair<std::uint32_t, bool>> stack{{root >> 1, false}};  // node, is a base
  while (!stack.empty()) {
    const auto [index, is_base] = stack.back();
    stack.pop_back();
    if (!is_active_node(index)) continue;
    const Node& n = pool_.node(index << 1);
    if (is_base && n.op == Op::add) kept_.insert(lanes_up_to_sign(pool_.fingerprint(index << 1)));
    const std::uint32_t flag = is_base ? 2 : 1;
    const std::uint32_t* visited = seen.find(index);
    if (visited != nullptr && (*visited & flag) != 0) continue;
    seen.set(index, flag | (visited != nullptr ? *visited : 0));
    if (n.op == Op::add || n.op == Op::multiply) {
      stack.emplace_back(n.a >> 1, is_base && n.op == Op::multiply);
      stack.emplace_back(n.b >> 1, is_base && n.op == Op::multiply);
    } else if (n.op == Op::divide) {
      stack.emplace_back(n.a >> 1, is_base);
      stack.emplace_back(n.b >> 1, true);
    } else if (is_power_like(n.op)) {
      stack.emplace_back(n.a >> 1, true);
    }
  }
}

// ---- Multiplying out

std::optional<std::vector<ProductTerm>> Expander::expand(const Expr& expr) {
  const Ref root = ref_in(pool_, expr, "Expander::expand");
  mark_active(root);
  if (scope_ == Scope::one_symbol) note_kept_sums(root);
  const Terms* terms = expand_node(root >> 1, 0);
  if (terms == nullptr) return std::nullopt;
  Terms result = *terms;
  if ((root & 1u) != 0) {
    for (ProductTerm& t : result) t.coefficient = -t.coefficient;
  }
  return result;
}

const std::vector<ProductTerm>* Expander::expand_node(std::uint32_t index, int depth) {
  if (const auto found = known_.find(index); found != known_.end()) return &found->second;
  if (depth > max_depth) return nullptr;
  const Expr self(pool_, index << 1);
  const Node n = pool_.node(index << 1);
  std::optional<Terms> terms;
  if (!is_active_node(index)) {
    terms = Terms{number(self)};
    if (self.is_zero()) terms->clear();
  } else if (n.op == Op::add) {
    const bool kept = kept_.contains(lanes_up_to_sign(self.fingerprint()));
    terms = kept ? Terms{power_of(self.ref(), pool_.one(), PowerKind::plain)}
                 : expand_sum_node(index, depth);
  } else if (n.op == Op::multiply) {
    terms = expand_product_node(n, depth);
  } else if (n.op == Op::divide) {
    terms = expand_quotient_node(n, depth);
  } else {
    terms = Terms{atom(index)};
  }
  if (!terms || terms->size() > limit_) return nullptr;
  return &known_.emplace(index, *std::move(terms)).first->second;
}

std::optional<std::vector<ProductTerm>> Expander::expand_product_node(const Node& n, int depth) {
  const Terms* a = expand_node(n.a >> 1, depth + 1);
  const Terms* b = a == nullptr ? nullptr : expand_node(n.b >> 1, depth + 1);
  if (b == nullptr) return std::nullopt;
  const auto terms = multiply(*a, *b);
  // Operands of a product are bare; should they not be, their signs count.
  if (terms && ((n.a ^ n.b) & 1u) != 0) return multiply(*terms, {number(-pool_.one())});
  return terms;
}

std::optional<std::vector<ProductTerm>> Expander::expand_quotient_node(const Node& n, int depth) {
  const Terms* a = expand_node(n.a >> 1, depth + 1);
  const auto b = a == nullptr ? std::nullopt : as_product(n.b, depth + 1);
  if (!b) return std::nullopt;
  ProductTerm factor = inverse(*b);
  if ((n.a & 1u) != 0) factor.coefficient = -factor.coefficient;
  return multiply(*a, {factor});
}

// All addends of a tower of sums with their multiplicities, each shared node visited once: index
// order is an evaluation order.
std::optional<std::vector<ProductTerm>> Expander::expand_sum_node(std::uint32_t index, int depth) {
  std::map<std::uint32_t, Expr, std::greater<>> counts{{index, pool_.one()}};
  Terms all;
  const auto count = [&](Ref ref, const Expr& times) {
    const Expr signed_times = (ref & 1u) != 0 ? -times : times;
    const auto [place, fresh] = counts.try_emplace(ref >> 1, signed_times);
    if (!fresh) place->second += signed_times;
  };
  while (!counts.empty()) {
    const auto [i, times] = *counts.begin();
    counts.erase(counts.begin());
    const Node n = pool_.node(i << 1);
    const bool kept = i != index && kept_.contains(lanes_up_to_sign(pool_.fingerprint(i << 1)));
    if (n.op == Op::add && is_active_node(i) && !kept) {
      if (work_ == 0) return std::nullopt;
      --work_;
      count(n.a, times);
      count(n.b, times);
      continue;
    }
    const Terms* terms = expand_node(i, depth + 1);
    if (terms == nullptr || work_ < terms->size()) return std::nullopt;
    work_ -= terms->size();
    for (const ProductTerm& t : *terms) all.push_back({t.coefficient * times, t.factors});
    if (all.size() > 4 * limit_) all = merge(all);
    if (all.size() > 4 * limit_) return std::nullopt;
  }
  return merge(all);
}

// A denominator: a product of powers, its sums whole.
std::optional<ProductTerm> Expander::as_product(Ref ref, int depth) {
  if (depth > max_depth || work_ == 0) return std::nullopt;
  --work_;
  const Node n = pool_.node(ref);
  const Expr self(pool_, ref);
  if (!is_active_node(ref >> 1)) return number(self);
  if (!is_product(n.op)) {
    ProductTerm t =
        n.op == Op::add ? power_of(ref & ~Ref{1}, pool_.one(), PowerKind::plain) : atom(ref >> 1);
    if ((ref & 1u) != 0) t.coefficient = -t.coefficient;
    return t;
  }
  const auto a = as_product(n.a, depth + 1);
  const auto b = a ? as_product(n.b, depth + 1) : std::nullopt;
  if (!b) return std::nullopt;
  ProductTerm t = multiply(*a, n.op == Op::divide ? inverse(*b) : *b);
  if ((ref & 1u) != 0) t.coefficient = -t.coefficient;
  return t;
}

ProductTerm Expander::atom(std::uint32_t index) {
  const Node n = pool_.node(index << 1);
  const Expr one = pool_.one();
  switch (n.op) {
    case Op::sqrt:
      return power_of(n.a, pool_.rational(1, 2), PowerKind::plain);
    case Op::abs:
      return power_of(n.a, one, PowerKind::absolute);
    case Op::sign:
      return power_of(n.a, pool_.zero(), PowerKind::with_sign);
    case Op::power:
      if (scope_ == Scope::one_symbol && is_active_node(n.b >> 1)) break;
      return power_of(n.a, Expr(pool_, n.b), PowerKind::plain);
    default:
      break;
  }
  return {one, {{Expr(pool_, index << 1), one, PowerKind::plain}}};
}

ProductTerm Expander::power_of(Ref ref, const Expr& exponent, PowerKind kind) {
  const Expr base(pool_, ref), one = pool_.one();
  const bool negative = (ref & 1u) != 0;
  if (negative && (kind != PowerKind::plain || integer_of(exponent))) {
    // (-S)^n, |-S|^e, sign(-S) |-S|^e
    ProductTerm t = power_of(ref ^ 1u, exponent, kind);
    const bool odd = kind == PowerKind::with_sign ||
                     (kind == PowerKind::plain && *integer_of(exponent) % 2 != 0);
    if (odd) t.coefficient = -t.coefficient;
    return t;
  }
  const Node n = pool_.node(ref);
  if (!negative && kind == PowerKind::plain && n.op == Op::sqrt)
    return power_of(n.a, exponent / 2, kind);
  if (!negative && kind == PowerKind::plain && n.op == Op::abs)
    return power_of(n.a, exponent, PowerKind::absolute);
  const PowerFactor factor{base, exponent, kind};
  if (scope_ == Scope::one_symbol && !is_active_node(ref >> 1)) return number(build(factor));
  return {one, {factor}};
}

// ---- Terms

std::uint32_t Expander::base_id(const Expr& base) {
  const auto next = static_cast<std::uint32_t>(base_ids_.size());
  return base_ids_.try_emplace(base.fingerprint().lane, next).first->second;
}

std::vector<std::uint64_t> Expander::key_of(const ProductTerm& term) {
  std::vector<std::array<std::uint64_t, 3>> parts;
  for (const PowerFactor& f : term.factors) {
    const auto e = f.exponent.fingerprint().lane;
    parts.push_back(
        {std::uint64_t{base_id(f.base)} * 4 + static_cast<std::uint64_t>(f.kind), e[0], e[1]});
  }
  std::sort(parts.begin(), parts.end());
  std::vector<std::uint64_t> key;
  for (const auto& p : parts) key.insert(key.end(), p.begin(), p.end());
  return key;
}

std::vector<ProductTerm> Expander::merge(const std::vector<ProductTerm>& terms) {
  Terms result;
  std::map<std::vector<std::uint64_t>, std::size_t> places;
  for (const ProductTerm& t : terms) {
    const auto [place, fresh] = places.try_emplace(key_of(t), result.size());
    if (fresh) {
      result.push_back(t);
    } else {
      result[place->second].coefficient += t.coefficient;
    }
  }
  std::erase_if(result, [](const ProductTerm& t) { return t.coefficient.is_zero(); });
  return result;
}

ProductTerm Expander::multiply(const ProductTerm& a, const ProductTerm& b) {
  ProductTerm result{a.coefficient * b.coefficient, a.factors};
  for (PowerFactor g : b.factors) {
    auto same = result.factors.begin();
    for (; same != result.factors.end(); ++same) {
      if (same->base == g.base) break;
      // (-S)^n = +-S^n
      if (!(same->base == -g.base)) continue;
      const auto n = integer_of(g.exponent);
      if (g.kind == PowerKind::plain && !n) continue;
      if (g.kind == PowerKind::with_sign || (g.kind == PowerKind::plain && *n % 2 != 0))
        result.coefficient = -result.coefficient;
      g.base = same->base;
      break;
    }
    if (same == result.factors.end()) {
      result.factors.push_back(g);
      continue;
    }
    *same = combine(*same, g);
    if (same->kind == PowerKind::plain && same->exponent.is_zero()) result.factors.erase(same);
  }
  return result;
}

std::optional<std::vector<ProductTerm>> Expander::multiply(const std::vector<ProductTerm>& a,
                                                           const std::vector<ProductTerm>& b) {
  const std::size_t count = a.size() * b.size();
  if (count > work_ || count > 16 * limit_) return std::nullopt;
  work_ -= count;
  Terms all;
  all.reserve(count);
  for (const ProductTerm& s : a) {
    for (const ProductTerm& t : b) all.push_back(multiply(s, t));
  }
  all = merge(all);
  if (all.size() > limit_) return std::nullopt;
  return all;
}

std::optional<std::vector<ProductTerm>> Expander::distribute(std::vector<ProductTerm> terms) {
  constexpr int max_passes = 40;
  for (int pass = 0; pass < max_passes; ++pass) {
    Terms next;
    bool changed = false;
    for (ProductTerm& t : terms) {
      const auto sum = std::find_if(t.factors.begin(), t.factors.end(), [](const PowerFactor& f) {
        const auto n = integer_of(f.exponent);
        return f.kind == PowerKind::plain && op_of(f.base) == Op::add && n && *n > 0;
      });
      if (sum == t.factors.end()) {
        next.push_back(std::move(t));
        continue;
      }
      changed = true;
      const Expr base = sum->base;
      sum->exponent = sum->exponent - 1;
      if (sum->exponent.is_zero()) t.factors.erase(sum);
      mark_active(base.ref());
      auto parts = expand_sum_node(base.ref() >> 1, 0);
      if (parts) parts = multiply(*parts, {t});
      if (!parts) return std::nullopt;
      for (ProductTerm& p : *parts) {
        if (is_negative(base)) p.coefficient = -p.coefficient;
        next.push_back(std::move(p));
      }
    }
    terms = merge(next);
    if (terms.size() > limit_) return std::nullopt;
    if (!changed) return terms;
  }
  return std::nullopt;
}

// ---- As expressions

std::optional<std::vector<Expr>> expand_sum(const Expr& expr, std::size_t limit) {
  Expander expander(expr.pool(), Expander::Scope::everything, limit);
  auto made = attempt([&]() -> std::optional<std::vector<Expr>> {
    auto terms = expander.expand(expr);
    if (terms) terms = expander.distribute(*std::move(terms));
    if (!terms || terms->size() > limit) return std::nullopt;
    std::vector<Expr> result;
    for (const ProductTerm& t : *terms) result.push_back(build(t));
    return result;
  });
  if (!made) return std::nullopt;  // a number beyond the range of numbers
  return *std::move(made);
}

}  // namespace visviva
