// Laws of a model written once more, with what they name displaced.
#include "visviva/model/declare.h"
#include "visviva/model/model.h"

namespace visviva {
namespace {

std::vector<Expr> three_symbols(const ModelData& model, const std::string& name) {
  std::vector<Expr> symbols;
  for (const char axis : {'x', 'y', 'z'}) symbols.push_back(model.pool->symbol(name + "." + axis));
  return symbols;
}

template <class List>
auto& last_of(List& list, const char* function) {
  if (list.empty()) throw UsageError(function, "nothing of that kind was declared yet");
  return list.back();
}

}  // namespace

VirtualData Model::virtual_displacement(const Point& P) {
  return {VirtualData::Kind::point, index_of(*data_, P, "Model::virtual_displacement"),
          three_symbols(*data_, "displacement(" + P.name() + ")")};
}

VirtualData Model::virtual_rotation(const Frame& A) {
  return {VirtualData::Kind::frame, index_of(*data_, A, "Model::virtual_rotation"),
          three_symbols(*data_, "rotation(" + A.name() + ")")};
}

VirtualData Model::virtual_change(const Quantity& scalar) {
  const char* function = "Model::virtual_change";
  const Expr e = in_pool(*data_, scalar, function);
  const SymbolRole* role = e.is_symbol() ? data_->role(e) : nullptr;
  const auto kind = role == nullptr                  ? VirtualData::Kind::point
                    : role->role == Role::coordinate ? VirtualData::Kind::coordinate
                    : role->role == Role::specified  ? VirtualData::Kind::specified
                    : role->role == Role::time || role->role == Role::specified_rate
                        ? VirtualData::Kind::time
                        : VirtualData::Kind::point;
  if (kind == VirtualData::Kind::point)
    throw UsageError(function, "only a coordinate, a specified function or time can change");
  return {
      kind, role->index, {data_->pool->symbol("change(" + e.home().symbol_name(e.ref()) + ")")}};
}

void Model::displace_gravity(const Displaced& displaced) { data_->gravity_displaced = displaced; }

void Model::displace_force(const Displaced& displaced) {
  last_of(data_->forces, "Model::displace_force").displaced = displaced;
}

void Model::displace_energy(const Displaced& displaced) {
  last_of(data_->energies, "Model::displace_energy").displaced = displaced;
}

void Model::displace_constraint(const Displaced& displaced) {
  last_of(data_->constraints, "Model::displace_constraint").displaced = displaced;
}

}  // namespace visviva
