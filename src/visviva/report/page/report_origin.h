// ReportOrigin: what a page says about where it came from.
#pragma once

#include <string>
#include <vector>

#include "visviva/base/source_text.h"
#include "visviva/report/derivation/field_text.h"
#include "visviva/report/plot/plot.h"

namespace visviva {

/// The run of a case of the model, beside the run that the page is about.
struct CasePanel {
  std::string name, documentation{};
  std::vector<Plot> plots{};
  std::string remark{};  ///< why there are no plots, or how the run ended
};

/// Equations of fields, before they were discretized.
struct FieldPanel {
  std::vector<FieldLine> lines{};  ///< in MathML
  std::string latex{};
  bool is_balance_proved = false;
};

/// What the model was read from and how the report was made.
struct ReportOrigin {
  SourceText source{};
  std::vector<TextSpan> colours{};  ///< of the source
  std::string version{}, command{};
  std::vector<CasePanel> cases{};
  FieldPanel fields{};
  std::vector<std::string> certificate{};  ///< what stands below that of the run
  std::vector<std::string> remarks{};      ///< warnings and the like, for the reader
};

}  // namespace visviva
