// Continuous coordinates of a model: fields, the lines of material that they place, and how both become
// coordinates, particles and bodies.
//
// A field is a coordinate for every value of its variable. What stands for it in a model is decided once:
//
// | a field that is        | has as coordinates                                           |
// |------------------------|--------------------------------------------------------------|
// | cut into elements      | its values, and slopes, at the nodes of the elements         |
// | left as it is          | its value and slopes at each place that is asked for, and at |
// |                        | one place x that stands for all (the station)                |
//
// A law per length is a function of the place. It is summed over the nodes of a quadrature, or taken at the
// station, times a symbol for a piece of the line. docs/theory/continuous.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "visviva/model/element_shapes.h"
#include "visviva/model/frame.h"
#include "visviva/model/source.h"

namespace visviva {

struct CoordinateData;

/// Continuous coordinates of one variable begin and end at the same places.
struct FieldOptions {
  std::string variable;
  Quantity from, to;
  int slopes = 1;  ///< the highest slope of the field in anything of the model
  std::optional<Dimension> dimension{};
  bool is_passed = false;  ///< material moves past the places: x is a function of time for it
};

struct DiscretizeOptions {
  int elements = 0;
  bool is_linear = false;  ///< not quadratic; cubic elements stay cubic
};

/// A place on the interval of a variable: an element of `mesh` equal ones, and xi in it.
struct FieldPlace {
  std::string variable;
  Quantity x;
  int mesh = 1;
  int element = 0;
  Expr xi;
  bool is_station = false;  ///< it stands for every place
};

/// A place of a sum that stands for an integral over the variable, and its weight, a length.
struct FieldNode {
  FieldPlace place;
  Quantity weight;
};

/// A field, in its list.
struct Field {
  int index = -1;
};

/// A value of a field that is a coordinate, or was fixed; with its rates.
struct FieldValue {
  Expr value, rate, second_rate;
};

/// What holds a field or its slope at a place.
struct FixData {
  int slopes = 0;
  Expr place;  ///< in the variable
  FieldValue value;
  Source source{};
};

/// A coordinate for the value or a slope of a field at one place.
struct StandInData {
  int coordinate = -1;
  int slopes = 0;
  Expr place;  ///< nothing: the station
};

struct FieldData {
  std::string name;
  int variable = -1;
  Dimension dimension;
  int slopes = 1;
  std::vector<FixData> fixes;
  int elements = 0;  ///< 0: not discretized
  ElementKind kind = ElementKind::cubic;
  std::vector<std::vector<FieldValue>> nodes;  ///< value, slope at each node of the elements
  std::vector<StandInData> stand_ins;          ///< of one that is not discretized
  bool is_weighed = false;                     ///< a line's mass or inertia moves with it
  Source source{};
};

struct FieldVariableData {
  std::string name;
  Dimension dimension;
  Expr from, to;
  bool is_passed = false;
  int elements = 0;  ///< of the mesh that all its fields share; 0: not discretized
  Expr station;      ///< the symbol of the variable, once it was asked for
  Expr piece;        ///< the length that densities are taken times at the station
};

/// The inertia of sections that turn by an angle about an axis.
struct RotaryOptions {
  std::function<Quantity(const FieldPlace&)> inertia;
  std::function<Vector(const FieldPlace&)> axis;
  std::function<Quantity(const FieldPlace&)> angle;
};

struct LineOptions {
  std::string variable;
  std::function<Position(const FieldPlace&)> at;
  std::function<Quantity(const FieldPlace&)> mass;
  std::vector<RotaryOptions> rotaries{};
  std::optional<Quantity> moving{};  ///< how fast material passes the places
};

/// A section of a line that turns by a rotary: its frame at a place.
struct SectionData {
  int frame = -1;
  int rotary = 0;
  Expr place;
};

struct LineData {
  std::string name;
  int variable = -1;
  std::vector<int> points;  ///< in the order of their places; massless where the line is
  std::vector<Expr> places;
  std::vector<SectionData> sections;
  std::optional<Expr> moving{};
  Source source{};
};

/// A force or torque per length: the forces at places of the line that stand for it.
struct DistributedData {
  std::string name;
  std::vector<std::string> forces;
};

}  // namespace visviva
