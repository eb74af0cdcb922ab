#include "visviva/kinematics/potential_jump.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "visviva/symbolic/calculus/cone.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

constexpr int pairs = 64;         // of random configurations, between which a switch is looked for
constexpr int halvings = 60;      // until both sides of it are neighbours
constexpr double nearby = 1e-10;  // of the way between them: the two sides
constexpr double jump_share = 1e-6;  // of the potential: less is rounding

// Goes from one configuration to another, and looks at both sides of the place where an argument changes its sign.
class JumpSearch {
 public:
  JumpSearch(const ModelData& model, const StartState& state, const Expr& V)
      : symbols_(free_symbols(V)), value_(symbols_, {V}) {
    for (const Expr& s : symbols_) {
      const auto known = state.known.find(s);
      start_.push_back(known == state.known.end() ? 1.0 : known->second);
      const SymbolRole* role = model.role(s);
      moves_.push_back(role != nullptr &&
                       (role->role == Role::coordinate || role->role == Role::hidden));
    }
  }

  bool finds_jump(const Expr& argument) const {
    const Evaluator sign(symbols_, {argument});
    std::mt19937_64 random(20231);
    for (int k = 0; k < pairs; ++k) {
      // Near the start and far from it.
      const double spread = std::pow(10.0, k % 4 - 2);
      const std::vector<double> a = move(spread, &random), b = move(spread, &random);
      if (sign(a)[0] * sign(b)[0] < 0 && jumps_between(sign, a, b)) return true;
    }
    return false;
  }

 private:
  std::vector<double> move(double spread, std::mt19937_64* random) const {
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    std::vector<double> x = start_;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (moves_[i]) x[i] += spread * (1 + std::abs(x[i])) * any(*random);
    }
    return x;
  }

  bool jumps_between(const Evaluator& sign, const std::vector<double>& a,
                     const std::vector<double>& b) const {
    const auto between = [&](double share) {
      std::vector<double> c = a;
      for (std::size_t i = 0; i < c.size(); ++i) c[i] += share * (b[i] - a[i]);
      return c;
    };
    const bool is_positive = sign(a)[0] > 0;
    double low = 0, high = 1;
    for (int k = 0; k < halvings; ++k) {
      const double middle = (low + high) / 2;
      ((sign(between(middle))[0] > 0) == is_positive ? low : high) = middle;
    }
    // A little apart: right at the switch its own value may be that of either side.
    const double jump =
        std::abs(value_(between(low - nearby))[0] - value_(between(high + nearby))[0]);
    const double size = std::max(std::abs(value_(a)[0]), std::abs(value_(b)[0]));
    return std::isfinite(jump) && jump > jump_share * size;
  }

  std::vector<Expr> symbols_;
  Evaluator value_;
  std::vector<double> start_;
  std::vector<bool> moves_;  // the configuration
};

// What changes its sign where a node may jump: the argument of a sign or a step, what makes that of an atan or a tanh infinite.
std::vector<Expr> list_switches(ExprPool& pool, const Node& node) {
  if (node.op == Op::sign || node.op == Op::step) return {Expr(pool, node.a)};
  if (node.op != Op::atan && node.op != Op::tanh) return {};
  std::vector<Expr> all;
  for (const std::uint32_t i : collect_cone(pool, {node.a})) {
    const Node inner = pool.node(i << 1);  // a copy: building may move the nodes
    if (inner.op == Op::divide) all.push_back(Expr(pool, inner.b));
    if (inner.op == Op::tan) all.push_back(cos(Expr(pool, inner.a)));
  }
  return all;
}

}  // namespace

std::optional<Expr> find_potential_jump(const ModelData& model, const StartState& state,
                                        const Expr& V) {
  std::optional<JumpSearch> search;
  for (const std::uint32_t i : collect_cone(V.pool(), {V.ref()})) {
    const Node node = V.pool().node(i << 1);  // a copy: building may move the nodes
    for (const Expr& argument : list_switches(V.pool(), node)) {
      if (!search) search.emplace(model, state, V);
      if (search->finds_jump(argument)) return argument;
    }
  }
  return {};
}

}  // namespace visviva
