// The Model's lines: their pieces of material, and sums over the places of a variable.
#include <algorithm>

#include "visviva/model/declare.h"
#include "visviva/model/field_values.h"
#include "visviva/model/model.h"
#include "visviva/model/passing_material.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {
namespace {

constexpr int highest_degree = 7;  // that a quadrature is exact for

FieldVariableData& variable_of(ModelData& data, const std::string& name, const char* function) {
  for (FieldVariableData& v : data.field_variables)
    if (v.name == name) return v;
  throw UsageError(function, "no field has the variable '" + name + "'", "E-field-variable");
}

int variable_index(ModelData& data, const std::string& name) {
  return static_cast<int>(&variable_of(data, name, "Model") - data.field_variables.data());
}

// True where a field of the variable was not cut into elements: then none must be.
bool is_left_whole(const ModelData& data, const FieldVariableData& v, const char* function) {
  const FieldData *cut = nullptr, *whole = nullptr;
  for (const FieldData& field : data.fields) {
    if (&data.field_variables[slot(field.variable)] != &v) continue;
    (field.elements != 0 ? cut : whole) = &field;
  }
  if (cut != nullptr && whole != nullptr)
    throw UsageError(function,
                     "'" + cut->name + "' is discretized and '" + whole->name +
                         "' is not: fields of one variable go together",
                     "E-field-discretize");
  return whole != nullptr || cut == nullptr;
}

// The place that stands for all: its x is a parameter, or a function of time where material passes.
FieldPlace make_station(ModelData& data, FieldVariableData& v) {
  if (!v.station.valid()) {
    if (v.is_passed) {
      SpecifiedData x;
      x.name = v.name;
      std::string primes;
      for (Expr& e : x.derivatives) {
        e = data.pool->symbol(v.name + primes);
        data.set_role(e, primes.empty() ? Role::specified : Role::specified_rate,
                      data.specified.size());
        primes += "'";
      }
      x.dimension = v.dimension;
      v.station = x.derivatives[0];
      data.specified.push_back(x);
    } else {
      v.station = data.pool->symbol(v.name);
      data.set_role(v.station, Role::parameter, data.parameters.size());
      data.parameters.push_back({v.name, v.station, v.dimension, std::nullopt, {}});
    }
    v.piece = data.pool->symbol("piece of " + v.name);
    data.set_role(v.piece, Role::parameter, data.parameters.size());
    data.parameters.push_back({"piece of " + v.name, v.piece, v.dimension, std::nullopt, {}});
  }
  return {v.name, {v.station, v.dimension}, 1, 0, data.pool->zero(), true};
}

FieldPlace make_place(const ModelData& data, const FieldVariableData& v, int element,
                      const Expr& xi) {
  const Expr s = (data.pool->rational(element) + xi) / data.pool->rational(v.elements);
  return {v.name, {v.from + (v.to - v.from) * s, v.dimension}, v.elements, element, xi, false};
}

// How often a polynomial in xi has to be differentiated until nothing is left; more than `highest_degree` where it does not
// end.
int degree_in(const Expr& f, const Expr& xi) {
  int degree = 0;
  for (Expr d = differentiate(f, xi); degree <= highest_degree && !(d == f.pool().zero());
       d = differentiate(d, xi))
    ++degree;
  return degree;
}

using Measure = std::function<int(const FieldPlace&, const Expr& xi)>;

// The highest degree in a first, a middle and a last element: what is fixed at an end may lower it there.
int find_degree(const ModelData& data, const FieldVariableData& v, const Measure& measure) {
  const Expr xi = data.pool->scratch_symbol("xi");
  int degree = 0;
  for (const int element : {0, v.elements / 2, v.elements - 1})
    degree = std::max(degree, measure(make_place(data, v, element, xi), xi));
  return degree;
}

// The nodes of all elements; where two elements meet, one node for both if the integrand is the same on both sides.
std::vector<FieldNode> make_nodes(const ModelData& data, const FieldVariableData& v, int degree,
                                  bool is_continuous) {
  std::vector<FieldNode> nodes;
  const Expr h = (v.to - v.from) / data.pool->rational(v.elements);
  for (int element = 0; element < v.elements; ++element) {
    for (const QuadratureNode& q : quadrature(degree)) {
      const Expr weight = h * data.pool->rational(q.weight.num, q.weight.den);
      if (is_continuous && q.place.num == 0 && !nodes.empty()) {
        nodes.back().weight = nodes.back().weight + Quantity(weight, v.dimension);
        continue;
      }
      const Expr xi = data.pool->rational(q.place.num, q.place.den);
      nodes.push_back({make_place(data, v, element, xi), {weight, v.dimension}});
    }
  }
  return nodes;
}

int degree_of(const Position& p, const Expr& xi) {
  int degree = 0;
  for (const Vector::Part& part : p.offset.parts())
    for (const Expr& e : part.column) degree = std::max(degree, degree_in(e, xi));
  return degree;
}

std::vector<Expr> expressions_of(const Position& p) {
  std::vector<Expr> all;
  for (const Vector::Part& part : p.offset.parts())
    all.insert(all.end(), part.column.begin(), part.column.end());
  return all;
}

// Notes which fields of a variable move what has inertia.
void note_weighed(ModelData& data, const FieldVariableData& v, const std::vector<Expr>& moving) {
  for (FieldData& field : data.fields) {
    if (&data.field_variables[slot(field.variable)] != &v || field.is_weighed) continue;
    std::vector<Expr> own;
    for (const StandInData& s : field.stand_ins)
      if (!s.place.valid()) own.push_back(data.coordinates[slot(s.coordinate)].q);
    for (const auto& node : field.nodes)
      for (const FieldValue& value : node)
        if (value.value.is_symbol()) own.push_back(value.value);
    const std::vector<bool> depends = depend_on_any(moving, own);
    field.is_weighed = std::find(depends.begin(), depends.end(), true) != depends.end();
  }
}

// J n n: inertia about one axis.
Inertia inertia_about(const Vector& axis, const Frame& A, const Quantity& J) {
  const Column3 n = axis.in(A);
  const auto entry = [&](std::size_t i, std::size_t j) {
    return J * Quantity(n[i] * n[j], Dimension());
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(1, 2), entry(2, 0)};
}

// The one frame that an axis is written in, and the axis with length 1.
Frame frame_of(const ModelData& data, const Vector& axis, const std::string& line) {
  if (axis.parts().size() != 1)
    throw UsageError("Model::line",
                     "the axis that sections of '" + line +
                         "' turn about is no axis of one frame; expected one such as A.z",
                     "E-line-rotary");
  return Frame(data, axis.parts()[0].frame);
}

}  // namespace

int find_line_of(const ModelData& data, int point) {
  for (std::size_t i = 0; i < data.lines.size(); ++i) {
    const std::vector<int>& points = data.lines[i].points;
    if (std::find(points.begin(), points.end(), point) != points.end()) return static_cast<int>(i);
  }
  return -1;
}

std::vector<FieldNode> Model::field_nodes(const std::string& variable,
                                          const std::function<Quantity(const FieldPlace&)>& density,
                                          bool is_continuous) {
  const char* function = "Model::field_nodes";
  FieldVariableData& v = variable_of(*data_, variable, function);
  if (is_left_whole(*data_, v, function)) {
    const FieldPlace station = make_station(*data_, v);
    return {{station, {v.piece, v.dimension}}};
  }
  const int degree = find_degree(*data_, v, [&](const FieldPlace& place, const Expr& xi) {
    return degree_in(density(place).expr(*data_->pool), xi);
  });
  return make_nodes(*data_, v, degree, is_continuous);
}

void Model::line(const std::string& name, const LineOptions& options) {
  const char* function = "Model::line";
  require_name(name, function);
  require_free(data_->lines, name, function, "line");
  require_free(data_->point_places, name, function, "point");
  FieldVariableData& v = variable_of(*data_, options.variable, function);
  const int variable = variable_index(*data_, options.variable);
  const bool is_whole = is_left_whole(*data_, v, function);
  const auto index = static_cast<int>(data_->lines.size());
  data_->lines.push_back({.name = name, .variable = variable, .source = data_->source()});
  if (options.moving) {
    require_dimension(*options.moving, v.dimension / dimensions::duration, function,
                      "how fast '" + name + "' moves", "E-dimension-field");
    data_->lines.back().moving = in_pool(*data_, *options.moving, function);
    require_roles(*data_, *data_->lines.back().moving, known_roles, function,
                  "how fast '" + name + "' moves");
  }
  const auto find_nodes = [&](const Measure& measure) {
    if (!is_whole) return make_nodes(*data_, v, find_degree(*data_, v, measure), true);
    const FieldPlace station = make_station(*data_, v);
    return std::vector<FieldNode>{{station, {v.piece, v.dimension}}};
  };
  const auto nodes = find_nodes([&](const FieldPlace& place, const Expr& xi) {
    return 2 * degree_of(options.at(place), xi) +
           degree_in(options.mass(place).expr(*data_->pool), xi);
  });

  // The same place with another x.
  const auto place_by = [&](const FieldPlace& place) {
    return [this, place, from = v.from, length = v.to - v.from](const Expr& x) {
      FieldPlace any = place;
      any.xi = (x - from) / length * place.mesh - data_->pool->rational(place.element);
      any.x = Quantity(x, place.x.dimension());
      return any;
    };
  };
  const bool is_passed = !is_whole && options.moving;
  std::vector<std::string> passing;

  // Pieces of material; a line without mass has points only.
  std::vector<Expr> moving;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const FieldPlace& place = nodes[i].place;
    const Position here = options.at(place);
    const Quantity mass = options.mass(place);
    const std::string own = name + "_" + std::to_string(i);
    LineData& line = data_->lines[slot(index)];
    if (mass.is_zero()) {
      if (options.rotaries.empty())
        throw UsageError(function,
                         "the line '" + name + "' has neither mass nor an inertia of its sections",
                         "E-line-mass");
      point(own, here);
    } else {
      require_dimension(mass, dimensions::mass / v.dimension, function,
                        "the mass per length of '" + name + "'", "E-dimension-density");
      particle(own, {.at = here, .mass = mass * nodes[i].weight});
      data_->bodies.back().line = index;
      const std::vector<Expr> all = expressions_of(here);
      moving.insert(moving.end(), all.begin(), all.end());
      if (is_passed) {
        const auto any = place_by(place);
        const Vector a = passing_acceleration(
            *data_, [&](const Expr& x) { return options.at(any(x)).offset; },
            place.x.expr(*data_->pool), v.dimension, *options.moving);
        passing.push_back(name + "_passing_" + std::to_string(passing.size()));
        force(passing.back(), {.on = Point(*data_, static_cast<int>(data_->points.size()) - 1),
                               .value = -(mass * nodes[i].weight) * a});
      }
    }
    line.points.push_back(static_cast<int>(data_->points.size()) - 1);
    line.places.push_back(place.x.expr(*data_->pool));
  }

  for (std::size_t r = 0; r < options.rotaries.size(); ++r) {
    const RotaryOptions& rotary = options.rotaries[r];
    const auto turned = find_nodes([&](const FieldPlace& place, const Expr& xi) {
      return 2 * degree_in(rotary.angle(place).expr(*data_->pool), xi) +
             degree_in(rotary.inertia(place).expr(*data_->pool), xi);
    });
    for (std::size_t i = 0; i < turned.size(); ++i) {
      const FieldPlace& place = turned[i].place;
      const Vector axis = rotary.axis(place);
      const Frame A = frame_of(*data_, axis, name);
      const Quantity angle = rotary.angle(place), J = rotary.inertia(place);
      if (!J.is_plain_zero())
        require_dimension(J, dimensions::moment_of_inertia / v.dimension, function,
                          "the rotary inertia per length of '" + name + "'", "E-dimension-density");
      const std::string own = name + "_section" +
                              (options.rotaries.size() > 1 ? std::to_string(r + 1) : "") + "_" +
                              std::to_string(i);
      const Frame S = frame(own, rotate(A, axis, angle));
      body(S, {.at = options.at(place),
               .mass = Quantity(data_->pool->zero(), dimensions::mass),
               .inertia = inertia_about(unit(axis), A, J * turned[i].weight)});
      data_->bodies.back().line = index;
      if (is_passed && !J.is_zero()) {
        const auto any = place_by(place);
        const Vector a = passing_turn(
            *data_, [&](const Expr& x) { return rotary.angle(any(x)).expr(*data_->pool); },
            place.x.expr(*data_->pool), v.dimension, unit(axis), *options.moving);
        passing.push_back(name + "_passing_" + std::to_string(passing.size()));
        torque(passing.back(), {.on = S, .value = -(J * turned[i].weight) * a});
      }
      if (!J.is_zero()) moving.push_back(angle.expr(*data_->pool));
      data_->lines[slot(index)].sections.push_back(
          {S.index(), static_cast<int>(r), place.x.expr(*data_->pool)});
    }
  }
  if (passing.size() > 1) distribute(name + "_passing", passing);
  note_weighed(*data_, v, moving);
}

Quantity Model::integrate(const std::string& name, const std::string& variable,
                          const std::function<Quantity(const FieldPlace&)>& density,
                          const Dimension& wanted) {
  Quantity sum(data_->pool->zero(), wanted);
  for (const FieldNode& node : field_nodes(variable, density)) {
    const Quantity value = density(node.place);
    require_dimension(value, wanted / node.weight.dimension(), "Model::potential_over",
                      "the density of '" + name + "' over " + variable, "E-dimension-density");
    sum = sum + Quantity(value.expr(*data_->pool), value.is_plain_zero()
                                                       ? wanted / node.weight.dimension()
                                                       : value.dimension()) *
                    node.weight;
  }
  return sum;
}

void Model::potential_over(const std::string& name, const std::string& variable,
                           const std::function<Quantity(const FieldPlace&)>& density) {
  potential(name, integrate(name, variable, density, dimensions::energy));
  data_->energies.back().over = variable_index(*data_, variable);
}

void Model::dissipation_over(const std::string& name, const std::string& variable,
                             const std::function<Quantity(const FieldPlace&)>& density) {
  dissipation(name, integrate(name, variable, density, dimensions::energy / dimensions::duration));
  data_->energies.back().over = variable_index(*data_, variable);
}

void Model::distribute(const std::string& name, const std::vector<std::string>& forces) {
  data_->distributed.push_back({name, forces});
}

std::optional<Point> Model::find_line_point(const std::string& name,
                                            const FieldPlace& place) const {
  for (const LineData& line : data_->lines) {
    if (line.name != name) continue;
    const Expr x = place.x.expr(*data_->pool);
    for (std::size_t i = 0; i < line.places.size(); ++i)
      if (line.places[i].ref() == x.ref()) return Point(*data_, line.points[i]);
    // A place that a user wrote may be a node in other words.
    for (std::size_t i = 0; i < line.places.size() && place.mesh == 1; ++i)
      if (line.places[i] == x) return Point(*data_, line.points[i]);
  }
  return std::nullopt;
}

Point Model::line_point(const std::string& name, const FieldPlace& place, const Position& here) {
  if (const auto known = find_line_point(name, place)) return *known;
  for (LineData& line : data_->lines) {
    if (line.name != name) continue;
    const Point P = point(name + "_" + std::to_string(line.points.size()), here);
    line.points.push_back(P.index());
    line.places.push_back(place.x.expr(*data_->pool));
    return P;
  }
  throw UsageError("Model::line_point", "there is no line '" + name + "'", "E-line-unknown");
}

}  // namespace visviva
