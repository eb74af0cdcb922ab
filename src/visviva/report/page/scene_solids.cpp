#include "visviva/report/page/scene_solids.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "visviva/numeric/dense.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

using Kind = SceneObject::Kind;

constexpr double thinnest = 0.05;     // of the largest semiaxis
constexpr double rod_radius = 0.02;   // of the length
constexpr double disc_length = 0.06;  // of the radius

bool is_size(double x) { return std::isfinite(x) && x > 0; }

}  // namespace

double value_or_nan(const StartState& values, const Expr& e) {
  const std::vector<Expr> symbols = free_symbols(e);
  const bool is_known = std::all_of(symbols.begin(), symbols.end(),
                                    [&](const Expr& s) { return values.known.contains(s); });
  return is_known ? values.value(e) : std::numeric_limits<double>::quiet_NaN();
}

std::array<double, 4> make_quaternion(const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(R).normalized();
  return {q.w(), q.x(), q.y(), q.z()};
}

EquivalentEllipsoid make_equivalent_ellipsoid(double mass, const Eigen::Matrix3d& inertia) {
  EquivalentEllipsoid result{{0, 0, 0}};
  if (!is_size(mass) || !inertia.allFinite() || inertia.isZero(0)) return result;
  const SymmetricEigen principal = compute_symmetric_eigen(inertia);
  Eigen::Matrix3d axes = principal.vectors;
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  result.turn = make_quaternion(axes);
  const double sum = principal.values.sum();
  for (std::size_t i = 0; i < 3; ++i) {
    const double I = principal.values(static_cast<Eigen::Index>(i));
    result.semiaxes[i] = std::sqrt(std::max(0.0, 2.5 / mass * (sum - 2 * I)));  // (1)
  }
  const double largest = *std::max_element(result.semiaxes.begin(), result.semiaxes.end());
  for (double& a : result.semiaxes) a = std::max(a, thinnest * largest);
  return result;
}

bool set_given_shape(const SolidData& solid, const StartState& values, SceneObject* object) {
  const auto size = [&](std::size_t i) {
    return solid.sizes[i].valid() ? value_or_nan(values, solid.sizes[i]) : 0.0;
  };
  const double a = size(0), b = size(1), c = size(2);
  object->axis = "xyz"[static_cast<int>(solid.axis)];
  switch (solid.kind) {
    case SolidData::Kind::none:
      return false;
    case SolidData::Kind::sphere:
    case SolidData::Kind::shell:
      object->kind = solid.kind == SolidData::Kind::sphere ? Kind::sphere : Kind::shell;
      object->sizes = {a, 0, 0};
      return is_size(a);
    case SolidData::Kind::rod:
      object->kind = Kind::rod;
      object->sizes = {rod_radius * a, a, 0};
      return is_size(a);
    case SolidData::Kind::cylinder:
      object->kind = Kind::cylinder;
      object->sizes = {a, b, 0};
      return is_size(a) && is_size(b);
    case SolidData::Kind::capsule:
      object->kind = Kind::capsule;
      object->sizes = {a, b, 0};
      return is_size(a) && is_size(b);
    case SolidData::Kind::ellipsoid:
      object->kind = Kind::ellipsoid;
      object->sizes = {a, b, c};
      return is_size(a) && is_size(b) && is_size(c);
    case SolidData::Kind::disc:
      object->kind = Kind::disc;
      object->sizes = {a, disc_length * a, 0};
      return is_size(a);
    case SolidData::Kind::box:
      object->kind = Kind::box;
      object->sizes = {a, b, c};
      return is_size(a) && is_size(b) && is_size(c);
  }
  return false;
}

void set_shape(const BodyData& body, const StartState& values, SceneObject* object) {
  if (set_given_shape(body.solid, values, object)) return;
  Eigen::Matrix3d inertia;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      inertia(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          value_or_nan(values, body.inertia[i][j]);
  }
  const auto ellipsoid = make_equivalent_ellipsoid(value_or_nan(values, body.mass), inertia);
  object->is_standin = true;
  object->sizes = ellipsoid.semiaxes;
  object->turn = ellipsoid.turn;
  object->kind = is_size(ellipsoid.semiaxes[0]) ? Kind::ellipsoid : Kind::sphere;
}

}  // namespace visviva
