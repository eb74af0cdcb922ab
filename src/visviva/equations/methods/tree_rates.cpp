#include "visviva/equations/methods/tree_rates.h"

#include <algorithm>
#include <array>
#include <map>

#include "visviva/base/sequence.h"
#include "visviva/equations/methods/moving_trees.h"
#include "visviva/kinematics/motion_engine.h"

namespace visviva {
namespace {

// A form of more neighbours than this is no recursion any more: a body has six degrees of freedom, a few such meet.
constexpr std::size_t widest_front = 40;

using Terms =
    std::vector<std::pair<int, Expr>>;  // of a linear function: variables and coefficients

// The form (1) in its variables.
class QuadraticForm {
 public:
  explicit QuadraticForm(ExprPool& pool) : pool_(pool) {}

  int add_variable() {
    rows_.emplace_back();
    linear_.push_back(pool_.zero());
    return to_int(rows_.size()) - 1;
  }

  Expr entry(int x, int y) const {
    const auto found = rows_[x].find(y);
    return found == rows_[x].end() ? pool_.zero() : found->second;
  }
  const Expr& linear(int x) const { return linear_[x]; }
  const std::map<int, Expr>& row(int x) const { return rows_[x]; }

  // H_xy, and H_yx with it.
  void add(int x, int y, const Expr& value) {
    if (value.is_zero()) return;
    add_to(x, y, value);
    if (x != y) add_to(y, x, value);
  }
  void add_linear(int x, const Expr& value) { linear_[x] += value; }

  void remove(int x) {
    for (const auto& [y, value] : rows_[x])
      if (y != x) rows_[y].erase(x);
    rows_[x].clear();
  }

 private:
  void add_to(int x, int y, const Expr& value) {
    const auto [place, is_new] = rows_[x].try_emplace(y, value);
    if (is_new) return;
    place->second += value;
    if (place->second.is_zero()) rows_[x].erase(place);
  }

  ExprPool& pool_;
  std::vector<std::map<int, Expr>> rows_;
  std::vector<Expr> linear_;
};

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
    for (int r = 0; r < speed_count_; ++r) {
      form_.add_variable();
      moves_.push_back(true);
    }
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
    bool is_turned;                   // the same vector in another frame
    std::vector<int> parents;         // places in the definition
    std::vector<int> speeds;          // in the definition
    int users = 0;                    // places that are defined by this one, and not yet replaced
  };

  // ---- Places

  bool moves(int variable) const { return moves_[variable]; }

  // Terms that cannot be anything but zero are left out; so is what they would couple.
  void add_term(Terms* terms, int variable, const Expr& factor) const {
    if (!factor.is_zero() && moves(variable)) terms->emplace_back(variable, factor);
  }

  int finish(std::array<Terms, 3> definition, bool is_turned, std::vector<int> parents) {
    Place place{to_int(moves_.size()), std::move(definition), is_turned, std::move(parents), {}};
    for (const Terms& terms : place.definition) {
      form_.add_variable();
      moves_.push_back(!terms.empty());
      for (const auto& [x, factor] : terms)
        if (x < speed_count_ && std::count(place.speeds.begin(), place.speeds.end(), x) == 0)
          place.speeds.push_back(x);
    }
    places_.push_back(std::move(place));
    return to_int(places_.size()) - 1;
  }

  // A place's vector in a frame; its own columns are in `home`.
  int turned(int place, int home, int frame, bool at_once = false) {
    if (place < 0 || home == frame) return place;
    const auto [found, is_new] = turned_.try_emplace({place, frame}, 0);
    if (!is_new) return found->second;
    const Matrix3 R = trees_.rotation(frame, home);
    if (at_once) return turned_[{place, frame}] = turn_definition(place, R);
    std::array<Terms, 3> definition;
    for (std::size_t i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) add_term(&definition[i], places_[place].first + j, R[i][j]);
    return turned_[{place, frame}] = finish(std::move(definition), true, {place});
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
    return finish(std::move(definition), false, places_[place].parents);
  }

  // Whether all that hangs on a point of a plane mechanism is carried in one other frame.
  bool turns_at_once(int Q) const { return child_frames_[Q] >= 0; }

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

  // e_F, columns in F; none for the ground.
  int spin_place(int F) {
    if (F == 0) return -1;
    if (spins_[F]) return *spins_[F];
    std::array<Terms, 3> definition;
    std::vector<int> parents;
    const int P = model_.frames[F].parent;
    add_place(&definition, &parents, turned(spin_place(P), P, F));
    const VectorMotion& local = engine_.local_spin(F);
    for (const auto& [r, column] : local.coefficients)
      add_speed(&definition, r, trees_.turn(F, local.frame, column));
    spins_[F] = finish(std::move(definition), false, std::move(parents));
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
    add_place(&definition, &parents,
              turned(acceleration_place(O), trees_.work_frame(O), frame, turns_at_once(O)));
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
    accelerations_[Q] = finish(std::move(definition), false, std::move(parents));
    return *accelerations_[Q];
  }

  // ---- The form (1)

  void add_inertias() {
    for (const RigidGroup& group : trees_.groups()) {
      const int at = acceleration_place(group.point);
      if (at >= 0)
        for (int i = 0; i < 3; ++i)
          add_entry(places_[at].first + i, places_[at].first + i, group.mass);
      const int spin = group.frame >= 0 ? spin_place(group.frame) : -1;
      if (spin < 0) continue;
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
          add_entry(places_[spin].first + i, places_[spin].first + j, group.J[i][j]);
      if (at < 0 || is_zero(group.h)) continue;
      Matrix3 arm = cross_matrix(-group.h);  // d·(e x h)
      if (const int to = trees_.work_frame(group.point); to != group.frame)
        arm = trees_.rotation(to, group.frame) * arm;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          add_entry(places_[at].first + i, places_[spin].first + j, arm[i][j]);
    }
  }

  void add_entry(int x, int y, const Expr& value) {
    if (moves(x) && moves(y)) form_.add(x, y, value);
  }

  void add_forces() {
    std::vector<Expr> generalized(speed_count_, pool_.zero());
    const Wrenches wrenches = trees_.collect_wrenches(&generalized);
    for (int r = 0; r < speed_count_; ++r) form_.add_linear(r, generalized[r]);
    for (std::size_t Q = 0; Q < wrenches.forces.size(); ++Q)
      if (wrenches.forces[Q]) add_wrench(acceleration_place(to_int(Q)), *wrenches.forces[Q]);
    for (std::size_t F = 1; F < wrenches.torques.size(); ++F)
      if (wrenches.torques[F]) add_wrench(spin_place(to_int(F)), *wrenches.torques[F]);
  }

  void add_wrench(int place, const Column3& load) {
    if (place < 0) return;
    for (int i = 0; i < 3; ++i)
      if (moves(places_[place].first + i)) form_.add_linear(places_[place].first + i, load[i]);
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
  // one that is only turned. A rate that is eliminated early is not carried along.
  std::optional<int> choose_place() {
    if (free_.empty()) return {};
    const auto rank = [&](int i) {
      const Place& place = places_[i];
      if (is_uncoupled(place)) return 0;
      for (const int r : place.speeds)
        if (users_of_speed_[r] == 1) return 0;
      return place.is_turned ? 2 : 1;
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

  // (2) in (1): with v = T x, H_xx += T' H_vv T, H_xy += T' H_vy, w_x += T' w_v.
  void put_definition(int index) {
    Place& place = places_[index];
    const int v = place.first;
    std::map<int, std::array<Expr, 3>> inner;  // H_vv T
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Expr h = form_.entry(v + i, v + j);
        if (h.is_zero()) continue;
        for (const auto& [x, factor] : place.definition[j]) {
          auto& column = inner.try_emplace(x, zero_column(pool_)).first->second;
          column[i] += h * factor;
        }
      }
    std::map<int, std::map<int, Expr>> gains;
    const auto gain = [&](int x, int y, const Expr& value) {
      const auto [at, is_new] = gains[x].try_emplace(y, value);
      if (!is_new) at->second += value;
    };
    for (std::size_t i = 0; i < 3; ++i)
      for (const auto& [x, factor] : place.definition[i])
        for (const auto& [y, column] : inner)
          if (x <= y) gain(x, y, factor * column[i]);
    for (int i = 0; i < 3; ++i)
      for (const auto& [y, h] : form_.row(v + i)) {
        if (v <= y && y < v + 3) continue;
        for (const auto& [x, factor] : place.definition[i]) {
          const Expr value = factor * h;
          gain(std::min(x, y), std::max(x, y), x == y ? value + value : value);
        }
      }
    for (std::size_t i = 0; i < 3; ++i)
      for (const auto& [x, factor] : place.definition[i])
        form_.add_linear(x, factor * form_.linear(v + to_int(i)));
    for (int i = 0; i < 3; ++i) form_.remove(v + i);
    for (const auto& [x, row] : gains)
      for (const auto& [y, value] : row) form_.add(x, y, value);

    for (const int r : place.speeds) --users_of_speed_[r];
    for (const int p : place.parents)
      if (--places_[p].users == 0) free_.push_back(p);
    steps_.push_back({false, index});
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
    std::vector<Expr> values(moves_.size(), pool_.zero());
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
  std::vector<bool> moves_;  // of each variable: it is not zero for all rates
  std::vector<Place> places_;
  std::vector<std::optional<int>> spins_, accelerations_;
  std::vector<int> child_frames_;              // of points that turn at once
  std::map<std::pair<int, int>, int> turned_;  // place and frame -> place
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
