#include "visviva/kinematics/constraint_rows.h"

#include <utility>

#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

class RowMaker {
 public:
  explicit RowMaker(const Kinematics& motion) : motion_(motion), model_(motion.model()) {}

  std::vector<ConstraintRow> make() {
    for (std::size_t i = 0; i < model_.constraints.size(); ++i) add(static_cast<int>(i));
    return std::move(rows_);
  }

 private:
  void add(int index) {
    const ConstraintData& c = model_.constraints[index];
    const Frame N(model_, 0);
    switch (c.kind) {
      case ConstraintData::Kind::configuration:
        if (c.scalar.valid()) return add_position(index, 0, c.scalar);
        add_rows(index, c.vector.in(N), &RowMaker::add_position);
        return;
      case ConstraintData::Kind::motion:
        if (c.scalar.valid()) return add_velocity(index, 0, c.scalar);
        add_rows(index, motion_.resolve(c.vector).in(N), &RowMaker::add_velocity);
        return;
      case ConstraintData::Kind::roll: {
        const Point P(model_, c.point);
        const Frame on(model_, c.on);
        const Vector slip =
            motion_.velocity_on(P, Frame(model_, c.body)) - motion_.velocity_on(P, on);
        frame_ = choose_frame(c, slip);
        add_rows(index, slip.in(Frame(model_, frame_)), &RowMaker::add_velocity);
        frame_ = 0;
        return;
      }
      case ConstraintData::Kind::lock: {
        const CoordinateData& q = model_.coordinates[c.coordinate];
        return add_position(index, 0, q.q - make_locked_value(q));
      }
    }
  }

  // The start value; of an Euler parameter, what is left of it when its quaternion is normalised.
  Expr make_locked_value(const CoordinateData& q) const {
    const Expr start = q.start ? *q.start : model_.pool->zero();
    if (q.quaternion < 0) return start;
    Expr sum = model_.pool->zero();
    bool is_any_given = false;
    const auto& group = model_.quaternions[static_cast<std::size_t>(q.quaternion)];
    for (const int i : group) {
      const CoordinateData& other = model_.coordinates[static_cast<std::size_t>(i)];
      if (!other.start) continue;
      if (other.start_note.is_guess) return start;  // the guess closes the norm
      is_any_given = true;
      sum += *other.start * *other.start;
    }
    const CoordinateData& scalar = model_.coordinates[static_cast<std::size_t>(group[0])];
    const Expr one = model_.pool->one();
    if (is_any_given && scalar.start) return sum.is_zero() ? start : start / sqrt(sum);
    // e0 was left out: it closes the norm of the others.
    return scalar.q == q.q ? sqrt(one - min(one, sum)) : start / sqrt(max(one, sum));
  }

  // Of the frames in which the contact and the points it hangs on are described, and the one that is
  // rolled on, the one with the fewest rows, then with the fewest symbols: where the geometry keeps a
  // body on a plane, no row is left along its normal.
  int choose_frame(const ConstraintData& roll, const Vector& slip) {
    std::vector<int> frames;
    for (int P = roll.point; P >= 0; P = model_.points[P].parent)
      frames.push_back(model_.points[P].home_frame);
    frames.push_back(roll.on);
    int best = frames.front();
    std::pair<int, std::size_t> least{4, 0};
    for (const int frame : frames) {
      const Column3 v = slip.in(Frame(model_, frame));
      int rows = 0;
      for (const Expr& e : v)
        rows += motion_.resolve(Quantity(e, Dimension())).expr().is_zero() ? 0 : 1;
      const std::pair<int, std::size_t> found{rows, free_symbols({v[0], v[1], v[2]}).size()};
      if (found < least) best = frame, least = found;
    }
    return best;
  }

  void add_rows(int index, const Column3& column,
                void (RowMaker::*add_row)(int, int, const Expr&)) {
    for (int i = 0; i < 3; ++i) (this->*add_row)(index, i, column[i]);
  }

  void add_position(int index, int component, const Expr& g) {
    if (g.is_zero()) return;
    rows_.push_back({index, g, motion_.rate_of(g), component, frame_});
  }

  void add_velocity(int index, int component, const Expr& expr) {
    const Expr v = motion_.resolve(Quantity(expr, Dimension())).expr();
    if (v.is_zero()) return;
    const ConstraintData& c = model_.constraints[index];
    const std::optional<ScalarMotion> velocity = find_linear_motion(motion_, v);
    if (!velocity)
      throw ModelError({{Severity::error, "E-constraint-nonlinear",
                         "the constraint '" + c.name + "' is not linear in the rates",
                         "a motion constraint is a sum of rates with coefficients that depend on "
                         "coordinates and time",
                         c.source.span}});
    rows_.push_back({index, find_integral(index, component), *velocity, component, frame_});
  }

  std::optional<Expr> find_integral(int index, int component) const {
    for (const IntegratedRow& row : motion_.integrated_rows()) {
      if (row.constraint == index && row.component == component) return row.position;
    }
    return std::nullopt;
  }

  const Kinematics& motion_;
  const ModelData& model_;
  std::vector<ConstraintRow> rows_;
  int frame_ = 0;  // of the rows being added
};

}  // namespace

std::optional<ScalarMotion> find_linear_motion(const Kinematics& motion, const Expr& resolved) {
  std::vector<Expr> symbols;
  for (const Speed& s : motion.speeds()) symbols.push_back(s.u);
  const auto form = find_linear_form(resolved, symbols);
  if (!form) return {};
  ScalarMotion row{{}, form->remainder};
  for (std::size_t r = 0; r < symbols.size(); ++r) {
    if (!form->coefficients[r].is_zero())
      row.coefficients.emplace_back(static_cast<int>(r), form->coefficients[r]);
  }
  return row;
}

std::vector<ConstraintRow> make_constraint_rows(const Kinematics& motion) {
  const Workspace work = Workspace::continued(*motion.pool());
  return RowMaker(motion).make();
}

}  // namespace visviva
