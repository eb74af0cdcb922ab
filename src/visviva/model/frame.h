// Frame, Point, Vector and Dyadic: the geometry of a model, by value.
//
// A Vector keeps each part in the frame in which it was written; nothing is expanded until a
// product asks for it. Points are affine: point + vector is a position, point - point a vector,
// point + point does not compile. All of them refer to the model they came from and must not
// outlive it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "visviva/model/quantity.h"
#include "visviva/symbolic/core/matrix3.h"

namespace visviva {

struct ModelData;
class Vector;
class Point;

enum class Axis { x, y, z };

class Frame {
 public:
  Frame() = default;
  Frame(const ModelData& model, int index) : model_(&model), index_(index) {}
  int index() const { return index_; }
  const ModelData& model() const;
  const std::string& name() const;

  Vector x() const;
  Vector y() const;
  Vector z() const;
  /// The origin No of the Newtonian frame; UsageError for another frame, which has none.
  Point origin() const;
  friend bool operator==(const Frame&, const Frame&) = default;

 private:
  const ModelData* model_ = nullptr;
  int index_ = -1;
};

/// A sum of columns, each in a frame, with one dimension.
class Vector {
 public:
  struct Part {
    int frame;
    Column3 column;
  };
  Vector() = default;  ///< the zero vector, of any dimension
  Vector(const ModelData& model, std::vector<Part> parts, const Dimension& dimension);

  const std::vector<Part>& parts() const { return parts_; }
  const Dimension& dimension() const { return dimension_; }
  bool is_zero() const;
  /// A zero without a dimension, which stands for zero of any dimension.
  bool is_plain_zero() const { return dimension_.is_dimensionless() && is_zero(); }
  /// The components in one frame.
  Column3 in(const Frame& frame) const;
  /// The same vector, all of it written in one frame.
  Vector express(const Frame& frame) const;
  /// nullptr for a default-constructed zero.
  const ModelData* model() const { return model_; }

  Vector operator-() const;
  friend Vector operator+(const Vector& a, const Vector& b);
  friend Vector operator-(const Vector& a, const Vector& b);
  friend Vector operator*(const Quantity& s, const Vector& a);
  friend Vector operator*(const Vector& a, const Quantity& s);
  friend Vector operator/(const Vector& a, const Quantity& s);
  /// Proved equal, in any frame; dimensions count unless one is zero.
  friend bool operator==(const Vector& a, const Vector& b);

 private:
  const ModelData* model_ = nullptr;
  std::vector<Part> parts_;  // one a frame, none zero
  Dimension dimension_;
};

Quantity dot(const Vector& a, const Vector& b);
Vector cross(const Vector& a, const Vector& b);
Quantity magnitude(const Vector& a);
/// The unit vector along a vector. UsageError for one that is identically zero.
Vector unit(const Vector& a);

/// A second-rank tensor such as an inertia: a matrix in a frame.
class Dyadic {
 public:
  Dyadic(const Frame& frame, const Matrix3& matrix, const Dimension& dimension)
      : frame_(frame), matrix_(matrix), dimension_(dimension) {}
  const Frame& frame() const { return frame_; }
  const Dimension& dimension() const { return dimension_; }
  Matrix3 in(const Frame& frame) const;

  friend Dyadic operator+(const Dyadic& a, const Dyadic& b);
  friend Dyadic operator*(const Quantity& s, const Dyadic& a);
  /// a · v, a vector.
  friend Vector dot(const Dyadic& a, const Vector& v);
  friend Vector dot(const Vector& v, const Dyadic& a);
  friend bool operator==(const Dyadic& a, const Dyadic& b);

 private:
  Frame frame_;
  Matrix3 matrix_;
  Dimension dimension_;
};

/// a b, with (a b) · v = a (b · v), written in `frame`.
Dyadic outer(const Vector& a, const Vector& b, const Frame& frame);
/// 1, in any frame.
Dyadic unit_dyadic(const Frame& frame);

class Point {
 public:
  Point() = default;
  Point(const ModelData& model, int index) : model_(&model), index_(index) {}
  int index() const { return index_; }
  const ModelData& model() const;
  const std::string& name() const;
  friend bool operator==(const Point&, const Point&) = default;

 private:
  const ModelData* model_ = nullptr;
  int index_ = -1;
};

/// A point plus a vector: what a point is declared at.
struct Position {
  Position(const Point& p) : base(p) {}  // NOLINT: a point is a position
  Position(const Point& p, const Vector& v) : base(p), offset(v) {}
  Point base;
  Vector offset;
};

Position operator+(const Position& p, const Vector& v);
Position operator-(const Position& p, const Vector& v);
Position operator+(const Point& p, const Vector& v);
Position operator-(const Point& p, const Vector& v);
/// The vector from b to a.
Vector operator-(const Position& a, const Position& b);
Vector operator-(const Point& a, const Point& b);

/// R_AB: turns B-columns into A-columns.
Matrix3 orientation(const Frame& A, const Frame& B);

}  // namespace visviva
