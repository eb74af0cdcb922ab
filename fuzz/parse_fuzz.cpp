// A libFuzzer target: any bytes are a model's text, and the parser must answer with a tree and
// diagnostics.
#include <cstddef>
#include <cstdint>
#include <string>

#include "visviva/base/render.h"
#include "visviva/text/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const visviva::SourceText source{"fuzz.viva", std::string(data, data + size)};
  const visviva::SyntaxTree tree = visviva::parse_syntax(source);
  visviva::render_diagnostics(tree.diagnostics, source.text);
  return 0;
}
