#include "visviva/app/cli/check_file.h"

#include "visviva/base/render.h"
#include "visviva/text/build/load_model.h"

namespace visviva {
namespace {

CheckedModel check_reading(ModelReading reading) {
  CheckedModel checked{
      std::move(reading.source), std::move(reading.diagnostics), std::move(reading.model), {}, {}};
  if (!checked.model || checked.has_error()) return checked;
  std::vector<Diagnostic> more;
  try {
    checked.motion.emplace(analyze_motion(*checked.model));
    checked.start = make_consistent_start(*checked.motion);
    more = check_model(*checked.motion, checked.start);
  } catch (const ModelError& error) {
    more = error.diagnostics();
  }
  checked.diagnostics.insert(checked.diagnostics.end(), more.begin(), more.end());
  checked.diagnostics = sort_diagnostics(checked.diagnostics, 1000);
  return checked;
}

}  // namespace

bool CheckedModel::has_error() const { return visviva::has_error(diagnostics); }

CheckedModel check_file(const std::string& path, const ReadOptions& options) {
  return check_reading(try_load_model(path, options));
}

CheckedModel check_text(const SourceText& source, const ReadOptions& options) {
  return check_reading(read_model(source, options));
}

}  // namespace visviva
