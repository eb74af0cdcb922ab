// Joints, gears and belts become the statements that they stand for: frames, points, constraints.
//
// J is the joint's name, B what it carries, A what carries it, P its place, a the axis.
//
// | kind      | frames                                       | point J                     |
// |-----------|----------------------------------------------|-----------------------------|
// | pin       | B = rotate(A, a, q)                          | P                           |
// | slider    | B = rotate(A, x, 0)                          | P + s*a                     |
// | screw     | B = rotate(A, a, q)                          | P + p*q/(2*pi)*a            |
// | universal | J_cross = rotate(A, a, q1),                  | P                           |
// |           | B = rotate(J_cross, b, q2)                   |                             |
// | ball      | B = rotate(A, xyz, q1, q2, q3) or quaternion | P                           |
// | planar    | B = rotate(A, z, q)                          | P + u*A.x + v*A.y           |
// | free      | as a ball                                    | P + u*A.x + v*A.y + w*A.z   |
// | weld      | B = rotate(A, x, 0)                          | P                           |
//
// With two points, `at P, Q`, B is there already and the joint closes a loop; a' is the axis of B, x, y, z those of the frame
// of a from a on, x', y', z' those of the frame of a':
//
// | pin       | Q - P = 0, a orthogonal to y', z'            |
// | ball      | Q - P = 0                                    |
// | universal | Q - P = 0, a orthogonal to a'                |
// | weld      | Q - P = 0, x, y, z orthogonal to y', z', x'  |
// | slider    | Q - P orthogonal to y, z, x, y, z orthogonal to y', z', x' |
// | planar    | Q - P orthogonal to a, a orthogonal to y', z' |
// | screw     | Q - P orthogonal to y, z, a orthogonal to y', z', and the rate of Q - P along a is p/(2*pi) times that of the turn |
//
// A gear or belt G on q1, q2, ratio r is the constraint G: q1' = r*q2'.
#pragma once

#include "visviva/text/syntax/syntax.h"

namespace visviva {

/// Replaces the joints of a tree by what they stand for, which is told in tree->joints. Damaged ones go.
void expand_joints(SyntaxTree* tree);

}  // namespace visviva
