#include "visviva/simulation/integrators/methods.h"

#include "visviva/base/error.h"
#include "visviva/base/words.h"

namespace visviva {
namespace {

struct Method {
  const MethodFacts& (*facts)();
  std::unique_ptr<Stepper> (*make)(RateFunction&);
};

constexpr Method methods[] = {
    {verner98_facts, make_verner98},
    {dop853_facts, make_dop853},
    {dopri5_facts, make_dopri5},
    {radau5_facts, make_radau5},
};

}  // namespace

std::unique_ptr<Stepper> make_stepper(const std::string& method, RateFunction& function) {
  for (const Method& known : methods) {
    if (known.facts().name == method) return known.make(function);
  }
  const std::string names = join_each(list_methods(), [](const auto& m) { return m.name; });
  throw UsageError("make_stepper", "no method is called '" + method + "'; there are " + names);
}

const std::vector<MethodFacts>& list_methods() {
  static const std::vector<MethodFacts> list = [] {
    std::vector<MethodFacts> facts;
    for (const Method& method : methods) facts.push_back(method.facts());
    return facts;
  }();
  return list;
}

}  // namespace visviva
