#include "visviva/codegen/jit/alike.h"

#include <algorithm>
#include <tuple>

#include "visviva/codegen/jit/schedule.h"

namespace visviva::jit {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

bool is_plain_sum(Code code) { return code == Code::add || code == Code::multiply_add; }

bool is_arithmetic(Code code) {
  return is_leaf(code) || is_plain_sum(code) || code == Code::multiply || code == Code::divide;
}

}  // namespace

ValueShapes::ValueShapes(const Program& program) : program_(program) {
  find_absorbed();
  find_shapes();
}

// An addition that one other addition adds, and nothing else uses.
void ValueShapes::find_absorbed() {
  const std::size_t n = program_.operations.size();
  std::vector<std::uint32_t> uses(n), added(n);
  for (const Operation& o : program_.operations) {
    for_each_use(o, [&](std::uint32_t v) { ++uses[v]; });
    if (o.code == Code::add) ++added[o.a], ++added[o.b];
    if (o.code == Code::multiply_add) ++added[o.c];
  }
  for (const std::uint32_t v : program_.outputs) ++uses[v];
  is_absorbed_.resize(n);
  for (std::size_t v = 0; v < n; ++v)
    is_absorbed_[v] = uses[v] == 1 && added[v] == 1 && is_plain_sum(program_.operations[v].code);
}

std::uint64_t ValueShapes::shape_of_term(const Term& t) const {
  const std::uint64_t a = shapes_[t.a];
  if (t.b == no_value) return mix(a + 11);
  const std::uint64_t b = shapes_[t.b];
  return mix((a + b) * 3 + mix(a ^ b) + 17);
}

void ValueShapes::find_shapes() {
  const std::size_t n = program_.operations.size();
  kinds_.resize(n);
  shapes_.resize(n);
  // Functions within functions. Along the program either these become more or, between them, operations: values of one
  // shape never need one another.
  std::vector<std::uint64_t> depths(n);
  for (std::uint32_t v = 0; v < n; ++v) {
    const Operation& o = program_.operations[v];
    std::uint64_t& depth = depths[v];
    for_each_use(o, [&](std::uint32_t x) { depth = std::max(depth, depths[x]); });
    if (!is_arithmetic(o.code)) ++depth;
    switch (o.code) {
      case Code::constant:
      case Code::parameter:
        kinds_[v] = Kind::known;
        shapes_[v] = 1;
        break;
      case Code::input:
        kinds_[v] = Kind::input;
        shapes_[v] = 2;
        break;
      case Code::add:
      case Code::multiply_add:
        kinds_[v] = Kind::sum;
        if (is_absorbed_[v]) break;
        shapes_[v] = 5;
        for (const Term& t : list_terms(v)) shapes_[v] += mix(t.shape);
        break;
      case Code::multiply:
        kinds_[v] = Kind::product;
        shapes_[v] = shape_of_term({o.a, o.b, false, 0}) + 7;
        break;
      case Code::divide:
        kinds_[v] = Kind::quotient;
        shapes_[v] = mix(shapes_[o.a] * 5 + mix(shapes_[o.b]) + 23);
        break;
      default:
        kinds_[v] = Kind::other;
        shapes_[v] = mix(depth * 10000 + static_cast<std::uint64_t>(o.code) * 100 +
                         static_cast<std::uint64_t>(o.function) + 31);
    }
  }
}

std::vector<ValueShapes::Term> ValueShapes::list_terms(std::uint32_t sum) const {
  std::vector<Term> terms;
  std::vector<std::pair<std::uint32_t, bool>> open = {{sum, false}};
  const auto add = [&](std::uint32_t v, bool is_negative) {
    const Operation& o = program_.operations[v];
    if (is_absorbed_[v]) return open.emplace_back(v, is_negative), void();
    Term t{v, no_value, is_negative, 0};
    if (o.code == Code::multiply) t = {o.a, o.b, is_negative, 0};
    t.shape = shape_of_term(t);
    terms.push_back(t);
  };
  while (!open.empty()) {
    const auto [v, is_negative] = open.back();
    open.pop_back();
    const Operation& o = program_.operations[v];
    const bool first = is_negative != ((o.signs & 1) != 0),
               second = is_negative != ((o.signs & 2) != 0);
    if (o.code == Code::add) {
      add(o.a, first);
      add(o.b, second);
    } else {
      Term t{o.a, o.b, first, 0};
      t.shape = shape_of_term(t);
      terms.push_back(t);
      add(o.c, second);
    }
  }
  return terms;
}

std::vector<ValueShapes::Term> ValueShapes::terms(std::uint32_t sum) const {
  std::vector<Term> terms = list_terms(sum);
  std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    return std::tuple(a.shape, std::min(a.a, a.b), std::max(a.a, a.b)) <
           std::tuple(b.shape, std::min(b.a, b.b), std::max(b.a, b.b));
  });
  return terms;
}

}  // namespace visviva::jit
