#include "visviva/text/build/read_model.h"

#include "visviva/text/build/gather_text.h"
#include "visviva/text/build/model_reader.h"

namespace visviva {

ModelReading read_model(const SourceText& source, const ReadOptions& options) {
  const GatheredText text = gather_text(source);
  return ModelReader(text.tree, text.source, options).read();
}

}  // namespace visviva
