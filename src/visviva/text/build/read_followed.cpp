#include "visviva/text/build/read_followed.h"

#include "visviva/text/build/model_draft.h"

namespace visviva {
namespace {

void add_outputs(Model& model, const std::string& coordinate) {
  const std::string motor = "motor(" + coordinate + ")", power = "power(" + coordinate + ")";
  model.output(motor, model.motor(coordinate), true);
  model.output(power, model.result(power), true);
}

void guess(Model& model, const Quantity& q, double value) {
  model.start(q, {Quantity(value).literal(), q.dimension()}, {.is_guess = true});
}

}  // namespace

void read_followed(ModelDraft& draft, NameTable& names, const ReadOptions& options) {
  if (draft.has_error() || options.followed.empty()) return;
  Model& model = draft.model();
  if (options.follows_all) model.release_start();
  for (const ReadOptions::Followed& f : options.followed) {
    const auto q = names.scalars().find(f.coordinate);
    if (!q) continue;
    if (f.is_driven)
      model.follow(*q, f.curve);
    else
      guess(model, *q, f.curve->value(f.curve->first()));
  }
  for (const ReadOptions::Followed& f : options.followed)
    if (f.is_driven) add_outputs(model, f.coordinate);
}

}  // namespace visviva
