#include "visviva/text/build/model_reader.h"

#include "visviva/base/render.h"
#include "visviva/text/build/check_angles.h"
#include "visviva/text/build/check_definitions.h"
#include "visviva/text/build/check_statements.h"
#include "visviva/text/build/read_followed.h"
#include "visviva/text/build/read_variations.h"
#include "visviva/text/syntax/limits.h"

namespace visviva {

ModelReader::ModelReader(const SyntaxTree& tree, const SourceText& source,
                         const ReadOptions& options)
    : options_(options),
      draft_(tree, source),
      names_(draft_),
      changes_(draft_, options),
      expressions_(draft_, names_, tables_),
      tables_(draft_, names_, expressions_, options.table_folders),
      scalars_(draft_, names_, expressions_, changes_, tables_),
      geometry_(draft_, names_, expressions_),
      fields_(draft_, names_, expressions_, options.fields),
      starts_(draft_, names_, expressions_, changes_, fields_),
      pictures_(draft_, names_, expressions_, geometry_),
      forces_(draft_, names_, expressions_, fields_),
      constraints_(draft_, names_, expressions_),
      results_(draft_, expressions_),
      express_(draft_, names_, expressions_) {
  names_.set_maker([this](Declaration& declaration) { make(declaration); });
  expressions_.set_line_maker([this](LineDeclaration& line, const SourceSpan& place) {
    const auto no_results = expressions_.allow_results(false);
    fields_.make_line(line, place);
  });
}

ModelReading ModelReader::read() {
  scalars_.reserve_quaternions();
  scalars_.declare();
  fields_.reserve_names();
  // What is given as a number first: it fixes the dimensions that all else is held against.
  scalars_.define_given();
  fields_.declare();
  starts_.read_coordinates();
  scalars_.define_speeds();
  fields_.read_lines();
  names_.make_all();
  scalars_.define_states();
  pictures_.read();
  draft_.for_each(StatementKind::auxiliary, [&](const SyntaxStatement& s) { read_auxiliary(s); });
  forces_.read();
  starts_.read_starts();
  constraints_.read(changes_.locks());
  read_followed(draft_, names_, options_);
  results_.read();
  express_.read(options_);
  read_variations(draft_, expressions_, names_, options_.variations);
  check();

  ModelReading reading;
  reading.source = draft_.source();
  std::vector<Diagnostic> diagnostics = draft_.diagnostics();
  for (Diagnostic& d : diagnostics) {
    if (is_from_command_line(d.span)) name_command_line(d);
  }
  reading.diagnostics = sort_diagnostics(std::move(diagnostics), most_problems);
  if (!draft_.has_error()) reading.model.emplace(std::move(draft_.model()));
  return reading;
}

// Results are of motion, and what is declared here must not need them.
void ModelReader::make(Declaration& declaration) {
  const auto no_results = expressions_.allow_results(false);
  switch (declaration.kind) {
    case Declaration::Kind::frame:
      return geometry_.read_frame(declaration);
    case Declaration::Kind::point:
      return geometry_.read_point(declaration);
    case Declaration::Kind::let:
      declaration.value = expressions_.read(*declaration.item->value);
  }
}

void ModelReader::read_auxiliary(const SyntaxStatement& s) {
  const Vector along = expressions_.read_vector(find_clause(s, "along")->values[0]);
  const Point at = expressions_.find_point(find_clause(s, "at")->values[0]);
  draft_.stand_at(s.span);
  draft_.model().auxiliary(s.name.text, along, at);
  names_.scalars().add(s.name.text,
                       Quantity(draft_.data().auxiliaries.back().symbol,
                                Dimension::of(Dimension::length) / Dimension::of(Dimension::time)));
}

void ModelReader::check() {
  for (const Diagnostic& d : check_definitions(draft_.data())) draft_.add(d);
  for (const auto& [name, f] : names_.functions())
    if (!f.is_used) expressions_.check_function(name);
  fields_.check();
  check_repeated_statements(draft_);
  check_other_cases(draft_, {names_, expressions_, tables_}, options_.case_name);
  changes_.report_unused(names_.scalars().names());
  for (const Diagnostic& d : check_angles(draft_.tree(), draft_.data(), changes_)) draft_.add(d);
  // Beside errors this would only be noise.
  if (!draft_.has_error()) warn_of_unused_names();
}

void ModelReader::warn_of_unused_names() {
  for (const auto& [name, let] : names_.lets()) {
    if (!let.is_used)
      draft_.add({Severity::warning, "W-unused-name", "the `let` '" + name + "' is never used", "",
                  let.item->name.span});
  }
  for (const auto& [name, f] : names_.functions()) {
    if (!f.is_used)
      draft_.add({Severity::warning, "W-unused-name", "the function '" + name + "' is never used",
                  "", f.item->name.span});
  }
}

}  // namespace visviva
