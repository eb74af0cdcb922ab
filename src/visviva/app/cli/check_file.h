// The chain every command starts with: a file is read, its motion analysed, a start state made, and
// everything that is wrong collected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "visviva/kinematics/check_model.h"
#include "visviva/report/interactions/claims.h"
#include "visviva/text/build/read_model.h"

namespace visviva {

struct CheckedModel {
  SourceText source;                    ///< what the diagnostics point into
  std::vector<Diagnostic> diagnostics;  ///< sorted by place
  std::optional<Model> model;           ///< the last three: as far as the chain went
  std::optional<Kinematics> motion;
  ConsistentStart start;
  std::vector<ClaimVerdict> claims{};  ///< once they are judged: one for each claim of the model

  bool has_error() const;
};

/// A refusal of symbols (a division by zero, a number beyond the range of numbers) as an error of the model; throws on
/// what is none, which is a mistake of ours.
Diagnostic diagnose_refusal(const UsageError& error);

/// What is done with a model beyond reading it.
struct CheckOptions {
  bool integrates_constraints =
      false;  ///< integrable rows are kept as conditions on the configuration, too
};

CheckedModel check_file(const std::string& path, const ReadOptions& options = {},
                        const CheckOptions& check = {});
CheckedModel check_text(const SourceText& source, const ReadOptions& options = {},
                        const CheckOptions& check = {});

/// Adds what is wrong with the claims of a sound model; undecided ones are errors when `strict`.
void judge_claims(CheckedModel* checked, bool strict);

}  // namespace visviva
