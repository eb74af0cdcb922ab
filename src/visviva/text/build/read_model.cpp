#include "visviva/text/build/read_model.h"

#include "visviva/text/build/model_reader.h"
#include "visviva/text/syntax/parser.h"

namespace visviva {

ModelReading read_model(const SourceText& source, const ReadOptions& options) {
  const SyntaxTree tree = parse_syntax(source);
  return ModelReader(tree, source, options).read();
}

}  // namespace visviva
