// ModelReader: walks a syntax tree and makes the Model's declarations, in whatever order they need
// each other.
//
// | what                     | who reads it                             |
// |--------------------------|------------------------------------------|
// | names, and what they are | NameTable, ScalarTable                   |
// | expressions              | ExpressionReader                         |
// | a case, --set            | ModelChanges                             |
// | tables                   | TableReader                              |
// | statements               | one reader for each family of statements |
// | the model, the errors    | ModelDraft, which all of them write into |
#pragma once

#include "visviva/text/build/constraint_reader.h"
#include "visviva/text/build/express_reader.h"
#include "visviva/text/build/force_reader.h"
#include "visviva/text/build/geometry_reader.h"
#include "visviva/text/build/model_reading.h"
#include "visviva/text/build/picture_reader.h"
#include "visviva/text/build/result_reader.h"
#include "visviva/text/build/scalar_reader.h"
#include "visviva/text/build/start_reader.h"

namespace visviva {

class ModelReader {
 public:
  ModelReader(const SyntaxTree& tree, const SourceText& source, const ReadOptions& options);

  /// Reads the whole text, once.
  ModelReading read();

 private:
  void make(Declaration& declaration);
  void read_auxiliary(const SyntaxStatement& s);
  void check();
  void warn_of_unused_names();

  const ReadOptions& options_;
  ModelDraft draft_;
  NameTable names_;
  ModelChanges changes_;
  ExpressionReader expressions_;
  TableReader tables_;
  ScalarReader scalars_;
  StartReader starts_;
  GeometryReader geometry_;
  PictureReader pictures_;
  ForceReader forces_;
  ConstraintReader constraints_;
  ResultReader results_;
  ExpressReader express_;
};

}  // namespace visviva
