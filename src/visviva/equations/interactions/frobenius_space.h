// ConfigurationSpace: the manifold that constraints live on, time included, with a frame of vector fields for it.
//
// E_a are the fields, pi_a the forms dual to them: d/dx and dx of every coordinate and every angle of a simple spin; three
// turns about the axes of a frame given by a quaternion or by a general spin; d/dt and dt, the last. All commute but the turns
// about the axes of one frame:
//   [E_x, E_y] = E_z,  and cyclic                                                              (1)
//   e' = 1/2 e (0, w):   E_k f = sum_s df/de_s 1/2 (e (0, k))_s                                (2)
// The norm of Euler parameters is no constraint: (2) keeps it. A specified function or an input is a function of time:
//   E_t f = df/dt + sum df/dx x' + df/dx' x'' + ...                                            (3)
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "visviva/kinematics/kinematics.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

/// A form of degree one by its values on the fields of a ConfigurationSpace.
using OneForm = std::vector<Expr>;

/// A direction of the frame.
struct SpaceDirection {
  enum class Kind { coordinate, angle, turn, quasi_coordinate, time };
  Kind kind;
  std::string name;      ///< "x", "angle of B", "turn B.z", "t"
  Expr symbol;           ///< of a coordinate, an angle or time
  int orientation = -1;  ///< of a turn: which orientation, and about which axis
  int axis = -1;
};

class ConfigurationSpace {
 public:
  /// The space of a motion; builds in the workspace of this thread.
  explicit ConfigurationSpace(const Kinematics& motion);

  std::size_t size() const { return directions_.size(); }
  std::size_t time() const { return directions_.size() - 1; }  ///< the place of dt
  const std::vector<SpaceDirection>& directions() const { return directions_; }

  /// sum_r a_r u_r + b as a form: the speeds by rates of the configuration.
  OneForm make_form(const ScalarMotion& row) const;
  /// Forms that vanish because a frame spins with fewer speeds than it has directions.
  const std::vector<OneForm>& implied_forms() const { return implied_; }

  /// E_a f for every direction, (2) and (3).
  std::vector<Expr> slopes(const Expr& f);
  /// d omega (E_a, E_b), a < b, as rows of an upper triangle.
  std::vector<std::vector<Expr>> exterior_derivative(const OneForm& form);

  ExprPool* pool() const { return &pool_; }  ///< where forms are built

  /// Directions along which a form has an entry or its entries change; time always.
  std::set<std::size_t> touched(const OneForm& form) const;
  /// True when `f` mentions an orientation given by Euler parameters.
  bool depends_on_turns(const Expr& f) const;
  /// True when an entry along a turn is not zero, or an entry depends on one.
  bool has_turns(const OneForm& form) const;
  /// The rate of a function of time, by symbol; nothing for a symbol that does not change by itself.
  std::optional<Expr> rate_of_time_symbol(const Expr& symbol);
  /// Specified functions with a definition, and their rates, as functions of t.
  Replacements definitions();

 private:
  struct Orientation {
    std::array<Expr, 4> e;
    std::size_t first = 0;  // direction of its turn about x
  };
  // sum_r speeds_r u_r + form = 0
  struct Relation {
    std::vector<Expr> speeds;
    OneForm form;
  };

  void add_directions();
  void add_orientation(const std::array<Expr, 4>& e, const std::string& frame);
  std::vector<Relation> relate_speeds();
  Relation empty_relation() const;
  Relation relate_definition(std::size_t r, const Expr& definition);
  void add_rate(const Expr& rate_symbol, const Expr& factor, OneForm* form) const;
  void relate_spins(std::vector<Relation>* relations);
  void solve(std::vector<Relation> relations);
  void express_free_speeds(std::vector<Relation>* relations, std::vector<bool>* used);
  static void eliminate(const Relation& pivot, std::size_t r, Relation* relation);
  int find_quaternion_frame(std::size_t group) const;

  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  std::vector<SpaceDirection> directions_;
  std::vector<Orientation> orientations_;  // of quaternions, then of spins
  std::vector<std::size_t> direction_of_coordinate_;
  std::map<int, std::size_t> direction_of_spin_;  // frame -> angle, or first turn
  std::vector<OneForm> speeds_;                   // each speed as a form
  std::vector<OneForm> implied_;
  std::map<std::string, Expr> extra_rates_;  // of inputs and third rates, by name
};

/// Half of e (0, k) for the axes k = x, y, z: the columns of (2).
std::array<std::array<Expr, 3>, 4> turn_rates(const std::array<Expr, 4>& e);

}  // namespace visviva
