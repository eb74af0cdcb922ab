#include "visviva/study/plan_motion.h"

#include <algorithm>
#include <cmath>

#include "visviva/equations/state/solve.h"
#include "visviva/kinematics/constraint_rows.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

using Row = std::vector<double>;

double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Rows that were taken, made orthonormal.
class RowSpace {
 public:
  // The part of a row outside of the space, the row being of length 1; twice, for rounding's sake.
  Row outside(Row row) const {
    const double length = std::sqrt(dot(row, row));
    if (!(length > 0)) return Row(row.size(), 0.0);
    for (double& x : row) x /= length;
    for (int pass = 0; pass < 2; ++pass) {
      for (const Row& taken : rows_) {
        const double along = dot(row, taken);
        for (std::size_t i = 0; i < row.size(); ++i) row[i] -= along * taken[i];
      }
    }
    return row;
  }

  // False where less than `least` of the row is new.
  bool take(const Row& row, double least) {
    Row rest = outside(row);
    const double length = std::sqrt(dot(rest, rest));
    if (!(length > least)) return false;
    for (double& x : rest) x /= length;
    rows_.push_back(std::move(rest));
    return true;
  }

  std::size_t size() const { return rows_.size(); }

 private:
  std::vector<Row> rows_;
};

constexpr double nothing_new = 1e-7;
// A coordinate of which the constraints leave less than this is near a dead point: others go before it.
constexpr double well_free = 0.2;

class Planner {
 public:
  Planner(const Kinematics& motion, const ConsistentStart& at)
      : motion_(motion), model_(motion.model()), state_(make_state(motion, at)) {
    for (const ConstraintRow& row : make_constraint_rows(motion))
      space_.take(numbers(row.velocity), nothing_new);
  }

  MotionPlan plan(const std::vector<std::string>& names) {
    std::vector<bool> is_driven(names.size(), false);
    for (const double least : {well_free, nothing_new}) {
      for (std::size_t i = 0; i < names.size(); ++i)
        if (!is_driven[i]) is_driven[i] = space_.take(row_of(names[i]), least);
    }
    MotionPlan plan;
    for (std::size_t i = 0; i < names.size(); ++i)
      (is_driven[i] ? plan.driven : plan.determined).push_back(names[i]);
    plan.free_count = static_cast<int>(motion_.speeds().size() - space_.size());
    return plan;
  }

 private:
  Row numbers(const ScalarMotion& rate) const {
    Row row(motion_.speeds().size(), 0.0);
    for (const auto& [speed, coefficient] : rate.coefficients)
      row[static_cast<std::size_t>(speed)] = state_.value(coefficient);
    return row;
  }

  Row row_of(const std::string& name) const {
    const auto found = std::find_if(model_.coordinates.begin(), model_.coordinates.end(),
                                    [&](const CoordinateData& c) { return c.name == name; });
    return numbers(motion_.rate_of(found->q));
  }

  const Kinematics& motion_;
  const ModelData& model_;
  const StartState state_;
  RowSpace space_;
};

}  // namespace

MotionPlan plan_motion(const Kinematics& motion, const ConsistentStart& at,
                       const std::vector<std::string>& coordinates) {
  const Workspace work(motion.pool());
  return Planner(motion, at).plan(coordinates);
}

}  // namespace visviva
