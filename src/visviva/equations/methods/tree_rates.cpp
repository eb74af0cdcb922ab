#include "visviva/equations/methods/tree_rates.h"

#include <algorithm>
#include <array>
#include <map>

#include "visviva/base/sequence.h"
#include "visviva/equations/methods/moving_trees.h"
#include "visviva/equations/methods/quadratic_form.h"
#include "visviva/kinematics/motion_engine.h"

namespace visviva {
namespace {

// A form of more neighbours than this is no recursion any more: a body has six degrees of freedom, a few such meet.
constexpr std::size_t widest_front = 40;

using Terms =
    std::vector<std::pair<int, Expr>>;  // of a linear function: variables and coefficients

class Recursion {
 public:
  explicit Recursion(const Kinematics& motion)
      : motion_(motion),
        model_(motion.model()),
        engine_(engine_of(motion)),
        pool_(*model_.pool),
        trees_(motion),
        form_(pool_),
        speed_count_(to_int(motion.speeds().size())),
        spins_(model_.frames.size()),
        accelerations_(model_.points.size()) {
    for (int r = 0; r < speed_count_; ++r) form_.add_variable(true);
    variable_count_ = speed_count_;
    find_child_frames();
    add_forces();
    add_inertias();
    count_users();
  }

  std::optional<TreeRates> solve() {
    while (const std::optional<int> next = choose_place()) {
      put_definition(*next);
      for (int r = 0; r < speed_count_; ++r) {
        if (users_of_speed_[r] != 0 || is_eliminated_[r]) continue;
        if (!eliminate(r)) return {};
      }
    }
    for (int r = 0; r < speed_count_; ++r)
      if (!is_eliminated_[r]) return {};  // it moves nothing
    return go_back();
  }

 private:
  // A vector of the form, three variables, and what it is by (2).
  struct Place {
    int first;                        // variable
    std::array<Terms, 3> definition;  // by places made before it, and speeds
    std::pair<int, int> turn;         // frames: it is the same vector in another one; or -1
    std::vector<int> parents;         // places in the definition
    std::vector<int> speeds;          // in the definition
    int users = 0;                    // places that are defined by this one, and not yet replaced
    bool is_turned() const { return turn.second >= 0; }
  };

  // ---- Places

  // Terms that cannot be anything but zero are left out; so is what they would couple.
  void add_term(Terms* terms, int variable, const Expr& factor) const {
    if (!factor.is_zero() && form_.moves(variable)) terms->emplace_back(variable, factor);
  }

  int finish(std::array<Terms, 3> definition, std::vector<int> parents,
             std::pair<int, int> turn = {-1, -1}) {
    Place place{variable_count_, std::move(definition), turn, std::move(parents), {}};
    for (const Terms& terms : place.definition) {
      form_.add_variable(!terms.empty());
      ++variable_count_;
      for (const auto& [x, factor] : terms)
        if (x < speed_count_ && std::count(place.speeds.begin(), place.speeds.end(), x) == 0)
          place.speeds.push_back(x);
    }
    if (place.is_turned()) alike_[turn].push_back(to_int(places_.size()));
    places_.push_back(std::move(place));
    return to_int(places_.size()) - 1;
  }

  // A place's vector in a frame; its own columns are in `home`.
  int turned(int place, int home, int frame) {
    if (place < 0) return place;
    for (const int stop : find_stops(home, frame)) {
      place = turned_once(place, home, stop);
      home = stop;
    }
    return place;
  }

  int turned_once(int place, int home, int frame) {
    const auto [found, is_new] = turned_.try_emplace({place, frame}, place);
    if (!is_new) return found->second;
    const Matrix3 R = trees_.rotation(frame, home);
    if (R == identity_matrix(pool_)) return place;
    std::array<Terms, 3> definition;
    for (std::size_t i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) add_term(&definition[i], places_[place].first + j, R[i][j]);
    return turned_[{place, frame}] = finish(std::move(definition), {place}, {home, frame});
  }

  // The frames in which a vector stops on its way out, the last one with them: turns about one coordinate axis cost least
  // one by one, others all together.
  std::vector<int> find_stops(int home, int frame) const {
    std::vector<int> way;
    for (int F = frame; F != home; F = model_.frames[F].parent) {
      if (F <= 0) return {frame};  // it is not on its way out
      way.push_back(F);
    }
    std::vector<int> stops;
    int from = home;
    for (std::size_t i = way.size(); i-- > 0;) {
      const int to = way[i];
      if (i > 0 && turns_at_once(from, to, way[i - 1])) continue;
      stops.push_back(to);
      from = to;
    }
    return stops;
  }

  bool turns_at_once(int A, int B, int C) const {
    return find_axis_turn(trees_.rotation(C, A)) || is_dense(trees_.rotation(B, A)) ||
           is_dense(trees_.rotation(C, B));
  }

  static bool is_dense(const Matrix3& R) { return !is_signed_permutation(R) && !find_axis_turn(R); }

  // The place of a point of a plane mechanism, turned at once.
  int turned_definition(int place, int home, int frame) {
    if (place < 0 || home == frame) return place;
    const auto [found, is_new] = turned_.try_emplace({place, frame}, 0);
    if (is_new) turned_[{place, frame}] = turn_definition(place, trees_.rotation(frame, home));
    return turned_[{place, frame}];
  }

  // The place's own definition, turned: D of a joint does not wait until what hangs on it has been turned. Each plane link
  // is some ten cycles less to wait for.
  int turn_definition(int place, const Matrix3& R) {
    std::array<std::map<int, Expr>, 3> sums;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (const auto& [x, factor] : places_[place].definition[j]) {
          const auto [at, is_new] = sums[i].try_emplace(x, R[i][j] * factor);
          if (!is_new) at->second += R[i][j] * factor;
        }
    std::array<Terms, 3> definition;
    for (std::size_t i = 0; i < 3; ++i)
      for (const auto& [x, factor] : sums[i]) add_term(&definition[i], x, factor);
    return finish(std::move(definition), places_[place].parents);
  }

  // Whether all that hangs on a point of a plane mechanism is carried in one other frame.
  bool carries_one_frame(int Q) const { return child_frames_[Q] >= 0; }

  void find_child_frames() {
    child_frames_.assign(model_.points.size(), -1);
    if (!trees_.is_plane()) return;
    std::vector<bool> has_several(model_.points.size());
    for (std::size_t Q = 0; Q < model_.points.size(); ++Q) {
      const int O = model_.points[Q].parent, frame = trees_.work_frame(to_int(Q));
      if (O < 0) continue;
      has_several[O] = has_several[O] || (child_frames_[O] >= 0 && child_frames_[O] != frame);
      child_frames_[O] = frame;
    }
    for (std::size_t Q = 0; Q < has_several.size(); ++Q)
      if (has_several[Q] || child_frames_[Q] == trees_.work_frame(to_int(Q))) child_frames_[Q] = -1;
  }

  void add_place(std::array<Terms, 3>* definition, std::vector<int>* parents, int place) {
    if (place < 0) return;
    for (int i = 0; i < 3; ++i) add_term(&(*definition)[i], places_[place].first + i, pool_.one());
    parents->push_back(place);
  }

  void add_speed(std::array<Terms, 3>* definition, int r, const Column3& column) const {
    for (std::size_t i = 0; i < 3; ++i) add_term(&(*definition)[i], r, column[i]);
  }

  // The nearest frame on the way to the ground whose spin gains from a speed.
  int find_spinning(int frame) const {
    while (frame > 0 && engine_.local_spin(frame).coefficients.empty())
      frame = model_.frames[frame].parent;
    return frame;
  }

  // e_F, columns in F; none for the ground.
  int spin_place(int F) {
    if (F == 0) return -1;
    if (spins_[F]) return *spins_[F];
    const VectorMotion& local = engine_.local_spin(F);
    const int P = find_spinning(local.coefficients.empty() ? F : model_.frames[F].parent);
    const int carried = turned(spin_place(P), P, F);
    if (local.coefficients.empty()) {
      spins_[F] = carried;
      return carried;
    }
    std::array<Terms, 3> definition;
    std::vector<int> parents;
    add_place(&definition, &parents, carried);
    for (const auto& [r, column] : local.coefficients)
      add_speed(&definition, r, trees_.turn(F, local.frame, column));
    spins_[F] = finish(std::move(definition), std::move(parents));
    return *spins_[F];
  }

  // d_Q, columns in the work frame of Q; none for the origin.
  int acceleration_place(int Q) {
    const PointData& point = model_.points[Q];
    if (point.parent < 0) return -1;
    if (accelerations_[Q]) return *accelerations_[Q];
    const int frame = trees_.work_frame(Q), O = point.parent;
    std::array<Terms, 3> definition;
    std::vector<int> parents;
    const int carrier = acceleration_place(O), home = trees_.work_frame(O);
    add_place(&definition, &parents,
              carries_one_frame(O) ? turned_definition(carrier, home, frame)
                                   : turned(carrier, home, frame));
    for (const Vector::Part& part : point.offset.parts()) {
      const Column3& c = part.column;
      if (const int spin = spin_place(part.frame); spin >= 0) {
        Matrix3 arm = cross_matrix(-c);  // e x c
        if (part.frame != frame) arm = trees_.rotation(frame, part.frame) * arm;
        for (std::size_t i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) add_term(&definition[i], places_[spin].first + j, arm[i][j]);
        parents.push_back(spin);
      }
      const VectorMotion rate =
          stack({engine_.rate_of(c[0]), engine_.rate_of(c[1]), engine_.rate_of(c[2])}, part.frame);
      for (const auto& [r, column] : rate.coefficients)
        add_speed(&definition, r, trees_.turn(frame, part.frame, column));
    }
    accelerations_[Q] = finish(std::move(definition), std::move(parents));
    return *accelerations_[Q];
  }

  // ---- The form (1)

  void add_inertias() {
    const std::vector<MovingTrees::InertiaForce> forces = trees_.collect_inertia_forces();
    for (std::size_t k = 0; k < forces.size(); ++k) add_inertia(trees_.groups()[k], forces[k]);
  }

  void add_inertia(const RigidGroup& group, const MovingTrees::InertiaForce& load) {
    const int spin = group.frame >= 0 ? spin_place(group.frame) : -1;
    add_wrench(spin, load.torque);
    if (spin >= 0)
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
          form_.add(places_[spin].first + i, places_[spin].first + j, group.J[i][j]);
    if (group.mass.is_zero() && is_zero(group.h)) return;
    const int home = trees_.work_frame(group.point);
    const int at =
        turned(acceleration_place(group.point), home, group.frame >= 0 ? group.frame : home);
    if (at < 0) return;
    add_wrench(at, load.force);
    for (int i = 0; i < 3; ++i) form_.add(places_[at].first + i, places_[at].first + i, group.mass);
    if (spin < 0) return;
    const Matrix3 arm = cross_matrix(-group.h);  // d·(e x h)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        form_.add(places_[at].first + i, places_[spin].first + j, arm[i][j]);
  }

  void add_forces() {
    std::vector<Expr> generalized(speed_count_, pool_.zero());
    const Wrenches wrenches = trees_.collect_loads_alone(&generalized);
    for (int r = 0; r < speed_count_; ++r) form_.add_linear(r, generalized[r]);
    for (std::size_t Q = 0; Q < wrenches.forces.size(); ++Q)
      if (wrenches.forces[Q]) add_wrench(acceleration_place(to_int(Q)), *wrenches.forces[Q]);
    for (std::size_t F = 1; F < wrenches.torques.size(); ++F)
      if (wrenches.torques[F]) add_wrench(spin_place(to_int(F)), *wrenches.torques[F]);
  }

  void add_wrench(int place, const Column3& load) {
    if (place < 0) return;
    for (int i = 0; i < 3; ++i) form_.add_linear(places_[place].first + i, load[i]);
  }

  // ---- From the leaves to the roots

  void count_users() {
    users_of_speed_.assign(speed_count_, 0);
    is_eliminated_.assign(speed_count_, false);
    for (const Place& place : places_) {
      for (const int p : place.parents) ++places_[p].users;
      for (const int r : place.speeds) ++users_of_speed_[r];
    }
    for (int i = 0; i < to_int(places_.size()); ++i)
      if (places_[i].users == 0) free_.push_back(i);
  }

  // It is in no term of the form any more: a pin has taken it out.
  bool is_uncoupled(const Place& place) const {
    for (int i = 0; i < 3; ++i)
      if (!form_.row(place.first + i).empty()) return false;
    return true;
  }

  // Of the places that nothing hangs on: one that costs nothing or sets a speed free, then one with a gain of its own, then
  // one that is only turned, last one that may wait for another to be turned with it. A rate that is eliminated early is not
  // carried along.
  std::optional<int> choose_place() {
    if (free_.empty()) return {};
    const auto rank = [&](int i) {
      const Place& place = places_[i];
      if (is_uncoupled(place)) return 0;
      for (const int r : place.speeds)
        if (users_of_speed_[r] == 1) return 0;
      if (!place.is_turned()) return 1;
      const std::vector<int>& alike = alike_.at(place.turn);
      const bool waits = std::any_of(alike.begin(), alike.end(),
                                     [&](int other) { return places_[other].users > 0; });
      return waits ? 3 : 2;
    };
    auto best = free_.begin();
    for (auto i = free_.begin(); i != free_.end(); ++i) {
      const int a = rank(*i), b = rank(*best);
      if (a < b || (a == b && *i > *best)) best = i;
    }
    const int chosen = *best;
    free_.erase(best);
    return chosen;
  }

  // (2) in (1).
  void put_definition(int index) {
    std::vector<int> replaced = {index};
    const Place& place = places_[index];
    if (const auto turn = find_turn(place)) {
      std::vector<std::pair<int, int>> vectors;
      for (const int other : alike_.at(place.turn))
        if (std::erase(free_, other) > 0) replaced.push_back(other);
      for (const int i : replaced)
        vectors.emplace_back(places_[i].first, places_[places_[i].parents.front()].first);
      form_.turn(vectors, *turn);
    } else {
      std::map<int, Column3> columns;
      for (std::size_t i = 0; i < 3; ++i)
        for (const auto& [x, factor] : place.definition[i])
          columns.try_emplace(x, zero_column(pool_)).first->second[i] += factor;
      form_.replace(place.first, columns);
    }
    for (const int i : replaced) {
      for (const int r : places_[i].speeds) --users_of_speed_[r];
      for (const int p : places_[i].parents)
        if (--places_[p].users == 0) free_.push_back(p);
      steps_.push_back({false, i});
    }
  }

  std::optional<AxisTurn> find_turn(const Place& place) const {
    if (!place.is_turned()) return {};
    return find_axis_turn(trees_.rotation(place.turn.second, place.turn.first));
  }

  // (3)
  bool eliminate(int r) {
    const Expr D = form_.entry(r, r);
    if (D.is_zero() || form_.row(r).size() > widest_front) return false;
    Elimination e{r, D, form_.linear(r), 1.0 / D, {}};
    std::vector<std::pair<int, Expr>> others;
    for (const auto& [x, h] : form_.row(r)) {
      if (x == r) continue;
      others.emplace_back(x, h);
      e.factors.emplace_back(x, h * e.inverse);
    }
    form_.remove(r);
    for (std::size_t a = 0; a < others.size(); ++a) {
      for (std::size_t b = a; b < others.size(); ++b)
        form_.add(others[a].first, others[b].first, -(e.factors[a].second * others[b].second));
      form_.add_linear(others[a].first, -(e.factors[a].second * e.load));
    }
    is_eliminated_[r] = true;
    steps_.push_back({true, to_int(eliminations_.size())});
    eliminations_.push_back(std::move(e));
    return true;
  }

  // ---- From the roots to the leaves

  TreeRates go_back() {
    std::vector<Expr> values(variable_count_, pool_.zero());
    TreeRates result{std::vector<Expr>(speed_count_), std::vector<Expr>(speed_count_),
                     trees_.bound_inertias()};
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      if (step->is_elimination) {  // (4)
        const Elimination& e = eliminations_[step->index];
        Expr rate = e.load * e.inverse;
        for (const auto& [x, l] : e.factors) rate -= l * values[x];
        values[e.speed] = result.rates[e.speed] = rate;
        result.pivots[e.speed] = e.pivot;
        continue;
      }
      const Place& place = places_[step->index];  // (2)
      for (std::size_t i = 0; i < 3; ++i) {
        Expr sum = pool_.zero();
        for (const auto& [x, factor] : place.definition[i]) sum += factor * values[x];
        values[place.first + to_int(i)] = sum;
      }
    }
    return result;
  }

  struct Elimination {
    int speed;
    Expr pivot, load, inverse;
    Terms factors;  // l_x
  };
  struct Step {
    bool is_elimination;
    int index;  // of the elimination or the place
  };

  const Kinematics& motion_;
  const ModelData& model_;
  MotionEngine& engine_;
  ExprPool& pool_;
  MovingTrees trees_;
  QuadraticForm form_;
  int speed_count_;
  int variable_count_ = 0;
  std::vector<Place> places_;
  std::vector<std::optional<int>> spins_, accelerations_;
  std::vector<int> child_frames_;              // of points that turn at once
  std::map<std::pair<int, int>, int> turned_;  // place and frame -> place
  std::map<std::pair<int, int>, std::vector<int>>
      alike_;  // places that are turned alike, by frames
  std::vector<int> users_of_speed_;
  std::vector<bool> is_eliminated_;
  std::vector<int> free_;  // places that nothing hangs on any more
  std::vector<Elimination> eliminations_;
  std::vector<Step> steps_;
};

}  // namespace

std::optional<TreeRates> solve_along_trees(const Kinematics& motion) {
  if (motion.speeds().empty()) return {};
  return Recursion(motion).solve();
}

}  // namespace visviva
