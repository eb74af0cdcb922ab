// Coordinates that follow a curve: a function of time, and the constraint by which a motor keeps it.
#include <algorithm>

#include "visviva/model/declare.h"
#include "visviva/model/model.h"

namespace visviva {
namespace {

bool is_taken(const ModelData& data, const std::string& scalar) {
  return data.pool->has_symbol_named(scalar) && data.role(data.pool->symbol(scalar)) != nullptr;
}

bool acts(const ModelData& data, const std::string& name) {
  const auto has = [&](const auto& list) {
    return std::any_of(list.begin(), list.end(), [&](const auto& x) { return x.name == name; });
  };
  return has(data.forces) || has(data.springs) || has(data.energies) || has(data.constraints);
}

}  // namespace

void Model::release_start() {
  for (CoordinateData& c : data_->coordinates)
    c.start_note.is_guess = c.start_rate_note.is_guess = true;
  for (SpeedData& s : data_->speeds) s.start_note.is_guess = true;
  for (StartCondition& s : data_->start_conditions) s.note.is_guess = true;
}

void Model::follow(const Quantity& coordinate, std::shared_ptr<const Spline> curve) {
  const char* const function = "Model::follow";
  const SymbolRole* role = coordinate.is_literal() || !coordinate.expr().is_symbol()
                               ? nullptr
                               : data_->role(coordinate.expr());
  if (role == nullptr || role->role != Role::coordinate)
    throw UsageError(function, "only a coordinate can follow a curve");
  const auto index = static_cast<std::size_t>(role->index);
  const std::string name = data_->coordinates[index].name;
  const double first = curve->value(curve->first()), rate = curve->value(curve->first(), 1);
  std::string function_name = name + "_along", constraint_name = name;
  while (is_taken(*data_, function_name)) function_name += "_";
  while (acts(*data_, constraint_name)) constraint_name += "_along";
  const Source& place = data_->coordinates[index].source;
  set_source(place.span, place.documentation);

  const Quantity f = specified(function_name, coordinate.dimension());
  define(f, std::move(curve), coordinate.dimension());
  data_->specified.back().drives = name;
  constraint(constraint_name, coordinate - f);
  data_->constraints.back().is_drive = true;
  data_->constraints.back().coordinate = static_cast<int>(index);
  const auto number = [](double value, const Dimension& d) {
    return Quantity(Quantity(value).literal(), d);
  };
  const Quantity q_rate = this->rate(coordinate);
  start(coordinate, number(first, coordinate.dimension()), {.is_change = true});
  start(q_rate, number(rate, q_rate.dimension()), {.is_change = true});
}

}  // namespace visviva
