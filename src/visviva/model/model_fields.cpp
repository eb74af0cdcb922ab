// The Model's fields: what holds them, their elements, and their values at places.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "visviva/model/declare.h"
#include "visviva/model/field_values.h"
#include "visviva/model/model.h"
#include "visviva/symbolic/calculus/differentiate.h"
#include "visviva/symbolic/calculus/evaluate.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/print/print.h"

namespace visviva {
namespace {

constexpr int most_elements = 100'000;

int find_variable(const ModelData& data, const std::string& name, const char* function) {
  for (std::size_t i = 0; i < data.field_variables.size(); ++i)
    if (data.field_variables[i].name == name) return static_cast<int>(i);
  throw UsageError(function, "no field has the variable '" + name + "'", "E-field-variable");
}

// A new variable, or the one that has this interval already.
int add_variable(ModelData& data, const std::string& field, const FieldOptions& options) {
  const char* function = "Model::field";
  const Expr from = in_pool(data, options.from, function), to = in_pool(data, options.to, function);
  for (const Expr& end : {from, to})
    require_roles(data, end, {Role::parameter}, function, "the interval of '" + field + "'",
                  "E-value-not-constant");
  for (std::size_t i = 0; i < data.field_variables.size(); ++i) {
    const FieldVariableData& known = data.field_variables[i];
    if (known.name != options.variable) continue;
    if (known.from == from && known.to == to) return static_cast<int>(i);
    throw UsageError(function,
                     "fields of '" + known.name + "' go from " + print(known.from) + " to " +
                         print(known.to) + "; '" + field + "' goes from " + print(from) + " to " +
                         print(to),
                     "E-field-interval");
  }
  require_free_scalar(data, options.variable, function);
  const Quantity& told = options.to.is_plain_zero() ? options.from : options.to;
  if (!options.from.is_plain_zero())
    require_dimension(options.from, told.dimension(), function, "where '" + field + "' begins",
                      "E-dimension-field");
  const auto length = find_constant(data, to - from);
  if (length && !(*length > 0.0))
    throw UsageError(function,
                     "'" + options.variable + "' goes from " + print(from) + " to " + print(to) +
                         ", which is " + (*length == 0.0 ? "no length" : "backwards"),
                     "E-field-interval");
  FieldVariableData v{options.variable, told.dimension(), from, to};
  v.is_passed = options.is_passed;
  data.field_variables.push_back(v);
  return static_cast<int>(data.field_variables.size()) - 1;
}

// A value that a field was fixed to, and how it changes.
FieldValue make_fixed(ModelData& data, const Expr& value) {
  std::vector<std::pair<Expr, Expr>> rates = {{data.time, data.pool->one()}};
  for (const SpecifiedData& s : data.specified)
    for (std::size_t k = 0; k < 3; ++k) rates.emplace_back(s.derivatives[k], s.derivatives[k + 1]);
  Tangent tangent(*data.pool, rates);
  const Expr rate = tangent(value);
  return {value, rate, tangent(rate)};
}

const char* slope_word(int slopes) { return slopes == 0 ? "value" : "slope"; }

FieldValue value_of(const CoordinateData& c) { return {c.q, c.rate, c.second_rate}; }

FieldValue* find_fixed(FieldData& field, const Expr& place, int slopes) {
  for (FixData& fix : field.fixes)
    if (fix.slopes == slopes && fix.place == place) return &fix.value;
  return nullptr;
}

// d(w', x) at L
std::string stand_in_name(const ModelData& data, const FieldData& field, int slopes,
                          const Expr& place, const std::string& primes) {
  const std::string& x = data.field_variables[slot(field.variable)].name;
  std::string name = field.name + primes;
  if (slopes > 0) {
    name = "d(" + name;
    for (int i = 0; i < slopes; ++i) name += ", " + x;
    name += ")";
  }
  return place.valid() ? name + " at " + print(place) : name;
}

FieldValue add_stand_in(ModelData& data, FieldData& field, int slopes, const Expr& place) {
  const Dimension d =
      field.dimension / data.field_variables[slot(field.variable)].dimension.power(slopes);
  CoordinateData c;
  const auto name = [&](const char* primes) {
    return stand_in_name(data, field, slopes, place, primes);
  };
  c.name = name("");
  c.dimension = d;
  c.q = data.pool->symbol(name(""));
  c.rate = data.pool->symbol(name("'"));
  c.second_rate = data.pool->symbol(name("''"));
  c.order = data.declarations++;
  c.source = field.source;
  data.set_role(c.q, Role::coordinate, data.coordinates.size());
  data.set_role(c.rate, Role::rate, data.coordinates.size());
  data.set_role(c.second_rate, Role::second_rate, data.coordinates.size());
  field.stand_ins.push_back({static_cast<int>(data.coordinates.size()), slopes, place});
  data.coordinates.push_back(c);
  return value_of(c);
}

FieldValue find_stand_in(ModelData& data, FieldData& field, const FieldPlace& place, int slopes) {
  const Expr x = place.is_station ? Expr() : place.x.expr();
  if (x.valid()) {
    if (const FieldValue* fixed = find_fixed(field, x, slopes)) return *fixed;
  }
  for (const StandInData& s : field.stand_ins) {
    const bool same = s.place.valid() == x.valid() && (!x.valid() || s.place == x);
    if (s.slopes == slopes && same) return value_of(data.coordinates[slot(s.coordinate)]);
  }
  return add_stand_in(data, field, slopes, x);
}

// Parameters may depend on parameters; a circle of them is complained about elsewhere.
std::optional<double> find_value(const ModelData& data, const Expr& e, int depth) {
  constexpr int deepest = 100;
  if (depth > deepest) return std::nullopt;
  const std::vector<Expr> symbols = free_symbols(e);
  std::vector<double> values;
  for (const Expr& s : symbols) {
    const SymbolRole* role = data.role(s);
    if (role == nullptr || role->role != Role::parameter) return std::nullopt;
    const auto& given = data.parameters[slot(role->index)].value;
    const auto value = given ? find_value(data, *given, depth + 1) : std::nullopt;
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return evaluate(e, symbols, values);
}

struct ElementPlace {
  int element;
  Expr xi;
};

// The element of a field at a place, and the place in it.
ElementPlace find_element(const ModelData& data, const FieldData& field, const FieldPlace& place) {
  ExprPool& pool = *data.pool;
  const int n = field.elements;
  if (place.mesh % n == 0) {
    const int parts = place.mesh / n;
    return {place.element / parts,
            (pool.rational(place.element % parts) + place.xi) / pool.rational(parts)};
  }
  const Expr s =
      (pool.rational(place.element) + place.xi) * pool.rational(n) / pool.rational(place.mesh);
  const auto number = find_constant(data, s);
  if (!number)
    throw UsageError("Model::value",
                     "in which element of '" + field.name +
                         "' the place is depends on parameters "
                         "without values",
                     "E-field-place");
  const int element = std::clamp(static_cast<int>(std::floor(*number + 1e-12)), 0, n - 1);
  return {element, s - pool.rational(element)};
}

// The number of the node at a place of the field's elements; nothing between nodes.
std::optional<int> find_node(const ModelData& data, const FieldData& field, const Expr& place) {
  const FieldVariableData& x = data.field_variables[slot(field.variable)];
  const int steps = field.elements * nodes_per_element(field.kind);
  const auto number = find_constant(data, (place - x.from) / (x.to - x.from));
  if (!number) return std::nullopt;
  const double node = std::round(*number * steps);
  if (std::abs(*number * steps - node) > 1e-9) return std::nullopt;
  return static_cast<int>(node);
}

}  // namespace

std::optional<double> find_constant(const ModelData& data, const Expr& e) {
  return find_value(data, e, 0);
}

Field Model::field(const std::string& name, const FieldOptions& options) {
  const char* function = "Model::field";
  require_free_scalar(*data_, name, function);
  if (options.variable == name)
    throw UsageError(function, "the field '" + name + "' is its own variable", "E-field-variable");
  FieldData field;
  field.name = name;
  field.variable = add_variable(*data_, name, options);
  field.dimension = options.dimension ? *options.dimension : data_->dimensions.make(name);
  field.slopes = options.slopes;
  if (options.slopes > 2)
    throw UsageError(function,
                     "the energy of '" + name + "' has a slope of order " +
                         std::to_string(options.slopes) + "; expected second slopes at most",
                     "E-field-order");
  field.source = data_->source();
  data_->fields.push_back(field);
  return {static_cast<int>(data_->fields.size()) - 1};
}

void Model::fix(const Field& which, int slopes, const Quantity& place, const Quantity& value) {
  const char* function = "Model::fix";
  FieldData& field = data_->fields[slot(which.index)];
  const FieldVariableData& x = data_->field_variables[slot(field.variable)];
  const Dimension d = field.dimension / x.dimension.power(slopes);
  const std::string what = stand_in_name(*data_, field, slopes, Expr(), "");
  if (field.elements != 0 || !field.stand_ins.empty())
    throw UsageError(function, "'" + field.name + "' is in use already: fix it before");
  require_dimension(value, d, function, "the value of '" + what + "'", "E-dimension-field");
  const Expr where = this->place(x.name, place).x.expr();
  if (slopes >= field.slopes)
    throw UsageError(function,
                     "'" + what + "' cannot be held: the energies of '" + field.name +
                         "' have slopes of order " + std::to_string(field.slopes) +
                         ", so that slopes of order " + std::to_string(field.slopes - 1) +
                         " can be fixed at most; this one follows from forces or moments there",
                     "E-field-condition");
  if (find_fixed(field, where, slopes) != nullptr)
    throw UsageError(function,
                     "the " + std::string(slope_word(slopes)) + " '" + what + "' is fixed at " +
                         print(where) + " already",
                     "E-field-condition");
  const Expr v = in_pool(*data_, value, function);
  require_roles(*data_, v, known_roles, function, "the value of '" + what + "'",
                "E-field-condition");
  field.fixes.push_back({slopes, where, make_fixed(*data_, v), data_->source()});
}

void Model::discretize(const Field& which, const DiscretizeOptions& options) {
  const char* function = "Model::discretize";
  FieldData& field = data_->fields[slot(which.index)];
  FieldVariableData& x = data_->field_variables[slot(field.variable)];
  if (field.elements != 0)
    throw UsageError(function, "'" + field.name + "' is discretized already", "E-statement-twice");
  if (x.is_passed && options.is_linear)
    throw UsageError(function,
                     "material moves past the places of '" + field.name +
                         "': its elements are cubic, so that slopes go on from one to the next",
                     "E-field-moving");
  if (options.elements < 1 || options.elements > most_elements)
    throw UsageError(function,
                     "'" + field.name + "' is cut into " + std::to_string(options.elements) +
                         " elements; expected 1 to " + std::to_string(most_elements),
                     "E-field-elements");
  FieldData cut = field;
  cut.elements = options.elements;
  cut.kind = cut.slopes > 1 || x.is_passed ? ElementKind::cubic
             : options.is_linear           ? ElementKind::linear
                                           : ElementKind::quadratic;
  const int mesh = x.elements == 0 ? cut.elements : std::lcm(x.elements, cut.elements);
  if (mesh > most_elements)
    throw UsageError(function,
                     "the elements of the fields of '" + x.name +
                         "' do not fit each other: give them the same number",
                     "E-field-elements");
  std::vector<std::vector<const FieldValue*>> fixed(
      slot(cut.elements * nodes_per_element(cut.kind) + 1), {nullptr, nullptr});
  for (const FixData& fix : cut.fixes) {
    const auto node = find_node(*data_, cut, fix.place);
    if (!node)
      throw UsageError(function,
                       "'" + field.name + "' is fixed at " + print(fix.place) +
                           ", which is no end of one of its " + std::to_string(cut.elements) +
                           " elements",
                       "E-field-elements");
    fixed[slot(*node)][slot(fix.slopes)] = &fix.value;
  }
  const int slopes = cut.kind == ElementKind::cubic ? 2 : 1;
  cut.nodes.resize(fixed.size());
  for (std::size_t node = 0; node < fixed.size(); ++node) {
    for (int k = 0; k < slopes; ++k) {
      if (fixed[node][slot(k)] != nullptr) {
        cut.nodes[node].push_back(*fixed[node][slot(k)]);
        continue;
      }
      const std::string name = field.name + (k == 0 ? "" : x.name) + "_" + std::to_string(node);
      coordinate(name, {.dimension = field.dimension / x.dimension.power(k)});
      cut.nodes[node].push_back(value_of(data_->coordinates.back()));
    }
  }
  field = std::move(cut);
  x.elements = mesh;
}

FieldPlace Model::place(const std::string& variable, const Quantity& x) const {
  const char* function = "Model::place";
  const FieldVariableData& v =
      data_->field_variables[slot(find_variable(*data_, variable, function))];
  if (!x.is_plain_zero())
    require_dimension(x, v.dimension, function, "a place on '" + variable + "'",
                      "E-dimension-field");
  const Expr where = in_pool(*data_, x, function);
  require_roles(*data_, where, {Role::parameter}, function, "a place on '" + variable + "'",
                "E-field-place");
  const Expr length = v.to - v.from;
  Expr s = (where - v.from) / length;
  const auto number = find_constant(*data_, s);
  if (number && (*number < -1e-12 || *number > 1.0 + 1e-12))
    throw UsageError(function,
                     "the place " + print(where) + " is outside: '" + variable + "' goes from " +
                         print(v.from) + " to " + print(v.to),
                     "E-field-place");
  // A simple fraction of the interval is that for all values of parameters.
  for (int den = 1; number && den <= 64; ++den) {
    const Expr fraction =
        data_->pool->rational(static_cast<std::int64_t>(std::llround(*number * den)), den);
    if (where - v.from == length * fraction) {
      s = fraction;
      break;
    }
  }
  return {variable, {where, v.dimension}, 1, 0, s, false};
}

Quantity Model::value(const Field& which, const FieldPlace& place, int slopes, int rates) {
  const char* function = "Model::value";
  FieldData& field = data_->fields[slot(which.index)];
  const FieldVariableData& x = data_->field_variables[slot(field.variable)];
  if (x.name != place.variable)
    throw UsageError(function,
                     "'" + field.name + "' is a field of '" + x.name + "', and the place is on '" +
                         place.variable + "'",
                     "E-field-variable");
  if (rates > 2) throw UsageError(function, "'" + field.name + "' has two rates", "E-rate-unknown");
  const Dimension d = per_second(field.dimension / x.dimension.power(slopes), rates);
  const auto pick = [&](const FieldValue& v) {
    return rates == 0 ? v.value : rates == 1 ? v.rate : v.second_rate;
  };
  if (field.elements == 0) return {pick(find_stand_in(*data_, field, place, slopes)), d};
  const ElementPlace here = find_element(*data_, field, place);
  const Expr h = (x.to - x.from) / data_->pool->rational(field.elements);
  const std::vector<Expr> shapes = element_shapes(field.kind, slopes, here.xi, h);
  const std::vector<ElementValue>& values = element_values(field.kind);
  Expr sum = data_->pool->zero();
  for (std::size_t j = 0; j < values.size(); ++j) {
    const int node = here.element * nodes_per_element(field.kind) + values[j].node;
    sum = sum + shapes[j] * pick(field.nodes[slot(node)][slot(values[j].slopes)]);
  }
  return {sum, d};
}

}  // namespace visviva
