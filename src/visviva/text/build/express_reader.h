// ExpressReader: expressions that the command line wants written out, "velocity(P) in A".
#pragma once

#include "visviva/text/build/expression_reader.h"
#include "visviva/text/build/model_reading.h"

namespace visviva {

class ExpressReader {
 public:
  ExpressReader(ModelDraft& draft, NameTable& names, ExpressionReader& expressions)
      : draft_(draft), names_(names), expressions_(expressions) {}

  /// Reads them all; what is wrong with one stands at its place on the command line.
  void read(const ReadOptions& options);

 private:
  void read_one(const std::string& text, const SourceSpan& place);

  ModelDraft& draft_;
  NameTable& names_;
  ExpressionReader& expressions_;
};

}  // namespace visviva
