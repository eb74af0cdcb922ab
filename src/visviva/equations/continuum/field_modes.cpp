#include "visviva/equations/continuum/field_modes.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "visviva/model/field_values.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int pieces = 20;       // of the line, for (2) and for shapes
constexpr double widest = 0.05;  // how far from an estimate its root may be, relatively

// c + ω² d times a slope of a field.
struct Term {
  int field;
  int slopes;
  double still = 0.0;  // of the value
  double moved = 0.0;  // of the acceleration, which is -ω² times the value
};
using LinearCondition = std::vector<Term>;

struct NotClosed {
  NoFieldModes why;
};

// ---- A square matrix as triangles, with rows exchanged

struct Factors {
  MatrixXd LU;
  std::vector<Eigen::Index> order;
  double log_size = 0.0;
  int sign = 1;
};

Factors factor(MatrixXd K) {
  Factors f;
  const Eigen::Index n = K.rows();
  f.order.resize(static_cast<std::size_t>(n));
  std::iota(f.order.begin(), f.order.end(), 0);
  for (Eigen::Index c = 0; c < n; ++c) {
    Eigen::Index best = c;
    for (Eigen::Index r = c + 1; r < n; ++r)
      if (std::abs(K(r, c)) > std::abs(K(best, c))) best = r;
    if (best != c) {
      K.row(best).swap(K.row(c));
      std::swap(f.order[static_cast<std::size_t>(best)], f.order[static_cast<std::size_t>(c)]);
      f.sign = -f.sign;
    }
    if (K(c, c) == 0.0) K(c, c) = 1e-300;
    if (K(c, c) < 0.0) f.sign = -f.sign;
    f.log_size += std::log(std::abs(K(c, c)));
    for (Eigen::Index r = c + 1; r < n; ++r) {
      if (K(r, c) == 0.0) continue;
      const double m = K(r, c) / K(c, c);
      K(r, c) = m;
      K.row(r).tail(n - c - 1) -= m * K.row(c).tail(n - c - 1);
    }
  }
  f.LU = std::move(K);
  return f;
}

VectorXd solve(const Factors& f, const VectorXd& b) {
  const Eigen::Index n = b.size();
  VectorXd x(n);
  for (Eigen::Index r = 0; r < n; ++r) {
    x(r) = b(f.order[static_cast<std::size_t>(r)]);
    for (Eigen::Index c = 0; c < r; ++c) x(r) -= f.LU(r, c) * x(c);
  }
  for (Eigen::Index r = n; r-- > 0;) {
    for (Eigen::Index c = r + 1; c < n; ++c) x(r) -= f.LU(r, c) * x(c);
    x(r) /= f.LU(r, r);
  }
  return x;
}

// By scaling, a Taylor sum, and squaring.
MatrixXd exponential(const MatrixXd& A) {
  const double size = A.cwiseAbs().rowwise().sum().maxCoeff();
  int halvings = 0;
  while (std::ldexp(size, -halvings) > 0.25) ++halvings;
  const MatrixXd B = A * std::ldexp(1.0, -halvings);
  MatrixXd term = MatrixXd::Identity(A.rows(), A.cols()), sum = term;
  for (int k = 1; k <= 14; ++k) {
    term = term * B / k;
    sum += term;
  }
  for (int i = 0; i < halvings; ++i) sum = (sum * sum).eval();
  return sum;
}

// ---- The equations in numbers

class LinearFields {
 public:
  LinearFields(const FieldEquations& equations, const ModelData& model)
      : equations_(equations), model_(model), work_(equations.pool) {
    if (!equations.integrals.empty()) throw NotClosed{NoFieldModes::other_coordinates};
    for (const FieldEquation& e : equations.fields) {
      laws.push_back(read(e.inertia - e.forces));
      auto& [begin, end] = conditions.emplace_back();
      const FieldVariableData& x = variable(e.field);
      for (const BoundaryCondition& b : e.boundary) {
        if (!(b.place == x.from) && !(b.place == x.to)) throw NotClosed{NoFieldModes::between_ends};
        (b.place == x.from ? begin : end).push_back(read(b.left));
      }
    }
  }

  double length(int field) const {
    const FieldVariableData& x = variable(field);
    const auto value = find_constant(model_, x.to - x.from);
    if (!value) throw NotClosed{NoFieldModes::value_missing};
    return *value;
  }

  std::vector<LinearCondition> laws;
  std::vector<std::pair<std::vector<LinearCondition>, std::vector<LinearCondition>>> conditions;

 private:
  const FieldVariableData& variable(int field) const {
    return model_.field_variables[static_cast<std::size_t>(
        model_.fields[static_cast<std::size_t>(field)].variable)];
  }

  LinearCondition read(const Expr& e) {
    std::vector<FieldSymbol> present;
    std::vector<Expr> symbols;
    for (const FieldSymbol& value : equations_.values) {
      if (!depends_on(e, value.symbol)) continue;
      present.push_back(value);
      symbols.push_back(value.symbol);
    }
    const auto form = find_linear_form(e, symbols);
    if (!form) throw NotClosed{NoFieldModes::nonlinear};
    LinearCondition terms;
    for (std::size_t i = 0; i < present.size(); ++i) {
      if (form->coefficients[i] == e.pool().zero()) continue;
      if (present[i].rates == 1) throw NotClosed{NoFieldModes::damped};
      const auto value = find_constant(model_, form->coefficients[i]);
      if (!value) throw NotClosed{why_unknown(form->coefficients[i])};
      Term term{present[i].field, present[i].slopes};
      (present[i].rates == 0 ? term.still : term.moved) = *value;
      terms.push_back(term);
    }
    return terms;
  }

  NoFieldModes why_unknown(const Expr& e) const {
    for (const Expr& s : free_symbols(e)) {
      const SymbolRole* role = model_.role(s);
      if (role == nullptr || role->role != Role::parameter) return NoFieldModes::varying;
      for (const FieldVariableData& x : model_.field_variables)
        if (x.station.valid() && s == x.station) return NoFieldModes::varying;
    }
    return NoFieldModes::value_missing;
  }

  const FieldEquations& equations_;
  const ModelData& model_;
  Workspace work_;
};

// Groups of fields that equations or conditions couple.
std::vector<std::vector<int>> find_groups(const LinearFields& fields) {
  const std::size_t n = fields.laws.size();
  std::vector<std::size_t> group(n);
  std::iota(group.begin(), group.end(), 0);
  const auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t from = group[b], to = group[a];
    for (std::size_t& g : group)
      if (g == from) g = to;
  };
  for (std::size_t f = 0; f < n; ++f) {
    const auto couple = [&](const LinearCondition& c) {
      for (const Term& term : c) join(f, static_cast<std::size_t>(term.field));
    };
    couple(fields.laws[f]);
    for (const auto* side : {&fields.conditions[f].first, &fields.conditions[f].second})
      for (const LinearCondition& c : *side) couple(c);
  }
  std::map<std::size_t, std::vector<int>> groups;
  for (std::size_t f = 0; f < n; ++f) groups[group[f]].push_back(static_cast<int>(f));
  std::vector<std::vector<int>> result;
  for (auto& [key, members] : groups) result.push_back(std::move(members));
  return result;
}

// (1) and (2) of one group, along s = (x - a)/(b - a).
class ModeProblem {
 public:
  ModeProblem(const LinearFields& fields, std::vector<int> members)
      : fields_(fields), members_(std::move(members)), length_(fields.length(members_[0])) {
    std::map<int, int> orders;
    for (const int f : members_)
      for (const Term& t : fields_.laws[static_cast<std::size_t>(f)])
        orders[t.field] = std::max(orders[t.field], t.slopes);
    for (const int f : members_) {
      first_[f] = size_;
      order_[f] = orders[f];
      size_ += orders[f];
    }
    std::size_t count = 0;
    for (const int f : members_) {
      const auto& [begin, end] = fields_.conditions[static_cast<std::size_t>(f)];
      count += begin.size() + end.size();
    }
    if (size_ == 0 || count != static_cast<std::size_t>(size_))
      throw NotClosed{NoFieldModes::not_regular};
    if (!(std::abs(factor(highest(1.0)).log_size) < 600.0))
      throw NotClosed{NoFieldModes::not_regular};
  }

  /// The determinant (2), as its sign and the logarithm of its size.
  Factors determinant(double w) const { return factor(matrix(w)); }

  /// The shapes of the members at the ends of the pieces; the largest is 1.
  std::map<int, std::vector<double>> shapes(double w) const {
    const Factors f = factor(matrix(w));
    VectorXd v = VectorXd::Ones(f.LU.rows());
    for (Eigen::Index i = 0; i < v.size(); ++i) v(i) += 0.37 * std::sin(1.0 + 3.0 * double(i));
    for (int i = 0; i < 3; ++i) v = solve(f, v / v.cwiseAbs().maxCoeff());
    std::map<int, std::vector<double>> result;
    double largest = 0.0;
    for (const int g : members_)
      for (int p = 0; p <= pieces; ++p) {
        const double value = v(p * size_ + first_.at(g));
        result[g].push_back(value);
        if (std::abs(value) > std::abs(largest)) largest = value;
      }
    for (auto& [g, values] : result)
      for (double& value : values) value = largest == 0.0 ? 0.0 : value / largest;
    return result;
  }

 private:
  double coefficient(const Term& t, double w) const {
    return (t.still - w * w * t.moved) * std::pow(length_, -t.slopes);
  }

  // What multiplies the highest slopes.
  MatrixXd highest(double w) const {
    const auto n = static_cast<Eigen::Index>(members_.size());
    MatrixXd H = MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (const Term& t : law(i))
        if (t.slopes == order_.at(t.field)) H(i, column(t.field)) += coefficient(t, w);
    return H;
  }

  const LinearCondition& law(Eigen::Index i) const {
    return fields_.laws[static_cast<std::size_t>(members_[static_cast<std::size_t>(i)])];
  }
  Eigen::Index column(int field) const {
    return std::find(members_.begin(), members_.end(), field) - members_.begin();
  }

  MatrixXd system(double w) const {
    const auto n = static_cast<Eigen::Index>(members_.size());
    const Factors H = factor(highest(w));
    MatrixXd A = MatrixXd::Zero(size_, size_), lower = MatrixXd::Zero(n, size_);
    for (Eigen::Index i = 0; i < n; ++i)
      for (const Term& t : law(i))
        if (t.slopes < order_.at(t.field))
          lower(i, first_.at(t.field) + t.slopes) -= coefficient(t, w);
    for (const int g : members_)
      for (int k = 0; k + 1 < order_.at(g); ++k) A(first_.at(g) + k, first_.at(g) + k + 1) = 1.0;
    for (Eigen::Index c = 0; c < size_; ++c) {
      const VectorXd top = solve(H, lower.col(c));
      for (const int g : members_) A(first_.at(g) + order_.at(g) - 1, c) += top(column(g));
    }
    return A;
  }

  // Unknown: Y at the ends of all pieces.
  MatrixXd matrix(double w) const {
    MatrixXd K = MatrixXd::Zero(size_ * (pieces + 1), size_ * (pieces + 1));
    Eigen::Index row = 0;
    const auto add = [&](const std::vector<LinearCondition>& conditions, int node) {
      for (const LinearCondition& condition : conditions) {
        for (const Term& t : condition) {
          if (t.slopes >= order_.at(t.field)) throw NotClosed{NoFieldModes::not_regular};
          K(row, node * size_ + first_.at(t.field) + t.slopes) += coefficient(t, w);
        }
        const double largest = K.row(row).cwiseAbs().maxCoeff();
        if (largest > 0.0) K.row(row) /= largest;
        ++row;
      }
    };
    for (const int f : members_) add(fields_.conditions[static_cast<std::size_t>(f)].first, 0);
    const MatrixXd step = exponential(system(w) / pieces);
    for (int p = 0; p < pieces; ++p) {
      K.block(row, p * size_, size_, size_) = -step;
      K.block(row, (p + 1) * size_, size_, size_).setIdentity();
      row += size_;
    }
    for (const int f : members_)
      add(fields_.conditions[static_cast<std::size_t>(f)].second, pieces);
    return K;
  }

  const LinearFields& fields_;
  std::vector<int> members_;
  double length_;
  Eigen::Index size_ = 0;
  std::map<int, Eigen::Index> first_;
  std::map<int, int> order_;
};

// The root of (2) next to an estimate; nothing where its sign does not change nearby.
std::optional<double> find_root(const ModeProblem& problem, double estimate) {
  const Factors at = problem.determinant(estimate);
  const auto value = [&](double w) {
    const Factors f = problem.determinant(w);
    return f.sign * std::exp(std::clamp(f.log_size - at.log_size, -600.0, 600.0));
  };
  double low = estimate, high = estimate, f_low = at.sign, f_high = at.sign;
  for (double reach = 1e-10;; reach *= 3.0) {
    if (reach > widest) return std::nullopt;
    // Elements are too stiff: their frequencies are above, unless by rounding.
    low = estimate * (1.0 - reach);
    f_low = value(low);
    if (f_low * f_high <= 0.0) break;
    high = estimate * (1.0 + reach);
    f_high = value(high);
    if (f_low * f_high <= 0.0) break;
  }
  // Halving with secants between: regula falsi in the Illinois manner.
  for (int i = 0; i < 200 && high - low > 4e-16 * high; ++i) {
    const double secant = (low * f_high - high * f_low) / (f_high - f_low);
    const double w = i % 3 == 2 || !(secant > low && secant < high) ? 0.5 * (low + high) : secant;
    const double f = value(w);
    if (f == 0.0) return w;
    if (f * f_low < 0.0) {
      high = w;
      f_high = f;
    } else {
      low = w;
      f_low = f;
    }
  }
  return 0.5 * (low + high);
}

FieldModes find_modes(const LinearFields& fields, const std::vector<double>& estimates) {
  std::vector<ModeProblem> problems;
  for (const auto& members : find_groups(fields)) problems.emplace_back(fields, members);
  std::vector<std::vector<double>> found(problems.size());
  FieldModes result;
  for (const double estimate : estimates) {
    bool leads = false;
    for (std::size_t p = 0; p < problems.size(); ++p) {
      const auto root = find_root(problems[p], estimate);
      if (!root) continue;
      leads = true;
      const auto same = [&](double w) { return std::abs(w - *root) < 1e-9 * *root; };
      if (std::any_of(found[p].begin(), found[p].end(), same)) continue;
      found[p].push_back(*root);
      FieldMode mode{*root, std::vector<std::vector<double>>(fields.laws.size())};
      for (auto& [f, shape] : problems[p].shapes(*root))
        mode.shapes[static_cast<std::size_t>(f)] = std::move(shape);
      result.modes.push_back(std::move(mode));
    }
    if (!leads) break;
  }
  std::sort(result.modes.begin(), result.modes.end(),
            [](const FieldMode& a, const FieldMode& b) { return a.frequency < b.frequency; });
  return result;
}

}  // namespace

Result<FieldModes, NoFieldModes> find_field_modes(const FieldEquations& equations,
                                                  const ModelData& model,
                                                  const std::vector<double>& estimates) {
  try {
    const LinearFields fields(equations, model);
    return find_modes(fields, estimates);
  } catch (const NotClosed& reason) {
    return reason.why;
  }
}

}  // namespace visviva
