#include "visviva/report/plot/along_outputs.h"

#include <algorithm>
#include <set>

#include "visviva/base/unit.h"
#include "visviva/equations/methods/tree_dynamics.h"
#include "visviva/model/motor_dimension.h"
#include "visviva/report/plot/plot_outputs.h"
#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

class AlongOutputs {
 public:
  explicit AlongOutputs(const Equations& equations)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        work_(Workspace::continued(*equations.pool())) {
    for (const OutputData& o : model_.outputs) taken_.insert(o.name);
  }

  std::vector<AlongOutput> list() {
    add_accelerations();
    add_motors();
    add_multipliers();
    add_reactions();
    return std::move(all_);
  }

 private:
  void add(const std::string& name, const std::vector<Expr>& components, const std::string& unit) {
    if (taken_.insert(name).second) all_.push_back({{name, components}, unit});
  }

  // A result of that name, or its three components.
  void add_result(const std::string& name, bool is_vector, const std::string& unit) {
    ExprPool& pool = work_.pool();
    std::vector<Expr> components;
    for (const char* axis : {".x", ".y", ".z"})
      if (is_vector) components.push_back(pool.symbol(name + axis));
    if (!is_vector) components.push_back(pool.symbol(name));
    add(name, components, unit);
  }

  void add_accelerations() {
    for (const CoordinateData& c : model_.coordinates) {
      const Quantity rate = motion_.time_derivative(motion_.rate(Quantity(c.q, c.dimension)));
      add(c.name + "''", {rate.expr(work_.pool())}, print_dimension(rate.dimension()));
    }
  }

  void add_motors() {
    for (const std::string& name : list_motors(equations_)) {
      const auto found =
          std::find_if(model_.specified.begin(), model_.specified.end(),
                       [&](const SpecifiedData& s) { return motor_name(s) == name; });
      add_result("motor(" + name + ")", false, print_dimension(motor_dimension(model_, *found)));
      add_result("power(" + name + ")", false, "W");
      add_result("work(" + name + ")", false, "J");
    }
  }

  void add_multipliers() {
    for (const ConstraintRow& row : equations_.rows) {
      const ConstraintData& c = model_.constraints[static_cast<std::size_t>(row.constraint)];
      const bool is_one = c.scalar.valid() || c.kind == ConstraintData::Kind::lock;
      if (!c.is_drive)
        add_result("multiplier(" + c.name + ")", !is_one, print_dimension(multiplier_dimension(c)));
    }
  }

  void add_reactions() {
    for (const ConstraintRow& row : equations_.rows) {
      const ConstraintData& c = model_.constraints[static_cast<std::size_t>(row.constraint)];
      if (!c.is_drive) add_reaction(c.name);
    }
    const TreeDynamics tree(motion_, false);
    for (std::size_t P = 0; P < model_.points.size(); ++P) {
      const bool carries = std::any_of(
          model_.bodies.begin(), model_.bodies.end(),
          [&](const BodyData& b) { return tree.hangs_on(b.point, static_cast<int>(P)); });
      if (carries) add_reaction(model_.points[P].name);
    }
  }

  void add_reaction(const std::string& name) {
    add_result("reaction(" + name + ")", true, "N");
    add_result("moment(" + name + ")", true, "N*m");
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  Workspace work_;
  std::set<std::string> taken_;
  std::vector<AlongOutput> all_;
};

}  // namespace

std::vector<AlongOutput> list_along_outputs(const Equations& equations) {
  return AlongOutputs(equations).list();
}

}  // namespace visviva
