// The functions, solids and reserved names of the language.
#include "visviva/base/result_table.h"
#include "visviva/text/grammar/grammar.h"

namespace visviva {
namespace {

constexpr int any = -1;

std::vector<FunctionRule> scalar_functions() {
  return {
      {"sin", 1, 1, "angle", "number", "sine"},
      {"cos", 1, 1, "angle", "number", "cosine"},
      {"tan", 1, 1, "angle", "number", "tangent"},
      {"asin", 1, 1, "number", "angle", "inverse sine, from -pi/2 to pi/2"},
      {"acos", 1, 1, "number", "angle", "inverse cosine, from 0 to pi"},
      {"atan", 1, 1, "number", "angle", "inverse tangent, from -pi/2 to pi/2"},
      {"atan2", 2, 2, "y, x of one dimension", "angle",
       "angle of the point (x, y), from -pi to pi"},
      {"sinh", 1, 1, "number", "number", "hyperbolic sine"},
      {"cosh", 1, 1, "number", "number", "hyperbolic cosine"},
      {"tanh", 1, 1, "number", "number", "hyperbolic tangent"},
      {"exp", 1, 1, "number", "number", "exponential function"},
      {"log", 1, 1, "number", "number", "natural logarithm"},
      {"sqrt", 1, 1, "scalar", "scalar", "square root; halves the dimension"},
      {"abs", 1, 1, "scalar", "scalar", "absolute value"},
      {"sign", 1, 1, "scalar", "number", "-1, 0 or 1"},
      {"min", 2, any, "scalars of one dimension", "scalar", "the smallest"},
      {"max", 2, any, "scalars of one dimension", "scalar", "the largest"},
      {"step", 1, 1, "scalar", "number", "0 below 0, 1 above"},
  };
}

std::vector<FunctionRule> vector_functions() {
  return {
      {"dot", 2, 2, "vector, vector", "scalar", "scalar product"},
      {"cross", 2, 2, "vector, vector", "vector", "vector product"},
      {"magnitude", 1, 1, "vector", "scalar", "length of a vector"},
      {"unit", 1, 1, "vector", "vector", "the vector divided by its magnitude"},
      {"velocity", 1, 2, "point | point, frame | point on body", "vector",
       "velocity in N, or in the frame; `P on C`: of the material point of C that is now at P"},
      {"acceleration", 1, 1, "point", "vector", "acceleration in N"},
      {"angular_velocity", 1, 2, "frame | frame, frame", "vector",
       "angular velocity in N, or in the second frame"},
      {"angular_acceleration", 1, 1, "frame", "vector", "angular acceleration in N"},
      {"momentum", 1, 1, "body or particle", "vector", "linear momentum in N"},
      {"angular_momentum", 1, 2, "body or particle, point | point", "vector",
       "angular momentum in N about the point; without a body, of all of them together, in outputs "
       "and claims"},
  };
}

std::vector<FunctionRule> special_functions() {
  const auto frame = FunctionPlace::frame_value;
  const auto output = FunctionPlace::output;
  return {
      {"rotate", 3, 5, "frame, axis, angle | frame, [space] sequence, three angles", "frame",
       "turned about x, y or z, or about a vector fixed in the parent; or by three angles, "
       "body-fixed or `space`-fixed, in a "
       "sequence such as zxz",
       frame},
      {"quaternion", 5, 5, "frame, e0, e1, e2, e3", "frame",
       "oriented by Euler parameters, scalar first", frame},
      {"rodrigues", 4, 4, "frame, g1, g2, g3", "frame",
       "oriented by a Gibbs vector, axis*tan(angle/2)", frame},
      {"spin", 2, 2, "frame, vector", "frame", "given by its angular velocity in the parent",
       frame},
      {"table", 1, 6,
       "\"file\", column n, over x in u, unit u, `linear`, `hold`, `periodic` or `error`", "scalar",
       "a smooth curve, or straight pieces, through the samples of a CSV file over its first "
       "column, "
       "`over x and y` a map; "
       "outside of them its end values, itself again, or an error"},
      {"reaction", 1, 1, "constraint, roll, lock or point", "vector",
       "the force of the constraint, or at the point; an output of it writes the moment too",
       output},
      {"moment", 1, 2, "constraint, roll, lock or point | interaction, body", "vector",
       "the moment of the reaction; of two names, the moment of an interaction on a body or frame, "
       "about its mass "
       "center",
       output},
      {"force", 2, 2, "interaction, body or particle", "vector",
       "the force of a constraint, spring, damper, force, potential, motor or `gravity` on a body, "
       "a "
       "particle, a point or N",
       output},
      {"multiplier", 1, 1, "constraint, roll or lock", "scalar or vector",
       "the multiplier of the constraint; of a vector constraint or roll a vector", output},
      {"motor", 1, 1, "specified motion", "scalar", "force or torque of its motor", output},
      {"jacobian", 1, 1, "point", "matrix",
       "by itself in `output` or `plot`: the velocity of the point along N for a unit of each "
       "speed, jacobian(P).SPEED",
       output},
      {"power", 1, 2, "force, specified motion, `gravity` or `nonconservative` | interaction, body",
       "scalar",
       "power of a force or of a motor, of all gravity; P_nonconservative; of two names, the power "
       "of an interaction "
       "on a body",
       output},
      {"work", 1, 1, "force, specified motion, `gravity` or `nonconservative`", "scalar",
       "integral of the power since the start", output},
      {"generalized_power", 1, 1, "force or `gravity`", "scalar",
       "power through v_R, the part of the velocities that the independent speeds make", output},
      {"generalized_work", 1, 1, "force or `gravity`", "scalar",
       "integral of the generalized power since the start", output},
      {"d", 2, -1, "function, argument, ...", "scalar",
       "the partial derivative of a `function` by its arguments, at the scalars of their names; "
       "d(X, theta)(2*theta) at another place"},
      {"action", 0, 0, "", "scalar", "integral of K - V since the start", output},
  };
}

}  // namespace

const std::vector<FunctionRule>& function_rules() {
  static const std::vector<FunctionRule> rules = [] {
    std::vector<FunctionRule> all;
    for (const auto& group : {scalar_functions(), vector_functions(), special_functions()}) {
      all.insert(all.end(), group.begin(), group.end());
    }
    return all;
  }();
  return rules;
}

const std::vector<SolidRule>& solid_rules() {
  static const std::vector<SolidRule> rules = {
      {"sphere", {"radius"}, 0, false, "a full ball: `sphere radius r`"},
      {"shell", {"radius"}, 0, false, "a thin hollow ball: `shell radius r`"},
      {"rod", {"length"}, 0, true, "a thin straight rod: `rod length l along y`"},
      {"cylinder",
       {"radius", "length"},
       0,
       true,
       "a full cylinder: `cylinder radius r, length l along z`"},
      {"disc", {"radius"}, 0, true, "a thin disc: `disc radius r along z`"},
      {"box", {}, 3, false, "a full box: `box a, b, c` along x, y, z"},
      {"capsule",
       {"radius", "length"},
       0,
       true,
       "a full cylinder with half a ball at each end: `capsule radius r, length l along z`; l is "
       "the cylinder's"},
      {"ellipsoid",
       {},
       3,
       false,
       "a full ellipsoid by its semiaxes: `ellipsoid a, b, c` along x, y, z"},
  };
  return rules;
}

const std::vector<JointRule>& joint_rules() {
  static const std::vector<JointRule> rules = {
      {"pin", 1, {"angle"}, false, "turns about an axis: `along z, angle q`"},
      {"slider", 1, {"length"}, false, "slides along an axis: `along x, length s`"},
      {"screw",
       1,
       {"angle", "pitch"},
       false,
       "turns about an axis and moves by the pitch in a full turn: `along z, angle q, pitch p`"},
      {"universal",
       2,
       {"angles"},
       false,
       "turns about two axes, the second carried by the first: `along x, y, angles q1, q2`"},
      {"ball",
       0,
       {"angles", "quaternion"},
       true,
       "turns freely: `angles q1, q2, q3` about x, y, z in turn, or `quaternion e0, e1, e2, e3`; "
       "without either the joint declares a quaternion, J_e0 ... J_e3"},
      {"planar",
       1,
       {"lengths", "angle"},
       false,
       "slides in a plane and turns about its normal, x, y or z: `along z, lengths a, b, angle q`"},
      {"free",
       0,
       {"lengths", "angles", "quaternion"},
       true,
       "moves freely: `lengths a, b, c` along x, y, z, and angles or a quaternion as for a ball; "
       "what is left out the joint declares, J_x, J_y, J_z and J_e0 ... J_e3"},
      {"weld", 0, {}, false, "does not move"},
  };
  return rules;
}

const std::vector<ReservedName>& reserved_scalars() {
  static const std::vector<ReservedName> names = [] {
    std::vector<ReservedName> all;
    for (const EnergyResult& r : energy_results()) {
      const std::string definition = write_terms(r.definition);
      all.push_back({std::string(r.name),
                     std::string(r.meaning) + (definition.empty() ? "" : ", " + definition)});
    }
    return all;
  }();
  return names;
}

const std::vector<ReservedName>& constant_names() {
  static const std::vector<ReservedName> names = {{"pi", "the number 3.14159..."},
                                                  {"t", "time, 0 s at the start"}};
  return names;
}

const std::vector<std::string>& reserved_words() {
  static const std::vector<std::string> words = {"contact", "if"};
  return words;
}

}  // namespace visviva
