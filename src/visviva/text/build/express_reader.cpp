#include "visviva/text/build/express_reader.h"

#include "visviva/text/build/model_changes.h"
#include "visviva/text/syntax/check_syntax.h"
#include "visviva/text/syntax/parser.h"

namespace visviva {
namespace {

constexpr const char* express_help =
    "write an expression and a frame, such as --express \"velocity(P) in A\"";

std::string trimmed(const std::string& s) {
  const std::size_t first = s.find_first_not_of(" \t"), last = s.find_last_not_of(" \t");
  return first == std::string::npos ? "" : s.substr(first, last - first + 1);
}

// "velocity(P) in A" taken apart. The words before the last `in` are the expression.
struct ExpressText {
  std::string expression;
  std::optional<std::string> frame;
};

ExpressText split_frame(const std::string& text) {
  const std::string whole = " " + trimmed(text) + " ";
  const std::size_t in = whole.rfind(" in ");
  if (in == std::string::npos) return {trimmed(whole), {}};
  return {trimmed(whole.substr(0, in)), trimmed(whole.substr(in + 3))};
}

}  // namespace

void ExpressReader::read(const ReadOptions& options) {
  const auto allowed = expressions_.allow_momenta(true);
  for (const std::string& text : options.expressions) {
    const SourceSpan place = {"--express " + text, 0, 0, 0};
    draft_.attempt(place, "", [&] { read_one(text, place); });
  }
}

void ExpressReader::read_one(const std::string& text, const SourceSpan& place) {
  const ExpressText parts = split_frame(text);
  std::set<std::string> functions;
  for (const auto& f : names_.functions()) functions.insert(f.first);
  ExpressionReading reading = parse_expression({"--express", parts.expression}, functions);
  if (reading.expression) reading.diagnostics = check_function_places(*reading.expression);
  if (!reading.expression || !reading.diagnostics.empty())
    draft_.fail(place, "E-express-form",
                "cannot be read" + (reading.diagnostics.empty()
                                        ? std::string()
                                        : ": " + reading.diagnostics.front().message),
                express_help);
  place_at(*reading.expression, place);
  std::optional<Frame> frame;
  if (parts.frame) {
    if (parts.frame->empty())
      draft_.fail(place, "E-express-form", "there is no frame after `in`", express_help);
    frame = names_.find_frame(SyntaxName{*parts.frame, 0, place});
  }
  const Value v = expressions_.read(*reading.expression);
  if (const Vector* w = std::get_if<Vector>(&v))
    return draft_.model().express(parts.expression, *w, frame);
  const Quantity* q = std::get_if<Quantity>(&v);
  if (q == nullptr)
    draft_.fail(place, "E-express-form", "a point has no components",
                "write " + parts.expression + " - No for its position");
  if (frame)
    draft_.fail(place, "E-express-form",
                parts.expression + " is a scalar, which is the same in every frame",
                "leave `in " + *parts.frame + "` out");
  draft_.model().express(parts.expression, *q);
}

}  // namespace visviva
