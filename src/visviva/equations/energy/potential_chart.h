// PotentialChart: the variables in which a potential is integrated, and the slopes by them that generalized forces ask for.
//
// F_r are forces on speeds, u_r = sum_s D_rs x_s' the speeds by rates of the configuration. A plain coordinate is its own variable,
// and so is the angle of a spin frame; the four Euler parameters e of an orientation, |e| = 1, become any four numbers a != 0:
//   e = a/|a|,   -dU/da_j = sum_r F_r sum_s D_rs de_s/da_j                                      (1)
// so that U(a) has degree zero, and U(e) is it on the sphere: no orientation divides by zero. Speeds that are no declared
// combination of rates, such as body-axis angular velocities, move the parameters by e' = Y u with
//   Y^T Y = 1/4 I   hence   D = 4 Y^T                                                          (2)
#pragma once

#include <array>
#include <string>
#include <vector>

#include "visviva/base/result.h"
#include "visviva/equations/energy/reason.h"
#include "visviva/kinematics/kinematics.h"
#include "visviva/symbolic/calculus/substitute.h"

namespace visviva {

class PotentialChart {
 public:
  /// The slopes dU/dvariables, by name of the coordinates.
  struct Slopes {
    std::vector<Expr> variables, slopes;
    std::vector<std::string> names;
  };

  explicit PotentialChart(const Kinematics& motion);

  /// (1), or the speed that is the rate of nothing.
  Result<Slopes, Reason> make_slopes(const std::vector<Expr>& forces);
  /// A function of the variables as one of the configuration.
  Expr leave(const Expr& U) const;

 private:
  // An orientation by four Euler parameters, coordinates or hidden.
  struct Sphere {
    std::array<Expr, 4> e, a;  // a: scratch symbols, once they are needed
    std::array<ScalarMotion, 4> rates;
    std::array<Expr, 4> forces;  // on the e
    std::string name;
  };
  // An angle that no coordinate is.
  struct Angle {
    Expr angle;
    ScalarMotion rate;
    Expr force;
  };

  void clear();
  bool add_force(std::size_t r, const Expr& F);
  bool add_by_definition(std::size_t r, const Expr& F);
  bool add_on_sphere(std::size_t r, const Expr& F);
  bool add_on_angle(std::size_t r, const Expr& F);
  Expr enter(const Expr& e);
  void enter(Sphere& sphere, Slopes* slopes);
  void name_parameters(Sphere* sphere);
  static Expr put_length(const Expr& e, const Expr& inverse, const Expr& square);

  const Kinematics& motion_;
  const ModelData& model_;
  ExprPool& pool_;
  std::vector<Sphere> spheres_;
  std::vector<Angle> angles_;
  std::vector<Expr> coordinates_;  // forces on them
};

}  // namespace visviva
