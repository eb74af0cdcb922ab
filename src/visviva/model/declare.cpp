#include "visviva/model/declare.h"

#include "visviva/base/result_table.h"
#include "visviva/symbolic/calculus/inspect.h"

namespace visviva {

namespace dimensions {
const Dimension length = Dimension::of(Dimension::length);
const Dimension mass = Dimension::of(Dimension::mass);
const Dimension duration = Dimension::of(Dimension::time);
const Dimension rate = Dimension() / duration;
const Dimension speed = length / duration;
const Dimension acceleration = speed / duration;
const Dimension force = mass * acceleration;
const Dimension torque = force * length;
const Dimension energy = torque;
const Dimension moment_of_inertia = mass * length * length;
}  // namespace dimensions

Dimension per_second(const Dimension& d, int times) {
  return d / dimensions::duration.power(times);
}

// Letters of any script (bytes beyond ASCII), digits and _, not starting with a digit; indices such as [3] after that.
static bool is_name(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.empty() || is_digit(name[0])) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '[' && i > 0) {
      const std::size_t end = name.find(']', i);
      if (end == std::string::npos || end == i + 1) return false;
      while (++i < end)
        if (!is_digit(name[i])) return false;
      continue;
    }
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                        static_cast<unsigned char>(c) >= 0x80;
    if (!letter && !is_digit(c)) return false;
  }
  return true;
}

void require_name(const std::string& name, const char* function) {
  if (!is_name(name))
    throw UsageError(function, "'" + name + "' is no name: letters, digits and _, a letter first",
                     "E-syntax-expected");
}

void require_free_scalar(const ModelData& data, const std::string& name, const char* function) {
  require_name(name, function);
  if (find_energy_result(name) != nullptr || name == "t" || name == "pi")
    throw UsageError(function, "the name '" + name + "' is reserved", "E-name-reserved");
  if (data.pool->has_symbol_named(name) && data.role(data.pool->symbol(name)) != nullptr)
    throw UsageError(function, "the scalar '" + name + "' is declared already", "E-name-twice");
}

void require_free(const std::unordered_map<std::string, int>& places, const std::string& name,
                  const char* function, const char* what) {
  if (places.count(name) == 0) return;
  throw UsageError(function, std::string("the ") + what + " '" + name + "' is declared already",
                   "E-name-twice");
}

const char* role_name(Role role) {
  switch (role) {
    case Role::parameter:
      return "a parameter";
    case Role::specified:
      return "a specified function";
    case Role::specified_rate:
      return "a rate of a specified function";
    case Role::input:
      return "an input";
    case Role::state:
      return "a state";
    case Role::coordinate:
      return "a coordinate";
    case Role::rate:
      return "a rate";
    case Role::second_rate:
      return "a second rate";
    case Role::speed:
      return "a speed";
    case Role::speed_rate:
      return "a rate of a speed";
    case Role::time:
      return "time";
    case Role::hidden:
      return "a hidden state";
    case Role::measure:
      return "a quantity of motion";
    case Role::unknown:
      return "an unknown";
    case Role::auxiliary:
      return "an auxiliary speed";
    case Role::momentum:
      return "a momentum";
    case Role::result:
      return "a result";
  }
  return "a symbol";
}

// UsageError when an expression contains a symbol of a role that is not among those allowed.
void require_roles(const ModelData& data, const Expr& expr, const std::set<Role>& allowed,
                   const char* function, const std::string& what, const char* code) {
  for (const Expr& s : free_symbols(expr)) {
    const SymbolRole* role = data.role(s);
    const std::string& name = s.home().symbol_name(s.ref());
    if (role == nullptr)
      throw UsageError(function,
                       what + " contains '" + name + "', which this model does not declare",
                       "E-name-unknown");
    if (allowed.count(role->role) == 0) {
      throw UsageError(function,
                       what + " contains '" + name + "', " + role_name(role->role) +
                           ", which cannot stand there",
                       code);
    }
  }
}

// What a velocity contains is differentiated once more, and x''' is the last rate that is kept.
void require_derivable(const ModelData& data, const Expr& expr, const char* function,
                       const std::string& what) {
  for (const Expr& s : free_symbols(expr)) {
    const SymbolRole* role = data.role(s);
    if (role == nullptr || role->role != Role::specified_rate) continue;
    const SpecifiedData& x = data.specified[static_cast<std::size_t>(role->index)];
    if (s == x.derivatives.back())
      throw UsageError(function, what + " contains '" + x.name + "'''', whose rate is not kept");
  }
}

const std::set<Role> configuration_roles = {Role::parameter, Role::specified, Role::coordinate,
                                            Role::time, Role::hidden};
const std::set<Role> known_roles = {Role::parameter, Role::specified, Role::specified_rate,
                                    Role::time};

Expr in_pool(const ModelData& data, const Quantity& q, const char* function) {
  if (!q.is_literal() && !q.expr().home().is_related(*data.pool.share()))
    throw UsageError(function, "a quantity belongs to another model");
  return q.expr(*data.pool);
}

void require_same(const ModelData& data, const ModelData* other, const char* function) {
  if (other != nullptr && other != &data)
    throw UsageError(function, "a frame, point or vector belongs to another model");
}

const std::set<Role> motion_roles = {Role::parameter, Role::specified,  Role::specified_rate,
                                     Role::input,     Role::coordinate, Role::rate,
                                     Role::speed,     Role::time,       Role::hidden,
                                     Role::measure,   Role::unknown,    Role::state};

void require_roles(const ModelData& data, const Vector& v, const std::set<Role>& allowed,
                   const char* function, const std::string& what) {
  require_same(data, v.model(), function);
  for (const Vector::Part& part : v.parts()) {
    for (const Expr& e : part.column) require_roles(data, e, allowed, function, what);
  }
}

Expr constant_scalar(const ModelData& data, const Quantity& q, const Dimension& dimension,
                     const char* function, const std::string& what, const char* code) {
  require_dimension(q, dimension, function, what, code);
  const Expr e = in_pool(data, q, function);
  require_roles(data, e, {Role::parameter}, function, what, "E-value-not-constant");
  return e;
}

int index_of(const ModelData& data, const Point& p, const char* function) {
  require_same(data, &p.model(), function);
  return p.index();
}

int index_of(const ModelData& data, const Frame& f, const char* function) {
  require_same(data, &f.model(), function);
  return f.index();
}

}  // namespace visviva
