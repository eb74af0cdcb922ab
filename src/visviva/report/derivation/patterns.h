// Patterns: what a large mechanism prints over and over, written once.
//
// Numbers in a text are its places: the digits behind a name are an index, others are numbers. Texts follow a rule when they
// are the same but for their places, and each place grows evenly from one text to the next; then
//   z4 = z2 + 2*q2,  z5 = z4*q2,  z6 = z4 + 3*q3,  z7 = z6*q3, ...                               (1)
// is z[2*k] = z[2*k-2] + k*q[k], z[2*k+1] = z[2*k]*q[k] for k = 2 ... Nothing is guessed: a text counts to a pattern only when
// the pattern gives it to the letter.
#pragma once

#include <string>
#include <vector>

namespace visviva {

/// The sum with runs of terms that follow a rule as sum(k = 2 ... 99: ...).
std::string fold_sum(const std::string& sum);

/// left = right
struct WrittenEquation {
  std::string left, right;
};

/// The equations with runs that follow a rule, one or a few to a step, written once and with the range of their index.
std::vector<WrittenEquation> fold_equations(const std::vector<WrittenEquation>& equations);

}  // namespace visviva
