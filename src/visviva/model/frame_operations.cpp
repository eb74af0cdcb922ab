// What vectors, points and dyadics do with each other; rotations come from the model.
#include "visviva/model/frame.h"

#include <algorithm>

#include "visviva/base/error.h"
#include "visviva/model/model_data.h"

namespace visviva {
namespace {

Vector basis(const Frame& f, std::size_t axis) {
  ExprPool& pool = *f.model().pool;
  Column3 c = zero_column(pool);
  c[axis] = pool.one();
  return Vector(f.model(), {{f.index(), c}}, Dimension());
}

const ModelData* common_model(const ModelData* a, const ModelData* b, const char* function) {
  if (a != nullptr && b != nullptr && a != b)
    throw UsageError(function, "the operands belong to different models");
  return a != nullptr ? a : b;
}

Dimension shared_dimension(const Vector& a, const Vector& b, const char* function) {
  if (b.is_plain_zero()) return a.dimension();
  if (a.is_plain_zero()) return b.dimension();
  unify_or_throw(a.dimension(), b.dimension(), function, "E-dimension-sum");
  return a.dimension();
}

const Frame& in_model(const Frame& frame, const ModelData* model, const char* function) {
  if (model != nullptr && &frame.model() != model)
    throw UsageError(function, "the frame belongs to another model");
  return frame;
}

}  // namespace

// ---- Frame and Point

const ModelData& Frame::model() const {
  if (model_ == nullptr) throw UsageError("Frame", "an empty Frame was used");
  return *model_;
}
const std::string& Frame::name() const {
  return model().frames[static_cast<std::size_t>(index_)].name;
}
Vector Frame::x() const { return basis(*this, 0); }
Vector Frame::y() const { return basis(*this, 1); }
Vector Frame::z() const { return basis(*this, 2); }
Point Frame::origin() const {
  if (model().frames[static_cast<std::size_t>(index_)].parent >= 0) {
    throw UsageError("Frame::origin",
                     "frame '" + name() + "' has no origin; only the Newtonian frame has one");
  }
  return Point(model(), 0);
}

const ModelData& Point::model() const {
  if (model_ == nullptr) throw UsageError("Point", "an empty Point was used");
  return *model_;
}
const std::string& Point::name() const {
  return model().points[static_cast<std::size_t>(index_)].name;
}

Matrix3 orientation(const Frame& A, const Frame& B) {
  in_model(B, &A.model(), "orientation");
  return A.model().rotation(A.index(), B.index());
}

// ---- Vector

Vector::Vector(const ModelData& model, std::vector<Part> parts, const Dimension& dimension)
    : model_(&model), parts_(std::move(parts)), dimension_(dimension) {
  std::sort(parts_.begin(), parts_.end(),
            [](const Part& a, const Part& b) { return a.frame < b.frame; });
  // One part a frame, and none that is zero.
  std::vector<Part> joined;
  for (const Part& p : parts_) {
    if (!joined.empty() && joined.back().frame == p.frame) {
      joined.back().column = joined.back().column + p.column;
    } else {
      joined.push_back(p);
    }
  }
  std::erase_if(joined, [](const Part& p) { return visviva::is_zero(p.column); });
  parts_ = std::move(joined);
}

bool Vector::is_zero() const {
  if (parts_.size() < 2) return parts_.empty();  // no part is zero
  return visviva::is_zero(in(Frame(*model_, parts_.back().frame)));
}

Column3 Vector::in(const Frame& frame) const {
  const ModelData& model = in_model(frame, model_, "Vector::in").model();
  Column3 sum = zero_column(*model.pool);
  for (const Part& p : parts_) {
    sum = sum +
          (p.frame == frame.index() ? p.column : model.rotation(frame.index(), p.frame) * p.column);
  }
  return sum;
}

Vector Vector::express(const Frame& frame) const {
  return Vector(frame.model(), {{frame.index(), in(frame)}}, dimension_);
}

Vector Vector::operator-() const {
  Vector v = *this;
  for (Part& p : v.parts_) p.column = -p.column;
  return v;
}

Vector operator+(const Vector& a, const Vector& b) {
  const ModelData* model = common_model(a.model_, b.model_, "operator+");
  const Dimension d = shared_dimension(a, b, "operator+");
  if (model == nullptr) return {};
  std::vector<Vector::Part> parts = a.parts_;
  parts.insert(parts.end(), b.parts_.begin(), b.parts_.end());
  return Vector(*model, std::move(parts), d);
}

Vector operator-(const Vector& a, const Vector& b) { return a + -b; }

Vector operator*(const Quantity& s, const Vector& a) {
  if (a.model_ == nullptr) return {};
  const Expr scale = s.expr(*a.model_->pool);
  std::vector<Vector::Part> parts = a.parts_;
  for (Vector::Part& p : parts) p.column = scale * p.column;
  return Vector(*a.model_, std::move(parts), s.dimension() * a.dimension_);
}

Vector operator*(const Vector& a, const Quantity& s) { return s * a; }
Vector operator/(const Vector& a, const Quantity& s) { return (Quantity(1.0) / s) * a; }

bool operator==(const Vector& a, const Vector& b) {
  if (a.is_zero() || b.is_zero()) return a.is_zero() && b.is_zero();
  if (!(a.dimension_ == b.dimension_)) return false;
  return (a - b).is_zero();
}

Quantity dot(const Vector& a, const Vector& b) {
  const ModelData* model = common_model(a.model(), b.model(), "dot");
  const Dimension d = a.dimension() * b.dimension();
  if (model == nullptr) return {};
  Expr sum = model->pool->zero();
  for (const Vector::Part& p : a.parts()) {
    for (const Vector::Part& q : b.parts()) {
      sum += p.frame == q.frame ? dot(p.column, q.column)
                                : dot(p.column, model->rotation(p.frame, q.frame) * q.column);
    }
  }
  return {sum, d};
}

Vector cross(const Vector& a, const Vector& b) {
  const ModelData* model = common_model(a.model(), b.model(), "cross");
  if (model == nullptr) return {};
  std::vector<Vector::Part> parts;
  const auto depth = [model](int frame) {
    return model->frames[static_cast<std::size_t>(frame)].depth;
  };
  for (const Vector::Part& p : a.parts()) {
    for (const Vector::Part& q : b.parts()) {
      // The product is written in the deeper of the two frames.
      const int home = depth(p.frame) >= depth(q.frame) ? p.frame : q.frame;
      const Column3 left = home == p.frame ? p.column : model->rotation(home, p.frame) * p.column;
      const Column3 right = home == q.frame ? q.column : model->rotation(home, q.frame) * q.column;
      parts.push_back({home, cross(left, right)});
    }
  }
  return Vector(*model, std::move(parts), a.dimension() * b.dimension());
}

Quantity magnitude(const Vector& a) {
  if (a.model() == nullptr) return {};
  return sqrt(dot(a, a));
}

Vector unit(const Vector& a) {
  if (a.is_zero())
    throw UsageError("unit", "the vector is identically zero and has no direction",
                     "E-unit-of-zero");
  return a / magnitude(a);
}

// ---- Dyadic

Matrix3 Dyadic::in(const Frame& frame) const {
  if (frame == frame_) return matrix_;
  const Matrix3 R = orientation(frame, frame_);
  return R * matrix_ * transpose(R);
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  if (a.dimension_ != b.dimension_) {
    throw UsageError("operator+", "the dyadics have dimensions '" + a.dimension_.str() + "' and '" +
                                      b.dimension_.str() + "'");
  }
  return {a.frame_, a.matrix_ + b.in(a.frame_), a.dimension_};
}

Dyadic operator*(const Quantity& s, const Dyadic& a) {
  return {a.frame_, s.expr(*a.frame_.model().pool) * a.matrix_, s.dimension() * a.dimension_};
}

Vector dot(const Dyadic& a, const Vector& v) {
  return Vector(a.frame_.model(), {{a.frame_.index(), a.matrix_ * v.in(a.frame_)}},
                a.dimension_ * v.dimension());
}

Vector dot(const Vector& v, const Dyadic& a) {
  return Vector(a.frame_.model(), {{a.frame_.index(), transpose(a.matrix_) * v.in(a.frame_)}},
                a.dimension_ * v.dimension());
}

bool operator==(const Dyadic& a, const Dyadic& b) {
  return a.dimension_ == b.dimension_ && a.matrix_ == b.in(a.frame_);
}

Dyadic outer(const Vector& a, const Vector& b, const Frame& frame) {
  return {frame, outer(a.in(frame), b.in(frame)), a.dimension() * b.dimension()};
}

Dyadic unit_dyadic(const Frame& frame) {
  return {frame, identity_matrix(*frame.model().pool), Dimension()};
}

// ---- Position

Position operator+(const Position& p, const Vector& v) { return {p.base, p.offset + v}; }
Position operator-(const Position& p, const Vector& v) { return {p.base, p.offset - v}; }
Position operator+(const Point& p, const Vector& v) { return {p, v}; }
Position operator-(const Point& p, const Vector& v) { return {p, -v}; }
Vector operator-(const Point& a, const Point& b) { return Position(a) - Position(b); }

Vector operator-(const Position& a, const Position& b) {
  const ModelData& model = a.base.model();
  if (&b.base.model() != &model)
    throw UsageError("operator-", "the points belong to different models");
  // Parents have smaller indices: the larger one climbs until they meet. Parts are joined once, at
  // the end.
  std::vector<Vector::Part> parts;
  int i = a.base.index(), j = b.base.index();
  while (i != j) {
    const PointData& p = model.points[static_cast<std::size_t>(std::max(i, j))];
    for (const Vector::Part& part : p.offset.parts()) {
      parts.push_back({part.frame, i > j ? part.column : -part.column});
    }
    (i > j ? i : j) = p.parent;
  }
  const Vector between(model, std::move(parts), Dimension::of(Dimension::length));
  return between + (a.offset - b.offset);
}

}  // namespace visviva
