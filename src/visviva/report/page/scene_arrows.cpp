// Arrows of a scene: every load that has a place, and reactions.
//
// Which reactions? Those that the model itself shows, then those of constraints, then those of joints:
// where a body or particle hangs on a point at a fixed distance, the force is drawn at that point; where
// it slides, at the body.
#include <algorithm>
#include <set>

#include "visviva/equations/loads/place_loads.h"
#include "visviva/equations/loads/places.h"
#include "visviva/equations/reactions/reaction_parts.h"
#include "visviva/report/page/scene_parts.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

// The slopes of reactions take long to compile in large systems: there are fewer there, or none.
constexpr std::size_t most_reactions = 16, few_reactions = 6;
constexpr std::size_t many_speeds = 24, most_speeds = 64;

class ArrowMaker {
 public:
  ArrowMaker(const Equations& equations, const Causes& causes, Scene* scene)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        causes_(causes),
        scene_(*scene) {}

  void add_loads() {
    for (const Load& load : place_loads(motion_, collect_loads(motion_))) {
      for (const auto& [point, force] : load.forces) {
        // The other end of a force between a body and the ground.
        if (load.forces.size() > 1 && is_on_ground(motion_, point)) continue;
        add(SceneArrow::Kind::force, load, point, force);
      }
      for (const auto& [frame, torque] : load.torques) {
        if (load.torques.size() > 1 && frame == 0) continue;
        add(SceneArrow::Kind::torque, load, scene_.frames[frame].origin, torque);
      }
    }
  }

  void add_reactions() {
    const std::vector<std::string> shown = list_shown();
    if (shown.empty() && motion_.speeds().size() > most_speeds) return;
    const ReactionParts parts(equations_);
    for (const std::string& name : shown) add_named(parts, name);
    if (motion_.speeds().size() > most_speeds) return;
    for (const ConstraintData& c : model_.constraints) add_named(parts, c.name);
    for (const Joint& j : list_joints()) {
      if (!shows_support(parts, j.point)) add_named(parts, model_.points[j.point].name, j.at);
    }
  }

 private:
  std::string next_name() const { return "arrow(" + std::to_string(scene_.arrows.size()) + ")"; }

  void add(SceneArrow::Kind kind, const Load& load, int point, const Vector& value) {
    if (value.is_zero() || !is_determined(value)) return;
    SceneArrow arrow{kind, load.name, load.kind == Load::Kind::gravity, point, "", {}};
    arrow.column = add_column(&scene_, next_name(), value.in(Frame(model_, 0)));
    if (const auto cause = causes_.find(Cause::Kind::load, load.name)) arrow.cause = {*cause};
    scene_.arrows.push_back(std::move(arrow));
  }

  // An unknown force that drops out of the equations has no value.
  bool is_determined(const Vector& value) const {
    const std::vector<Expr>& solved = equations_.unknowns;
    for (const UnknownData& u : model_.unknowns) {
      if (std::find(solved.begin(), solved.end(), u.symbol) != solved.end()) continue;
      for (const Vector::Part& part : value.parts()) {
        for (const Expr& e : part.column)
          if (depends_on(e, u.symbol)) return false;
      }
    }
    return true;
  }

  // Reactions that outputs mention.
  std::vector<std::string> list_shown() const {
    std::vector<Expr> all;
    for (const OutputData& o : model_.outputs) {
      if (!o.is_vector) {
        all.push_back(o.scalar);
        continue;
      }
      for (const Vector::Part& part : o.vector.parts())
        all.insert(all.end(), part.column.begin(), part.column.end());
    }
    const std::string verb = "reaction(";
    std::vector<std::string> names;
    for (const Expr& symbol : free_symbols(all)) {
      const std::string name = symbol.home().symbol_name(symbol.ref());
      if (name.rfind(verb, 0) != 0) continue;
      const std::string held = name.substr(verb.size(), name.rfind(')') - verb.size());
      if (std::find(names.begin(), names.end(), held) == names.end()) names.push_back(held);
    }
    return names;
  }

  struct Joint {
    int point;  // whose reaction it is
    int at;     // where it is drawn
  };

  std::vector<Joint> list_joints() const {
    std::vector<Joint> joints;
    for (const BodyData& body : model_.bodies) {
      const int parent = model_.points[body.point].parent;
      if (body.line >= 0) {  // a piece of a line: all of them are held where the line hangs
        const auto is_held = [&](const Joint& j) { return j.point == parent; };
        if (std::none_of(joints.begin(), joints.end(), is_held)) joints.push_back({parent, parent});
        continue;
      }
      const bool hangs = parent >= 0 && is_rigid_offset(body.point);
      // What a particle or another body carries is held against that one.
      if (hangs && scene_.points[parent].is_center)
        joints.push_back({body.point, body.frame >= 0 ? parent : body.point});
      else if (hangs)
        joints.push_back({parent, parent});
      else
        joints.push_back({body.point, body.point});
    }
    std::erase_if(joints, [&](const Joint& j) { return is_contact(j.point); });
    return joints;
  }

  // The force of rolling there is the constraint's.
  bool is_contact(int P) const {
    return std::any_of(model_.constraints.begin(), model_.constraints.end(),
                       [&](const ConstraintData& c) {
                         return c.kind == ConstraintData::Kind::roll && c.point == P;
                       });
  }

  // The force between a body and what it rolls on would be drawn again at every point that the body
  // hangs on, where the contact alone holds it in some direction.
  bool shows_support(const ReactionParts& parts, int P) const {
    return std::any_of(parts.supports.begin(), parts.supports.end(),
                       [&](const ReactionParts::Support& s) {
                         return s.is_only && parts.count_support(s, P) != 0;
                       });
  }

  bool is_rigid_offset(int P) const {
    return std::any_of(scene_.objects.begin(), scene_.objects.end(), [&](const SceneObject& o) {
      return o.to == P && o.from == model_.points[P].parent && o.is_fixed_length;
    });
  }

  // A constraint's name comes before a point's, as in reaction_forms.h.
  void add_named(const ReactionParts& parts, const std::string& name, int where = -1) {
    const bool is_large = motion_.speeds().size() > many_speeds;
    if (done_.size() >= (is_large ? few_reactions : most_reactions)) return;
    if (done_.count(name) != 0) return;
    for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
      if (model_.constraints[c].name != name) continue;
      const ReactionParts::RowEntry* row = parts.first_row(static_cast<int>(c));
      if (row == nullptr) continue;
      if (!row->is_placed || row->actions.empty()) return;
      add_reaction(name, parts.find_subject(*row).point, true);
      return;
    }
    for (std::size_t P = 0; P < model_.points.size(); ++P) {
      if (model_.points[P].name != name || !parts.carries_mass(static_cast<int>(P))) continue;
      add_reaction(name, where >= 0 ? where : static_cast<int>(P), false);
      return;
    }
  }

  void add_reaction(const std::string& name, int point, bool is_constraint) {
    done_.insert(name);
    SceneArrow arrow{SceneArrow::Kind::reaction,
                     is_constraint ? name : "reaction at " + name,
                     false,
                     point,
                     "",
                     {}};
    const auto component = [&](const char* axis) {
      return model_.pool->symbol("reaction(" + name + ")" + axis);
    };
    arrow.column =
        add_column(&scene_, next_name(), {component(".x"), component(".y"), component(".z")});
    if (is_constraint)
      if (const auto cause = causes_.find(Cause::Kind::constraint, name)) arrow.cause = {*cause};
    scene_.arrows.push_back(std::move(arrow));
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  const Causes& causes_;
  Scene& scene_;
  std::set<std::string> done_;
};

}  // namespace

void add_arrows(const Equations& equations, const Causes& causes, Scene* scene) {
  ArrowMaker maker(equations, causes, scene);
  maker.add_loads();
  maker.add_reactions();
}

}  // namespace visviva
