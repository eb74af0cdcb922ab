// The statements of the language, in the order of the reference.
#include "visviva/text/grammar/grammar.h"

namespace visviva {
namespace {

using F = StatementForm;
using K = StatementKind;
using P = Presence;
using C = ClauseShape;

std::vector<StatementRule> scalar_statements() {
  return {
      {K::model, "model", F::title, P::none, "model NAME \"TEXT\"",
       "The model's name and a line about it.", "model hoist \"A body hanging from a hoist\""},
      {K::include, "include", F::file, P::none, "include \"FILE\"",
       "The statements of another file, beside the model's or below it, as if they stood here.",
       "include \"part.viva\""},
      {K::import,
       "import",
       F::file,
       P::none,
       "import \"FILE\" as NAME [at POSITION] [in FRAME] [, floating]",
       "The robot of a file (.urdf, .sdf, MJCF .xml) as frames, points, bodies and coordinates "
       "whose "
       "names begin with NAME_; its base is held at a point, and along the axes of a frame, or "
       "floats.",
       "import \"robot.urdf\" as R\nimport \"robot.urdf\" as left at P in A, floating",
       {{"as", C::expression, true, "what the names begin with"},
        {"at", C::expression, false, "where its base is; No unless given"},
        {"in", C::expression, false, "the frame that its base is held in; N unless given"},
        {"floating", C::flag, false, "the base moves freely"}}},
      {K::count, "count", F::definitions, P::required, "count NAME = WHOLE NUMBER, ...",
       "Whole numbers, for `for` and for indices; also scalars without a dimension.",
       "count n = 50, half = n/2"},
      {K::for_, "for", F::loop, P::none, "for NAME in FIRST to LAST: STATEMENT",
       "One statement for each number; in it NAME is a number, and Q[NAME - 1] an indexed name.",
       "for i in 1 to 3: coordinate q[i] = i*0.1 rad"},
      {K::parameter, "parameter", F::definitions, P::optional, "parameter NAME [= VALUE], ...",
       "Constants that stay symbols in equations; a value may depend on other parameters.",
       "parameter m = 2 kg, L = 0.5 m, I = m*L^2/12"},
      {K::specified, "specified", F::functions, P::optional,
       "specified NAME(t) [= EXPRESSION], ...",
       "A known function of time: a motion, a force or a rate; NAME' and NAME'' follow by "
       "differentiation.",
       "specified x(t) = 3 m * cos(1 rad/s * t)"},
      {K::input, "input", F::definitions, P::optional, "input NAME [= VALUE], ...",
       "A value from outside, such as a controller's; constant in a simulation, a column of B in a "
       "linearization.",
       "input tau = 0 N*m"},
      {K::state, "state", F::definitions, P::optional,
       "state NAME [= START], NAME' = EXPRESSION, ... | NAME held [= START], ...",
       "First-order states, such as integrators, filters and currents: a start value, 0 where none "
       "is given, "
       "and the rate; or `held`, and changed by `sample` alone.",
       "state e = 0 s, e' = r - 2*e/(1 s)"},
      {K::energy, "energy", F::definitions, P::required, "energy NAME = EXPRESSION, ...",
       "Energies beside the mechanical ones, such as that of a coil: the ledger lists them with "
       "their rates, and "
       "outputs may name them.",
       "energy W = 1/2*W0*i^2"},
      {K::sample, "sample", F::sampling, P::required, "sample every TIME: NAME = EXPRESSION, ...",
       "What a sampled controller does, at t = 0 and after every TIME: inputs and states that are "
       "`held` get new "
       "values, made of those just before.",
       "sample every 2 ms: tau = -k*q - c*e, e = e + q"},
      {K::coordinate, "coordinate", F::definitions, P::optional,
       "coordinate NAME [= [about] START], NAME' = [about] START, ...",
       "Generalized coordinates and their start values, 0 where none is given; `about` marks a "
       "guess.",
       "coordinate s = 0 m, s' = 0.2 m/s, q2 = about -60 deg"},
      {K::speed, "speed", F::definitions, P::optional, "speed NAME [= EXPRESSION], ...",
       "Generalized speeds: with a definition linear in the rates, or free, for a frame made by "
       "spin.",
       "speed u1 = q1'*cos(q3) + q2'*sin(q3), wy"},
      {K::start, "start", F::settings, P::required, "start TARGET = [about] VALUE, ...",
       "Start values of rates, speeds, velocities: of whatever has none yet.",
       "start u1 = 2 m/s, angular_velocity(D) = 3 rad/s*D.z"},
      {K::dependent, "dependent", F::names, P::none, "dependent SPEED, ...",
       "The speeds that the constraints determine; by default the last that can be.",
       "dependent wx, wz"},
      {K::auxiliary,
       "auxiliary",
       F::object,
       P::none,
       "auxiliary NAME along DIRECTION at POINT",
       "An auxiliary speed, which brings the force at the point along the direction into evidence.",
       "auxiliary ua along N.y at P",
       {{"along", C::expression, true, "the direction"}, {"at", C::expression, true, "the point"}}},
      {K::let, "let", F::definitions, P::required, "let NAME = EXPRESSION, ...",
       "A name for a scalar, vector or point expression.", "let d = P - Q"},
      {K::function, "function", F::mappings, P::optional,
       "function NAME(ARGUMENT, ...) [= EXPRESSION]",
       "A function of scalars, used as NAME(...); d(NAME, ARGUMENT) is its partial derivative. "
       "Without a definition it "
       "stays a function in equations.",
       "function X(theta) = r*theta + e*sin(theta)\nfunction f(x, y)"},
      {K::unknown, "unknown", F::names, P::none, "unknown NAME, ...",
       "Force measures that nobody gave: each must drop out or be solved for.", "unknown T1, T2"},
  };
}

std::vector<ClauseRule> body_clauses() {
  std::vector<ClauseRule> clauses = {
      {"at", C::expression, true, "where the mass center is"},
      {"mass", C::expression, true, "its mass"},
      {"inertia", C::inertia, false,
       "Ixx, Iyy, Izz or Ixx, Iyy, Izz, Ixy, Iyz, Izx about the mass center"},
      {"shape", C::picture, false, "a solid for the picture only"}};
  for (const SolidRule& solid : solid_rules()) {
    clauses.push_back({solid.word, C::solid, false, solid.meaning});
  }
  return clauses;
}

std::vector<ClauseRule> picture_clauses() {
  std::vector<ClauseRule> clauses = {
      {"of", C::expression, true, "the body or frame that it moves with"},
      {"at", C::expression, true, "where its middle is, or the origin of a mesh"},
      {"mesh", C::text, false, "a file of triangles, STL or OBJ"},
      {"scale", C::list, false,
       "what the file's lengths are multiplied by, to be metres: a number, or three"},
      {"turned", C::list, false, "three angles about x, y, z of the frame, in turn"}};
  for (const SolidRule& solid : solid_rules())
    clauses.push_back({solid.word, C::solid, false, solid.meaning});
  return clauses;
}

std::vector<ClauseRule> joint_clauses() {
  std::vector<ClauseRule> clauses = {
      {"of", C::expression, true,
       "the body or frame that the joint carries, and declares unless it closes a loop"},
      {"on", C::expression, true, "what carries it"},
      {"at", C::list, true,
       "where, as a point that moves with what carries it; of a joint that closes a loop, also the "
       "point of what it carries"},
      {"along", C::list, false,
       "its axis, or axes: x, y, z of the carrying frame, or a vector; of a joint that closes a "
       "loop, also the axis of what it carries, if it has another letter or frame"},
      {"angle", C::expression, false, "how far it is turned"},
      {"angles", C::list, false, "two or three of them"},
      {"length", C::expression, false, "how far it is moved"},
      {"lengths", C::list, false, "two or three of them"},
      {"quaternion", C::list, false, "four coordinates, scalar first"},
      {"pitch", C::expression, false, "how far a screw moves in a full turn"}};
  for (const JointRule& joint : joint_rules())
    clauses.push_back({joint.word, C::flag, false, joint.meaning});
  return clauses;
}

std::vector<ClauseRule> transmission_clauses() {
  return {{"on", C::list, true, "two coordinates"},
          {"ratio", C::expression, true, "how fast the first moves for the second"}};
}

std::vector<StatementRule> geometry_statements() {
  return {
      {K::frame, "frame", F::definitions, P::required, "frame NAME = ROTATION, ...",
       "A frame, turned from another by rotate, quaternion, rodrigues or spin; N is the Newtonian "
       "frame.",
       "frame A = rotate(N, z, theta)"},
      {K::point, "point", F::definitions, P::required, "point NAME = POSITION, ...",
       "A point, given from others; No is the origin of N.", "point H = No + x*N.x"},
      {K::particle,
       "particle",
       F::object,
       P::none,
       "particle NAME at POSITION, mass MASS",
       "A particle and the point of that name.",
       "particle Q at H - L*A.y, mass m",
       {{"at", C::expression, true, "where it is"}, {"mass", C::expression, true, "its mass"}}},
      {K::body, "body", F::object, P::none,
       "body FRAME at POSITION, mass MASS, inertia IXX, IYY, IZZ[, IXY, IYZ, IZX] | SOLID [, shape "
       "SOLID]",
       "A rigid body that moves with the frame of its name; its mass center is the point FRAMEcm.",
       "body B at H - L*B.y, mass mB, inertia I, 0 kg*m^2, I, shape rod length 2*L along y\n"
       "body C at Cc, mass m, sphere radius r",
       body_clauses()},
      {K::picture, "picture", F::object, P::none,
       "picture NAME of FRAME at POSITION, SOLID | mesh \"FILE\" [, scale X[, Y, Z]] [, turned A, "
       "B, C]",
       "What reports draw of a body or frame, instead of a shape made from its inertia. A mesh "
       "lies in the "
       "model's folder or below it; where the file is missing, a warning says so.",
       "picture tube of B at H - L*B.y, cylinder radius 0.02 m, length 0.3 m along y\n"
       "picture shell of B at H, mesh \"shell.stl\", scale 0.001, turned 0, 0, 90 deg",
       picture_clauses()},
      {K::joint, "joint", F::object, P::none,
       "joint NAME KIND of FRAME on FRAME at POSITION[, POSITION] [along AXIS[, AXIS]] [, angle Q] "
       "[, length S] [, "
       "pitch P] ...",
       "A joint: it declares the frame that it carries, turned from the frame that carries it, and "
       "the point of its name, where the carried frame is held. With two points, it closes a loop.",
       "joint J pin of B on A at P along z, angle q\njoint hand ball of C on B at J + L*B.x\n"
       "joint loop pin of C on N at P, Q along z",
       joint_clauses()},
  };
}

std::vector<StatementRule> continuum_statements() {
  return {
      {K::field,
       "field",
       F::fields,
       P::none,
       "field NAME(VARIABLE), ... from PLACE to PLACE",
       "Continuous coordinates: one for every value of the variable between two places. w' is the "
       "rate of w, d(w, x) and d(w, x, x) are its slopes, `w at L` is its value at a place.",
       "field w(x) from 0 m to L",
       {{"from", C::expression, true, "where the variable begins"},
        {"to", C::expression, true, "where it ends"}}},
      {K::line,
       "line",
       F::object,
       P::none,
       "line NAME at POSITION, mass MASS [, rotary INERTIA about AXIS by ANGLE] ... [, moving "
       "SPEED]",
       "A material line: the position of every place of it, in fields and their variable, and its "
       "mass per length. Its sections may turn with the frame of an axis, and by an angle about "
       "it; NAME(PLACE) is the material point at a place.",
       "line Beam at No + x*A.x + w*A.y, mass rhoA, rotary rhoJ about A.z by d(w, x)",
       {{"at", C::expression, true, "where each of its points is"},
        {"mass", C::expression, true, "its mass per length"},
        {"rotary", C::rotary, false, "the inertia per length of sections that turn"},
        {"moving", C::expression, false, "how fast material passes the places"}}},
      {K::fix, "fix", F::settings, P::required, "fix FIELD at PLACE = VALUE, ...",
       "What holds a field, or a slope of it, at a place.",
       "fix w at 0 m = 0 m, d(w, x) at 0 m = 0"},
      {K::discretize,
       "discretize",
       F::object,
       P::none,
       "discretize FIELD, elements COUNT [, linear]",
       "Cuts a field into elements of equal length: cubic ones where second slopes appear, "
       "quadratic or linear ones elsewhere. Its values and slopes at their ends become "
       "coordinates.",
       "discretize w, elements 20\ndiscretize u, elements 20, linear",
       {{"elements", C::expression, true, "how many of them"},
        {"linear", C::flag, false, "straight between the ends of an element"}}},
  };
}

// From one point to another, or on a coordinate.
std::vector<ClauseRule> line_clauses() {
  return {{"from", C::expression, false, "one end"},
          {"to", C::expression, false, "the other end"},
          {"on", C::expression, false, "a coordinate, instead of two ends"}};
}

std::vector<ClauseRule> spring_clauses() {
  auto clauses = line_clauses();
  clauses.push_back(
      {"stiffness", C::expression, true, "force for each length, or torque for each angle"});
  clauses.push_back(
      {"rest", C::expression, false, "length or angle without force; 0 unless given"});
  return clauses;
}

std::vector<ClauseRule> damper_clauses() {
  auto clauses = line_clauses();
  clauses.push_back({"rate", C::expression, true, "force for each speed, or torque for each rate"});
  return clauses;
}

std::vector<StatementRule> force_statements() {
  return {
      {K::gravity, "gravity", F::expression, P::none, "gravity ACCELERATION",
       "Uniform gravity, on every particle and body.", "gravity -g*N.y"},
      {K::force,
       "force",
       F::object,
       P::required,
       "force NAME on POINT [from POINT] = VECTOR\nforce NAME on BODY at POINT = VECTOR\nforce "
       "NAME "
       "over VARIABLE on LINE = VECTOR",
       "A force on a particle, on a point fixed in a body, or at the material point of a body now "
       "at a point; "
       "`from` adds the equal and opposite one.",
       "force F1 on P = -b*velocity(P)\nforce F2 on P from Q = T*unit(Q - P)\nforce F3 on C at P = "
       "f*N.x",
       {{"on", C::expression, true, "where it acts"},
        {"at", C::expression, false, "the place, when `on` names a body"},
        {"from", C::expression, false, "where the opposite force acts"},
        {"over", C::expression, false,
         "the variable of fields: what stands here is per length of it"}}},
      {K::torque,
       "torque",
       F::object,
       P::required,
       "torque NAME on BODY [from BODY] = VECTOR\ntorque NAME over VARIABLE on LINE = VECTOR",
       "A torque on a body or frame; `from` adds the equal and opposite one.",
       "torque T1 on C from B = -b*(angular_velocity(C) - angular_velocity(B))",
       {{"on", C::expression, true, "what it acts on"},
        {"from", C::expression, false, "what the opposite torque acts on"},
        {"over", C::expression, false,
         "the variable of fields: what stands here is per length of it"}}},
      {K::spring, "spring", F::object, P::none,
       "spring NAME from POINT to POINT, stiffness K [, rest LENGTH]\nspring NAME on COORDINATE, "
       "stiffness K [, rest VALUE]",
       "A linear spring along the line between two points, or on a coordinate.",
       "spring S from P to Q, stiffness k, rest L0\nspring S on theta, stiffness kt, rest 0 deg",
       spring_clauses()},
      {K::damper, "damper", F::object, P::none,
       "damper NAME from POINT to POINT, rate B\ndamper NAME on COORDINATE, rate B",
       "A linear damper along the line between two points, or on a coordinate.",
       "damper D from P to Q, rate b\ndamper D on theta, rate b", damper_clauses()},
      {K::potential,
       "potential",
       F::object,
       P::required,
       "potential NAME [over VARIABLE] = EXPRESSION",
       "A potential energy: any function of configuration and time; or one per length.",
       "potential V = 1/2*k*s^2\npotential bending over x = 1/2*EI*d(w, x, x)^2",
       {{"over", C::expression, false,
         "the variable of fields: what stands here is per length of it"}}},
      {K::dissipation,
       "dissipation",
       F::object,
       P::required,
       "dissipation NAME [over VARIABLE] = EXPRESSION",
       "A Rayleigh function: its derivative by the rates is the damping force; or one per length.",
       "dissipation D = 1/2*c*s'^2",
       {{"over", C::expression, false,
         "the variable of fields: what stands here is per length of it"}}},
  };
}

std::vector<StatementRule> constraint_statements() {
  return {
      {K::constraint, "constraint", F::equations, P::required,
       "constraint [NAME:] LEFT = RIGHT, ...",
       "A condition on the configuration, or on the motion and then linear in the rates; of "
       "scalars, or of vectors.",
       "constraint ball: PA - PB = 0\nconstraint dot(velocity(P), A.y) = 0"},
      {K::roll,
       "roll",
       F::roll,
       P::none,
       "roll [NAME:] BODY on BODY at POINT",
       "Rolling: the material points of both bodies now at the point have equal velocities.",
       "roll contact: C on N at Cc - r*N.y",
       {{"on", C::expression, true, "what it rolls on"},
        {"at", C::expression, true, "the point of contact"}}},
      {K::lock, "lock", F::names, P::none, "lock COORDINATE, ...",
       "Keeps coordinates at their start values; a reaction comes with it.", "lock s"},
      {K::gear, "gear", F::object, P::none, "gear NAME on COORDINATE, COORDINATE, ratio R",
       "The first coordinate moves R times as fast as the second; R is negative for wheels that "
       "turn against each other.",
       "gear G on q1, q2, ratio -3", transmission_clauses()},
      {K::belt, "belt", F::object, P::none, "belt NAME on COORDINATE, COORDINATE, ratio R",
       "The same of a belt or a chain.", "belt C on q1, q2, ratio 2", transmission_clauses()},
  };
}

std::vector<StatementRule> run_statements() {
  return {
      {K::output, "output", F::outputs, P::optional, "output EXPRESSION, NAME = EXPRESSION, ...",
       "What results show, besides coordinates and speeds.",
       "output theta, E_Z, vx = dot(velocity(Q), N.x), reaction(H), power(x)"},
      {K::plot, "plot", F::outputs, P::optional,
       "plot EXPRESSION, NAME = EXPRESSION, ... [over EXPRESSION]",
       "What reports draw, over time or over another quantity; a statement is a figure.",
       "plot E_Z, E, H, C\nplot theta' over theta"},
      {K::study,
       "study",
       F::clauses,
       P::none,
       "study until TIME [, every TIME] [, tolerance X] [, energy ENERGY]",
       "How long to simulate, how often to write, and how exactly.",
       "study until 10 s, every 0.01 s, tolerance 1e-10, energy 1e-6 J",
       {{"until", C::expression, true, "the last time"},
        {"every", C::expression, false, "the time between rows of results"},
        {"tolerance", C::expression, false, "relative error allowed in a step"},
        {"energy", C::expression, false, "how far the energy integral may wander"}}},
      {K::event,
       "event",
       F::object,
       P::none,
       "event NAME when LEFT = RIGHT [, stop]",
       "A moment to find during a run; `stop` ends the run there.",
       "event hit when dot(Q - No, N.y) = 0, stop",
       {{"when", C::equation, true, "the condition"}, {"stop", C::flag, false, "ends the run"}}},
      {K::claim, "claim", F::claims, P::none,
       "claim invariant NAME | third_law NAME | constant SCALAR [for these values] | holonomic "
       "NAME "
       "| nonholonomic NAME, ...",
       "What the author says is true: of an interaction, an integral of the motion, a constraint. "
       "Commands prove it, or "
       "refuse the model with what shows that it is false; runs test what is not decided.",
       "claim invariant V, constant H\nclaim constant angular_momentum(No).z, nonholonomic blade"},
      {K::case_, "case", F::changes, P::required,
       "case NAME [\"TEXT\"]: NAME = VALUE, lock COORDINATE, ...",
       "A named variant: other parameters and start values, other specified functions, locked "
       "coordinates.",
       "case rigid \"tube rigid, no damping\": lock s, b = 0 N*m*s, Omega = 4 rad/s"},
  };
}

}  // namespace

const std::vector<StatementRule>& statement_rules() {
  static const std::vector<StatementRule> rules = [] {
    std::vector<StatementRule> all;
    for (const auto& group : {scalar_statements(), geometry_statements(), continuum_statements(),
                              force_statements(), constraint_statements(), run_statements()}) {
      all.insert(all.end(), group.begin(), group.end());
    }
    return all;
  }();
  return rules;
}

}  // namespace visviva
