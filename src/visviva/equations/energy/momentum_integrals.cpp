#include "visviva/equations/energy/momentum_integrals.h"

#include <algorithm>

#include "visviva/kinematics/coordinate_momentum.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/kinematics/speed_definition.h"
#include "visviva/kinematics/total_motion.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using Kind = Reason::Kind;
using Definition = IntegralDefinition::Kind;

constexpr std::size_t most_points = 8;  // fixed points about which moments are taken

class MomentumFinder {
 public:
  MomentumFinder(const Energies& energies, ZeroFacts& test)
      : e_(energies),
        motion_(energies.equations.motion),
        model_(motion_.model()),
        pool_(*model_.pool),
        embedding_(energies.equations, energies.embedded, energies.split),
        momenta_(engine_of(motion_)),
        test_(test) {}

  std::vector<Integral> find() {
    if (model_.bodies.empty()) return {};
    add_coordinates();
    add_speeds();
    add_system();
    return std::move(found_);
  }

 private:
  // Kept when it is constant and says something.
  void consider(const std::string& name, const IntegralDefinition& definition, const Expr& value,
                const Reason& reason = {.kind = Kind::derivative_vanishes}) {
    if (test_.is_seen_to_change(value)) return;
    if (!is_telling(value) || test_.is_zero_with_values(value)) return;
    const ZeroFact fact = test_.find_constant(value);
    if (fact.verdict != ZeroVerdict::zero) return;
    Integral i;
    i.name = name;
    i.definition = definition;
    i.value = value;
    i.constancy = Constancy::constant;
    i.scope = fact.scope;
    i.extent = fact.extent;
    i.reasons = {reason};
    if (fact.extent == Extent::on_constraints)
      i.reasons.push_back({.kind = Kind::holds_on_constraints,
                           .extent = fact.extent,
                           .is_numeric = fact.is_numeric});
    if (!fact.condition.empty())
      i.reasons.push_back({.kind = Kind::holds_for_values, .condition = fact.condition});
    for (const Integral& other : found_) {
      if (other.value == value || other.value == -value) {
        i.reasons.push_back({.kind = other.value == value ? Kind::same_as : Kind::negative_of,
                             .names = {other.name}});
        break;
      }
    }
    found_.push_back(std::move(i));
  }

  // Not for what only prescribed motions change.
  bool is_telling(const Expr& value) const {
    std::vector<Expr> states = free_symbols(value);
    std::erase_if(states, [&](const Expr& s) {
      const SymbolRole* role = model_.role(s);
      return role != nullptr && role->role != Role::coordinate && role->role != Role::hidden &&
             role->role != Role::speed && role->role != Role::rate;
    });
    const std::vector<Expr> slopes = gradient(value, states);
    return std::any_of(slopes.begin(), slopes.end(), [](const Expr& s) { return !s.is_zero(); });
  }

  // ---- (3)

  std::optional<Expr> definition_of(const Speed& speed) const {
    if (speed.coordinate >= 0) return model_.coordinates[speed.coordinate].rate;
    return find_speed_definition(motion_, speed.name);
  }

  void add_coordinates() {
    const std::vector<Expr>& speeds = motion_.table().symbols;
    const std::vector<Expr> momenta = gradient(e_.formal.K, speeds);
    std::vector<std::optional<Expr>> definitions;
    for (const Speed& s : motion_.speeds()) definitions.push_back(definition_of(s));
    for (const CoordinateData& q : model_.coordinates) {
      if (q.quaternion >= 0) continue;
      if (test_.is_seen_to_change(momentum_of(q))) continue;
      Expr slope = differentiate(e_.formal.K, q.q);  // dK/dq at fixed rates
      for (std::size_t r = 0; r < speeds.size(); ++r) {
        if (definitions[r]) slope += momenta[r] * speed_slope(*definitions[r], q.q);
      }
      const bool is_ignorable = embedding_(slope).is_zero() && differentiate(e_.U, q.q).is_zero();
      const Reason ignorable{.kind = Kind::ignorable, .names = {q.name}};
      const Reason vanishing{.kind = Kind::derivative_vanishes};
      consider("p_" + q.name, {.formula = "dK/d" + q.name + "'"}, momentum_of(q),
               is_ignorable ? ignorable : vanishing);
    }
  }

  Expr momentum_of(const CoordinateData& q) { return embedding_(momenta_(q)); }

  // du/dq at fixed rates, in terms of speeds.
  Expr speed_slope(const Expr& definition, const Expr& q) const {
    const Expr slope = differentiate(definition, q);
    return slope.is_zero() ? slope : motion_.resolve(Quantity(slope, Dimension())).expr(pool_);
  }

  // p_u1 of u1. p_x is the momentum of the coordinate x: where constraints make another one of its
  // speed x', that is p_x_R, as Hamilton's method calls it.
  std::string name_momentum(const Speed& speed, const Expr& p) {
    const std::string name = "p_" + speed.name.substr(0, speed.name.find('\''));
    const bool is_taken = std::any_of(found_.begin(), found_.end(),
                                      [&](const Integral& i) { return i.name == name; });
    const bool differs =
        speed.coordinate >= 0 && !(momentum_of(model_.coordinates[speed.coordinate]) == p);
    return is_taken || differs ? name + "_R" : name;
  }

  void add_speeds() {
    std::vector<Expr> speeds;
    for (const int r : e_.embedded.independent) speeds.push_back(motion_.speeds()[r].u);
    const std::vector<Expr> slopes = gradient(e_.K, speeds);
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      const Speed& speed = motion_.speeds()[e_.embedded.independent[i]];
      if (test_.is_seen_to_change(slopes[i])) continue;
      const Expr p = differentiate(e_.K, speed.u);
      const bool is_known = std::any_of(found_.begin(), found_.end(),
                                        [&](const Integral& known) { return known.value == p; });
      if (!is_known) consider(name_momentum(speed, p), {.formula = "dK/d" + speed.name}, p);
    }
  }

  // ---- (1), (2)

  void add_system() {
    const Frame N(model_, 0);
    TotalMotion whole(motion_);
    Column3 P = zero_column(pool_), L = P, first = P;  // first: sum m p
    Expr mass = pool_.zero();
    for (const BodyData& body : model_.bodies) {
      const Column3 mv = body.mass * embedding_(whole.velocity(body.point));
      const Column3& p = whole.position(body.point);
      P = P + mv;
      L = L + cross(p, mv);
      first = first + body.mass * p;
      mass += body.mass;
      if (body.frame < 0) continue;
      const Column3 w = embedding_(engine_of(motion_).spin(body.frame));
      L = L + orientation(N, Frame(model_, body.frame)) * (body.inertia * w);
    }
    add_components("linear_momentum", {.kind = Definition::linear_momentum}, P);
    add_components("angular_momentum(No)", {.kind = Definition::angular_momentum, .about = "No"},
                   L);
    std::vector<Column3> known = {zero_column(pool_)};
    for (std::size_t k = 1; k < engine_of(motion_).point_count() && known.size() < most_points;
         ++k) {
      const Point O(model_, static_cast<int>(k));
      if (!motion_.velocity(O).is_zero()) continue;
      const Column3 p = (O - Point(model_, 0)).in(N);
      const bool is_new = std::none_of(known.begin(), known.end(),
                                       [&](const Column3& other) { return is_zero(p - other); });
      if (!is_new) continue;
      known.push_back(p);
      add_components("angular_momentum(" + O.name() + ")",
                     {.kind = Definition::angular_momentum, .about = O.name()}, L - cross(p, P), L);
    }
    if (mass.is_zero()) return;
    add_components("angular_momentum(mass center)", {.kind = Definition::angular_momentum},
                   L - (pool_.one() / mass) * cross(first, P), L);
  }

  // Components that are those about No are not listed again.
  void add_components(const std::string& name, IntegralDefinition definition, const Column3& value,
                      const Column3& about_No = {}) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (about_No[k].valid() && about_No[k] == value[k]) continue;
      definition.axis = "xyz"[k];
      consider(name + "." + definition.axis, definition, value[k]);
    }
  }

  const Energies& e_;
  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  Embedding embedding_;
  CoordinateMomenta momenta_;
  ZeroFacts& test_;
  std::vector<Integral> found_;
};

}  // namespace

std::vector<Integral> find_momentum_integrals(const Energies& energies, ZeroFacts& test) {
  return MomentumFinder(energies, test).find();
}

}  // namespace visviva
