#include "visviva/equations/energy/ledger.h"

#include <algorithm>
#include <cmath>

#include "visviva/equations/energy/full_turn.h"
#include "visviva/equations/energy/power_sign.h"
#include "visviva/equations/energy/velocity_split.h"
#include "visviva/equations/loads/loads.h"
#include "visviva/equations/loads/place_loads.h"
#include "visviva/equations/loads/places.h"
#include "visviva/equations/reactions/reactions.h"
#include "visviva/equations/state/solve.h"
#include "visviva/kinematics/motion_engine.h"
#include "visviva/kinematics/total_motion.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/value_noise.h"
#include "visviva/symbolic/core/workspace.h"
#include "visviva/symbolic/simplify/expand.h"

namespace visviva {
namespace {

using Because = Reason::Kind;

Reasons because(Because kind) { return {Reason{.kind = kind}}; }

constexpr double rounding_tolerance = 1e-12;  // of the sum of all powers: less is none
constexpr double value_tolerance = 1e-14;     // relative, of the numbers of a state

std::string kind_name(Load::Kind kind) {
  switch (kind) {
    case Load::Kind::gravity:
      return "gravity";
    case Load::Kind::force:
      return "force";
    case Load::Kind::torque:
      return "torque";
    case Load::Kind::spring:
      return "spring";
    case Load::Kind::damper:
      return "damper";
    case Load::Kind::potential:
      return "potential";
    case Load::Kind::dissipation:
      return "dissipation";
  }
  return "load";
}

std::string kind_name(ConstraintData::Kind kind) {
  return kind == ConstraintData::Kind::roll   ? "roll"
         : kind == ConstraintData::Kind::lock ? "lock"
                                              : "constraint";
}

class LedgerMaker {
 public:
  LedgerMaker(const Equations& equations, const std::vector<LoadEnergy>& loads,
              const ConsistentStart& start, const EmbeddedEquations* embedded)
      : equations_(equations),
        motion_(equations.motion),
        model_(motion_.model()),
        work_(Workspace::continued(*equations.pool())),
        pool_(work_.pool()),
        loads_(loads),
        start_(start) {
    for (const Speed& s : motion_.speeds()) speeds_.push_back(s.u);
    for (std::size_t d = 0; embedded != nullptr && d < embedded->dependent.size(); ++d)
      dependent_.emplace_back(speeds_[embedded->dependent[d]], embedded->dependent_speeds[d]);
  }

  Ledger make() {
    if (start_.missing.empty()) state_ = make_state(motion_, start_);
    all_loads_ = collect_loads(motion_);
    find_motors();
    add_loads();
    add_motors();
    add_constraints();
    try {
      add_powers();
    } catch (const ModelError& error) {  // the equations have no value at the start
      ledger_.remark = {.kind = LedgerRemark::no_value_at_start,
                        .message = error.diagnostics().front().message};
    }
    return std::move(ledger_);
  }

 private:
  // ---- What there is

  void add_loads() {
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      LedgerEntry entry{loads_[i].name, kind_name(all_loads_[i].kind)};
      classify(i, &entry);
      ledger_.entries.push_back(std::move(entry));
    }
  }

  // A load with a potential stores what -dU/dt is of its power; the rest goes through prescribed motions, or has no potential.
  void classify_stored(const LoadEnergy& load, LedgerEntry* entry) {
    const bool has_power = !vanishes(load.power);
    if (load.role == LoadRole::both) {
      classify_rest(load, entry);
    } else if (vanishes(load.power + load.potential_rate)) {
      entry->effect = has_power ? EnergyEffect::stores : EnergyEffect::none;
      if (!has_power) entry->reasons = because(Because::no_power);
    } else if (vanishes(load.potential_rate)) {
      entry->effect = EnergyEffect::exchanges;
      entry->reasons = because(Because::prescribed_motions_only);
    } else {
      entry->effect = EnergyEffect::stores_and_more;
      entry->reasons.push_back({.kind = Because::rest_through_prescribed_motions});
    }
    // What a motor with a constant torque has given is not in it; what has wound up a spring is.
    const bool is_law = load.kind == Load::Kind::force || load.kind == Load::Kind::torque;
    if (!is_law || entry->effect != EnergyEffect::stores) return;
    for (const TurnChange& turn : find_turn_changes(motion_, load.potential)) {
      if (is_wound(turn)) continue;
      if (entry->effect == EnergyEffect::stores) entry->reasons.clear();
      entry->effect = EnergyEffect::exchanges;
      entry->reasons.push_back({.kind = Because::changes_by_turn, .names = {turn.name}});
      if (turn.change.is_constant())
        entry->reasons.push_back({.kind = Because::work_of_turn,
                                  .names = {turn.name},
                                  .number = -evaluate(turn.change, {}, {})});
    }
  }

  // Of a load that stores: what its power beside -dU/dt does, as of a spring and a damper in one law.
  void classify_rest(const LoadEnergy& load, LedgerEntry* entry) {
    entry->effect = EnergyEffect::stores_and_more;
    if (!state_) return;
    const Expr rest = load.power + load.potential_rate;
    const Expr& law = load.nonconservative_power;
    const Expr form = embed(vanishes(rest - law) ? law : rest);
    const PowerSign found = PowerSigns(model_, *state_).find(form, form);
    if (found.signs == SignSet{}) return;
    entry->effect = found.signs.can_be_negative   ? EnergyEffect::stores_and_takes_out
                    : found.signs.can_be_positive ? EnergyEffect::stores_and_brings_in
                                                  : EnergyEffect::stores;
    entry->reasons.push_back(found.reason.value());
    entry->reasons.back().is_about_rest = true;
  }

  // Whether the law itself is another after a turn, as that of a spring.
  static bool is_wound(const TurnChange& turn) {
    const std::vector<Expr> inside = free_symbols(turn.change);
    return std::any_of(inside.begin(), inside.end(), [&](const Expr& s) {
      return s.home().symbol_name(s.ref()) == turn.name &&
             !is_proved_zero(differentiate(turn.change, s));
    });
  }

  // A function of all speeds in the motions that the constraints allow.
  Expr embed(const Expr& e) const { return dependent_.empty() ? e : substitute(e, dependent_); }
  bool vanishes(const Expr& e) const { return is_proved_zero(e) || is_proved_zero(embed(e)); }

  void classify(std::size_t i, LedgerEntry* entry) {
    const LoadEnergy& load = loads_[i];
    const Load& law = all_loads_[i];
    entry->reasons = load.reasons;
    if (load.role == LoadRole::conservative || load.role == LoadRole::both) {
      classify_stored(load, entry);
    } else if (vanishes(load.power)) {
      entry->effect = EnergyEffect::none;
      entry->reasons = because(Because::no_power);
    } else {
      classify_power(load, law, entry);
      if (load.role == LoadRole::none) entry->reasons = because(Because::prescribed_motions_only);
    }
  }

  // Of a load without a potential.
  void classify_power(const LoadEnergy& load, const Load& law, LedgerEntry* entry) {
    const std::optional<Damping> own = find_damping(law);
    const bool is_own = own && is_proved_zero(load.power + own->power);
    const bool is_damper = law.kind == Load::Kind::damper && is_own;
    if (!state_) {
      entry->effect = is_damper ? EnergyEffect::takes_out : EnergyEffect::exchanges;
      if (is_damper) entry->reasons = because(Because::while_rate_positive);
      return;
    }
    const Expr power = embed(load.power);
    const PowerSigns signs(model_, *state_);
    const PowerSign found = signs.find(power, is_own ? -own->factor : power);
    entry->effect = found.signs == SignSet{}      ? EnergyEffect::exchanges
                    : found.signs.can_be_negative ? EnergyEffect::takes_out
                    : found.signs.can_be_positive ? EnergyEffect::brings_in
                                                  : EnergyEffect::none;
    if (found.reason) entry->reasons = {*found.reason};
    if (is_damper && entry->effect == EnergyEffect::takes_out)
      entry->reasons = because(Because::damper_rate_positive);
    if (entry->effect == EnergyEffect::exchanges && own &&
        !signs.find_shown(own->factor).can_be_negative)
      entry->reasons = because(Because::own_rate_takes_out);
  }

  // What a damper or a dissipation takes out by the rate that it damps, and a factor with the sign of that: b rate^2, or 2 D.
  struct Damping {
    Expr power, factor;
  };
  std::optional<Damping> find_damping(const Load& law) {
    const auto resolve = [&](const Expr& e) {
      return motion_.resolve(Quantity(e, Dimension())).expr(pool_);
    };
    if (law.kind == Load::Kind::dissipation) {
      const Expr D = resolve(model_.energies[law.index].value);
      return Damping{2.0 * D, D};
    }
    if (law.kind != Load::Kind::damper) return {};
    const SpringData& damper = model_.springs[law.index];
    const Expr b = resolve(damper.coefficient);
    if (damper.on.valid()) {
      const Expr rate = total(motion_.rate_of(damper.on), speeds_);
      return Damping{b * rate * rate, b};
    }
    const Point from(model_, damper.from), to(model_, damper.to);
    const Vector d = to - from, v = motion_.velocity(to) - motion_.velocity(from);
    const Expr slope = dot(d, v).expr(pool_);
    return Damping{b * slope * slope / dot(d, d).expr(pool_), b};
  }

  // ---- Motors, and what t moves

  // Specified functions that move things, as reactions.h takes them: by their rates, or by themselves where they are rates;
  // and whether t moves something by itself.
  void find_motors() {
    std::vector<Expr> remainders;
    for (const BodyData& body : model_.bodies) {
      add(engine_of(motion_).velocity(body.point).remainder, &remainders);
      if (body.frame >= 0)
        add(engine_of(motion_).angular_velocity(body.frame).remainder, &remainders);
    }
    for (const Load& load : place_loads(motion_, all_loads_)) {
      for (const auto& force : load.forces)
        add(engine_of(motion_).velocity(force.first).remainder, &remainders);
      for (const auto& torque : load.torques)
        add(engine_of(motion_).angular_velocity(torque.first).remainder, &remainders);
    }
    for (const ConstraintRow& row : equations_.rows) remainders.push_back(row.velocity.remainder);
    std::vector<Expr> driven = remainders;
    for (const SpeedData& s : model_.speeds) {
      if (s.definition) driven.push_back(motion_.speed_definition(s.name));
    }
    Replacements still;
    for (const SpecifiedData& s : model_.specified) {
      const bool moves = std::any_of(driven.begin(), driven.end(), [&](const Expr& e) {
        return depends_on(e, s.derivatives[1]) || depends_on(e, s.derivatives[0]);
      });
      if (!moves) continue;
      const bool is_rate = !is_in_configuration(s.derivatives[0]);
      const bool moves_by_rate = std::any_of(driven.begin(), driven.end(), [&](const Expr& e) {
        return depends_on(e, s.derivatives[1]);
      });
      if (is_rate || moves_by_rate) motors_.push_back(s.name);
      for (std::size_t k = is_rate ? 0 : 1; k < s.derivatives.size(); ++k)
        still.emplace_back(s.derivatives[k], pool_.zero());
    }
    for (const Expr& e : remainders) is_moved_by_time_ |= !substitute(e, still).is_zero();
  }

  // Whether a position, an orientation or a condition on them contains the symbol.
  bool is_in_configuration(const Expr& symbol) const {
    const auto is_in = [&](const Column3& column) {
      return std::any_of(column.begin(), column.end(),
                         [&](const Expr& e) { return depends_on(e, symbol); });
    };
    for (const FrameData& f : model_.frames) {
      if (std::any_of(f.R_PB.begin(), f.R_PB.end(), is_in)) return true;
    }
    for (const PointData& p : model_.points) {
      for (const Vector::Part& part : p.offset.parts()) {
        if (is_in(part.column)) return true;
      }
    }
    return std::any_of(equations_.rows.begin(), equations_.rows.end(), [&](const auto& row) {
      return row.position && depends_on(*row.position, symbol);
    });
  }

  static void add(const Column3& c, std::vector<Expr>* list) {
    list->insert(list->end(), c.begin(), c.end());
  }

  void add_motors() {
    for (const std::string& name : motors_)
      ledger_.entries.push_back(
          {name, "motor", EnergyEffect::exchanges, because(Because::keeps_specified_motion)});
    if (is_moved_by_time_)
      ledger_.entries.push_back(
          {"t", "time", EnergyEffect::exchanges, because(Because::keeps_motion_of_time)});
  }

  void add_constraints() {
    for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
      const ConstraintData& constraint = model_.constraints[c];
      LedgerEntry entry{constraint.name, kind_name(constraint.kind), EnergyEffect::none,
                        because(Because::does_not_move)};
      for (const ConstraintRow& row : equations_.rows) {
        if (row.constraint != static_cast<int>(c)) continue;
        std::vector<std::string> movers = list_movers(row);
        if (!is_still(row)) {
          entry.effect = EnergyEffect::counted;
          entry.reasons = {{.kind = Because::moved_by, .names = std::move(movers)}};
          break;
        }
        if (!movers.empty())
          entry.reasons = {{.kind = Because::moves_without_power, .names = std::move(movers)}};
      }
      ledger_.entries.push_back(std::move(entry));
    }
  }

  // Whether the row's forces have no power, F · v = -(c - sum F · v_0).
  bool is_still(const ConstraintRow& row) {
    if (row.velocity.remainder.is_zero()) return true;
    const std::optional<Place> place = place_row(motion_, row);
    if (!place) return false;
    Expr own = row.velocity.remainder;
    for (const auto& [point, F] : place->forces) {
      const VectorMotion& v = engine_of(motion_).velocity(point);
      own -= dot(F.in(Frame(model_, v.frame)), v.remainder);
    }
    for (const auto& [frame, T] : place->torques) {
      const VectorMotion& w = engine_of(motion_).angular_velocity(frame);
      own -= dot(T.in(Frame(model_, w.frame)), w.remainder);
    }
    return own.is_zero();
  }

  // Specified functions that move or turn a row's condition; t where it moves without one.
  std::vector<std::string> list_movers(const ConstraintRow& row) const {
    std::vector<Expr> parts = {row.velocity.remainder};
    for (const auto& entry : row.velocity.coefficients) parts.push_back(entry.second);
    if (row.position) parts.push_back(*row.position);
    bool drifts = !row.velocity.remainder.is_zero();
    for (std::size_t F = 0; F < model_.frames.size(); ++F) {
      for (std::size_t k = 0; k < model_.frames[F].hidden.size(); ++k) {
        const Expr& hidden = model_.frames[F].hidden[k];
        const bool is_used = std::any_of(parts.begin(), parts.end(),
                                         [&](const Expr& e) { return depends_on(e, hidden); });
        if (!is_used) continue;
        parts.push_back(engine_of(motion_).hidden_rate(static_cast<int>(F), k).remainder);
        drifts = drifts || !parts.back().is_zero();
      }
    }
    const auto is_in = [&](const Expr& symbol) {
      return std::any_of(parts.begin(), parts.end(),
                         [&](const Expr& e) { return depends_on(e, symbol); });
    };
    std::vector<std::string> names;
    for (const SpecifiedData& s : model_.specified) {
      if (std::any_of(s.derivatives.begin(), s.derivatives.end(), is_in)) names.push_back(s.name);
    }
    if (is_in(model_.time) || (names.empty() && drifts)) names.push_back("t");
    return names;
  }

  // ---- Powers at the start

  void add_powers() {
    if (!state_) {
      ledger_.remark.kind = LedgerRemark::values_missing;
      return;
    }
    const SolvedMotion solved = MotionSolver(equations_)(*state_);
    const bool is_determined =
        solved.is_consistent &&
        std::all_of(solved.is_rate_determined.begin(), solved.is_rate_determined.end(),
                    [](bool b) { return b; });
    if (!is_determined) {
      ledger_.remark.kind = LedgerRemark::accelerations_open;
      return;
    }
    const StartState state = add_solution(equations_, *state_, solved);
    const Reactions forces = ReactionSolver(equations_)(*state_, solved);
    const double through = set_load_powers(forces.powers, state);
    const double prescribed = prescribed_power(state, solved) - through;
    if (!std::isfinite(prescribed)) {
      ledger_.remark = {.kind = LedgerRemark::no_value_at_start,
                        .message = "the power of what is prescribed is not finite at the start"};
      return;
    }
    set_motor_powers(forces.motors, prescribed);
    ledger_.total = load_sum_ + prescribed;
    ledger_.kinetic_energy_rate = value_without_noise(power_of_inertia(false), state);
    for (LedgerEntry& e : ledger_.entries) {
      if (e.effect == EnergyEffect::none) e.power = 0.0;
    }
    clean();
    add_other_energies(state);
  }

  // Energies that are no mechanical ones, with their rates; they are not in the sum.
  void add_other_energies(const StartState& state) {
    std::vector<std::pair<Expr, Expr>> rates = collect_rates(motion_);
    for (const Speed& s : motion_.speeds()) rates.emplace_back(s.u, s.rate);
    for (const OtherEnergyData& e : model_.other_energies) {
      const Expr W = motion_.resolve(Quantity(e.value, Dimension())).expr(pool_);
      const double power = value_without_noise(Tangent(pool_, rates)(W), state);
      ledger_.entries.push_back({e.name, "energy beside", EnergyEffect::stores, {}, power});
    }
  }

  // Sets the powers of loads. Returns F · v_0 of all together, as F · v less sum_r F_r u_r.
  double set_load_powers(const std::vector<LoadPower>& powers, const StartState& state) {
    double through = 0;
    std::vector<Expr> formulas;
    for (const LoadEnergy& load : loads_) formulas.push_back(load.power);
    const std::vector<double> noise = noise_of(formulas, state);
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      if (loads_[i].power.is_zero()) {  // whatever unknown forces it holds
        ledger_.entries[i].power = 0.0;
        continue;
      }
      const bool is_noise = std::abs(powers[i].power) <= noise[i];
      const double power = is_noise ? 0.0 : powers[i].power;
      through += powers[i].power - powers[i].through_speeds;
      load_sum_ += power;
      if (std::isfinite(power)) ledger_.entries[i].power = power;
    }
    return through;
  }

  // What rounding of the state's numbers may do to the values of expressions.
  static std::vector<double> noise_of(const std::vector<Expr>& exprs, const StartState& state) {
    const std::vector<Expr> symbols = free_symbols(exprs);
    std::vector<double> noise = bound_value_noise(exprs, symbols, state.values_of(symbols));
    for (double& x : noise) x *= value_tolerance;
    return noise;
  }
  static double value_without_noise(const Expr& e, const StartState& state) {
    const double value = state.value(e);
    return std::abs(value) <= noise_of({e}, state)[0] ? 0.0 : value;
  }

  // sum_B m a · v + dH/dt · w, or with the remainders of the velocities.
  Expr power_of_inertia(bool of_remainder) {
    TotalMotion whole(motion_);
    const auto remainder = [&](const VectorMotion& v) {
      return Vector(model_, {{v.frame, v.remainder}}, Dimension()).in(Frame(model_, 0));
    };
    Expr sum = pool_.zero();
    for (const BodyData& body : model_.bodies) {
      const Column3 v = of_remainder ? remainder(engine_of(motion_).velocity(body.point))
                                     : whole.velocity(body.point);
      sum += body.mass * dot(whole.acceleration(body.point), v);
      if (body.frame < 0) continue;
      const Column3 w = engine_of(motion_).spin(body.frame);
      const Column3 rate = body.inertia * whole.angular_acceleration_in_frame(body.frame) +
                           cross(w, body.inertia * w);
      const Column3 rate_N = Vector(model_, {{body.frame, rate}}, Dimension()).in(Frame(model_, 0));
      sum += dot(rate_N, of_remainder ? remainder(engine_of(motion_).angular_velocity(body.frame))
                                      : whole.angular_velocity(body.frame));
    }
    return sum;
  }

  // The power (3) without its loads.
  double prescribed_power(const StartState& state, const SolvedMotion& solved) {
    double power = value_without_noise(power_of_inertia(true), state);
    for (std::size_t i = 0; i < equations_.rows.size(); ++i)
      power -= solved.multipliers[i] * state.value(equations_.rows[i].velocity.remainder);
    return power;
  }

  // What the motors leave of the prescribed power is that of t.
  void set_motor_powers(const std::vector<Motor>& motors, double prescribed) {
    bool all_known = true;
    double rest = prescribed;
    for (const Motor& m : motors) {
      all_known = all_known && m.is_determined;
      rest -= m.power;
      if (m.is_determined) set_power(m.name, "motor", m.power);
    }
    // Motors that move nothing but where loads act are known by what is left.
    std::vector<std::string> others;
    for (const std::string& name : motors_) {
      const bool is_known =
          std::any_of(motors.begin(), motors.end(), [&](const Motor& m) { return m.name == name; });
      if (!is_known) others.push_back(name);
    }
    const std::size_t open = others.size() + (is_moved_by_time_ ? 1 : 0);
    if (all_known && others.empty())
      set_power("t", "time", rest);
    else if (all_known && open == 1)
      set_power(others[0], "motor", rest);
    else
      ledger_.remark = {.kind = LedgerRemark::shares_open, .power = prescribed};
  }

  void set_power(const std::string& name, const std::string& kind, double power) {
    for (LedgerEntry& e : ledger_.entries) {
      if (e.source == name && e.kind == kind) e.power = power;
    }
  }

  // Differences of large numbers leave rounding behind.
  void clean() {
    double size = 0;
    for (const LedgerEntry& e : ledger_.entries) size += std::abs(e.power.value_or(0.0));
    const auto round = [size](std::optional<double>* x) {
      if (*x && std::abs(**x) <= rounding_tolerance * size) *x = 0.0;
    };
    for (LedgerEntry& e : ledger_.entries) round(&e.power);
    for (std::optional<double>* x : {&ledger_.total, &ledger_.kinetic_energy_rate}) {
      round(x);
      if (*x && !std::isfinite(**x)) x->reset();
    }
  }

  const Equations& equations_;
  const Kinematics& motion_;
  const ModelData& model_;
  const Workspace work_;
  ExprPool& pool_;
  const std::vector<LoadEnergy>& loads_;
  const ConsistentStart& start_;
  std::optional<StartState> state_;  // nothing when values are missing
  std::vector<Expr> speeds_;
  Replacements dependent_;  // speeds by the independent ones
  std::vector<Load> all_loads_;
  std::vector<std::string> motors_;
  bool is_moved_by_time_ = false;
  double load_sum_ = 0;
  Ledger ledger_;
};

}  // namespace

Ledger make_ledger(const Equations& equations, const std::vector<LoadEnergy>& loads,
                   const ConsistentStart& start, const EmbeddedEquations* embedded) {
  return LedgerMaker(equations, loads, start, embedded).make();
}

}  // namespace visviva
