#include "visviva/symbolic/simplify/root_algebra.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "visviva/symbolic/calculus/cone.h"

namespace visviva {
namespace {

constexpr std::size_t most_roots = 8;   // an element has 2^k numbers, a product takes some 5^k
constexpr std::size_t most_nodes = 40;  // roots in any form
constexpr std::size_t most_work = 2'000'000;  // products

// An element of (1) with the first n roots: 2^n numbers, those with r_n behind those without. Trailing roots that do not occur are
// left out.
using Element = std::vector<Fingerprint>;

bool is_zero(const Element& a) {
  return std::all_of(a.begin(), a.end(), [](const Fingerprint& f) { return f.is_zero(); });
}

class RootAlgebra {
 public:
  explicit RootAlgebra(const ExprPool& pool) : pool_(pool) {}

  /// Nothing beyond the limits, and where something divides by zero.
  std::optional<Element> evaluate(Ref root) {
    const std::vector<std::uint32_t> cone = collect_cone(pool_, {root});
    if (!collect_roots(cone)) return {};
    for (const std::uint32_t index : cone) {
      std::optional<Element> value = evaluate_node(index);
      if (!value || work_ > most_work || squares_.size() > most_roots) return {};
      values_.emplace(index, *std::move(value));
    }
    return value_of(root);
  }

 private:
  // True when there are some, and not too many.
  bool collect_roots(const std::vector<std::uint32_t>& cone) {
    for (const std::uint32_t index : cone) {
      const Op op = pool_.node(index << 1).op;
      const bool is_root = op == Op::sqrt || op == Op::abs;
      if (is_root && !pool_.is_constant(index << 1)) roots_.push_back(index);
    }
    return !roots_.empty() && roots_.size() <= most_nodes;
  }

  std::optional<Element> evaluate_node(std::uint32_t index) {
    const Node n = pool_.node(index << 1);
    const auto root = std::find(roots_.begin(), roots_.end(), index);
    if (root != roots_.end()) return make_root(n);
    switch (n.op) {
      case Op::add:
        return add(value_of(n.a), value_of(n.b));
      case Op::multiply:
        return multiply(value_of(n.a), value_of(n.b));
      case Op::divide: {
        const std::optional<Element> inverse = invert(value_of(n.b));
        if (!inverse) return {};
        return multiply(value_of(n.a), *inverse);
      }
      default:
        return Element{pool_.fingerprint(index << 1)};
    }
  }

  // r_i, with what its square is. Roots are not negative: those with the same square are the same.
  Element make_root(const Node& n) {
    const Element argument = value_of(n.a);
    const Element square = n.op == Op::sqrt ? argument : multiply(argument, argument);
    const auto known = std::find(squares_.begin(), squares_.end(), square);
    const auto i = static_cast<std::size_t>(known - squares_.begin());
    if (known == squares_.end()) squares_.push_back(square);
    Element r(std::size_t{2} << i, Fingerprint{});
    r[r.size() / 2] = field::from_integer(1);
    return r;
  }

  Element value_of(Ref ref) const {
    Element value = values_.at(ref >> 1);
    if ((ref & 1u) == 0) return value;
    for (Fingerprint& f : value) f = field::negate(f);
    return value;
  }

  static Element add(Element a, Element b) {
    if (a.size() < b.size()) std::swap(a, b);
    for (std::size_t i = 0; i < b.size(); ++i) a[i] = field::add(a[i], b[i]);
    return shorten(std::move(a));
  }

  static Element negated(Element a) {
    for (Fingerprint& f : a) f = field::negate(f);
    return a;
  }

  // Without trailing roots that do not occur.
  static Element shorten(Element a) {
    while (a.size() > 1 && std::all_of(a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2),
                                       a.end(), [](const Fingerprint& f) { return f.is_zero(); }))
      a.resize(a.size() / 2);
    return a;
  }

  // a = low + high r_n, n the last root of an element of this size.
  static Element low(const Element& a) {
    return shorten({a.begin(), a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2)});
  }
  static Element high(const Element& a) {
    return shorten({a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2), a.end()});
  }
  static Element joined(Element low, const Element& high, std::size_t size) {
    low.resize(size, Fingerprint{});
    std::copy(high.begin(), high.end(), low.begin() + static_cast<std::ptrdiff_t>(size / 2));
    return shorten(std::move(low));
  }
  const Element& square_of_last(std::size_t size) const {
    std::size_t n = 0;
    while ((std::size_t{2} << n) < size) ++n;
    return squares_[n];
  }

  Element multiply(const Element& a, const Element& b) const {  // (1)
    if (++work_ > most_work) return {Fingerprint{}};            // it is given up
    if (a.size() < b.size()) return multiply(b, a);
    if (a.size() == 1) return {field::multiply(a[0], b[0])};
    if (is_zero(b)) return {Fingerprint{}};
    if (b.size() < a.size()) return joined(multiply(low(a), b), multiply(high(a), b), a.size());
    const Element a0 = low(a), a1 = high(a), b0 = low(b), b1 = high(b);
    const Element square = multiply(multiply(a1, b1), square_of_last(a.size()));
    return joined(add(multiply(a0, b0), square), add(multiply(a0, b1), multiply(a1, b0)), a.size());
  }

  std::optional<Element> invert(const Element& a) const {  // (2)
    if (a.size() == 1) {
      if (a[0].has_zero_lane()) return {};
      return Element{field::inverse(a[0])};
    }
    const Element a0 = low(a), a1 = high(a);
    const Element norm =
        add(multiply(a0, a0), negated(multiply(multiply(a1, a1), square_of_last(a.size()))));
    const std::optional<Element> inverse = invert(norm);
    if (!inverse) return {};
    return joined(multiply(a0, *inverse), negated(multiply(a1, *inverse)), a.size());
  }

  const ExprPool& pool_;
  mutable std::size_t work_ = 0;      // products
  std::vector<std::uint32_t> roots_;  // operands before users
  std::vector<Element> squares_;
  std::unordered_map<std::uint32_t, Element> values_;
};

}  // namespace

bool vanishes_with_roots(const Expr& expr) {
  return expr.is_zero() || vanishes_with_roots(expr.pool(), expr.ref());
}

bool vanishes_with_roots(const ExprPool& pool, Ref ref) {
  const std::optional<Element> value = RootAlgebra(pool).evaluate(ref);
  return value && is_zero(*value);
}

}  // namespace visviva
