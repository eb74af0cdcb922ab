// Fewer terms by identities: sin^2 + cos^2 = 1 and its kin, and sums of angles.
//
//   (1) M a + M b g1^2 + M c g2^2 = M (a + t) + M (b - t) g1^2 + M (c - t) g2^2
//       for g1^2 + g2^2 = 1 and any t
//   (2) cos a cos b + sin a sin b = cos(a - b),   cos a cos b - sin a sin b = cos(a + b)
//   (3) sin a cos b + cos a sin b = sin(a + b),   sin a cos b - cos a sin b = sin(a - b)
#pragma once

#include "visviva/symbolic/simplify/simplify_generators.h"

namespace visviva {

/// A polynomial after (1), wherever that lessens the number of terms.
Polynomial exchange_squares(Polynomial p, const std::vector<SquareRelation>& relations,
                            Budget& budget);

/// A polynomial with the squares of one member of a relation replaced by the others.
Polynomial eliminate_square(const Polynomial& p, const SquareRelation& relation, std::size_t member,
                            Budget& budget);

/// A polynomial after (2) and (3), wherever two terms become one. New angles enter the table.
Polynomial recombine_angles(Polynomial p, GeneratorTable& table, Budget& budget);

}  // namespace visviva
