// What can be wrong with frames, bodies, forces, constraints, speeds and start values.
#include "visviva/base/catalogue_tables.h"

namespace visviva {
namespace {

std::vector<CatalogueEntry> geometry() {
  return {
      {"E-frame-axis", "a rotation axis is not fixed",
       "The axis of a simple rotation is fixed in the parent frame and not zero.",
       "frame B = rotate(N, P - Q, q)", "frame B = rotate(N, N.x + N.y, q)"},
      {"E-quaternion-coordinates", "a quaternion is made of four coordinates",
       "Each is a coordinate, and belongs to this quaternion alone.",
       "frame D = quaternion(N, 1, 0, 0, q)",
       "coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0\nframe D = quaternion(N, e0, e1, e2, e3)"},
      {"E-spin-nonlinear", "an angular velocity is not linear in the rates",
       "`spin` takes a sum of speeds and rates, each with a coefficient that depends on "
       "configuration and time.",
       "frame A = spin(N, w^2*1 s*N.z)", "frame A = spin(N, w*N.z)"},
      {"E-quaternion-zero", "a quaternion starts at zero",
       "Start values are normalised, which zero cannot be.",
       "coordinate e0 = 0, e1 = 0, e2 = 0, e3 = 0", "coordinate e0 = 1, e1 = 0, e2 = 0, e3 = 0"},
      {"E-quaternion-unused", "a quaternion orients no frame",
       "Its four coordinates must appear in a frame.",
       "model.quaternion({\"e0\", \"e1\", \"e2\", \"e3\"})",
       "frame D = quaternion(N, e0, e1, e2, e3)"},
      {"E-body-frame", "a body has no frame",
       "A body moves with the frame of its name, which must be declared.",
       "body B at P, mass m, sphere radius r",
       "frame B = rotate(N, z, q)\nbody B at P, mass m, sphere radius r"},
      {"E-mass-negative", "a mass is negative", "Masses are 0 or more.",
       "particle Q at P, mass -1 kg", "particle Q at P, mass 1 kg"},
      {"E-inertia-negative", "an inertia is not positive",
       "The inertia matrix has no negative principal moment: no rigid body has one.",
       "body B at P, mass m, inertia -1 kg*m^2, 1 kg*m^2, 1 kg*m^2",
       "body B at P, mass m, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2"},
      {"E-inertia-triangle", "no body has these moments of inertia",
       "Each principal moment is at most the sum of the other two; equality means a flat body.",
       "body B at P, mass m, inertia 1 kg*m^2, 1 kg*m^2, 3 kg*m^2",
       "body B at P, mass m, inertia 1 kg*m^2, 1 kg*m^2, 2 kg*m^2"},
      {"E-solid-size", "a solid has no size", "Radius, length and edges are more than 0.",
       "body B at P, mass m, sphere radius 0 m", "body B at P, mass m, sphere radius 0.1 m"},
      {"W-body-free", "a body does not move, or moves apart from the rest",
       "No coordinate, speed or specified motion reaches it; or no other body shares its motion "
       "and "
       "no force, spring, potential or constraint acts on it.",
       "particle Q at No, mass m", "particle Q at No + q*N.x, mass m"},
  };
}

std::vector<CatalogueEntry> forces() {
  return {
      {"E-force-place", "a force acts at a point that belongs to no body",
       "A force acts on a particle or on a point fixed in a body. For the material point of a body "
       "that is now somewhere, use `on BODY at POINT`.",
       "force F on P = f*N.x", "force F on C at P = f*N.x"},
      {"W-force-couple", "an opposite force leaves a couple",
       "The force is not along the line between the two points, so that force and counterforce "
       "have a moment.",
       "force F on P from Q = f*N.x", "force F on P from Q = f*unit(Q - P)"},
      {"W-force-ground", "a force or torque acts on the ground alone",
       "A point of the ground does not move, so that what acts there does nothing to the motion. "
       "It acts on what moves, with the ground behind `from` where the opposite force is to be "
       "seen.",
       "force F on No = f*N.x", "force F on Q = -f*N.x"},
      {"E-spring-on", "a spring or damper acts on no coordinate", "After `on` stands a coordinate.",
       "spring S on P, stiffness k", "spring S on q, stiffness k"},
      {"E-spring-ends", "both ends of a spring or damper are the same point",
       "It acts along the line between two different points.", "spring S from P to P, stiffness k",
       "spring S from P to Q, stiffness k"},
      {"W-spring-no-length", "a spring's ends coincide at the start",
       "Its direction is not defined there. A spring of rest length 0 needs none.",
       "coordinate x = 0 m\nparticle Q at No + x*N.x, mass m\n"
       "spring S from No to Q, stiffness k, rest L",
       "coordinate x = 0.1 m\nparticle Q at No + x*N.x, mass m\n"
       "spring S from No to Q, stiffness k, rest L"},
      {"E-potential-depends", "a potential depends on speeds",
       "It is a function of configuration and time.", "potential V = 1/2*c*x'^2",
       "dissipation D = 1/2*c*x'^2"},
      {"E-potential-jump", "a potential jumps in the configuration",
       "Its force at the jump is an impulse, which the equations of motion do not have. A "
       "potential that a step or sign switches is "
       "fine where it is continuous: 1/2*k*x^2*step(x/(1 m)) is a spring that only pushes.",
       "potential V = 1 J*step(x/(1 m))", "potential V = 1/2*(1 J)*(1 + tanh(x/(1 mm)))"},
      {"E-state-law", "a state has no law, or one that cannot be",
       "A state has a rate, made of coordinates, speeds, states, inputs, time and parameters; "
       "accelerations and forces that are solved for cannot stand in it.",
       "state e = 0 s", "state e = 0 s, e' = 1 - e/(1 s)"},
      {"E-sample-target", "a sample changes what it cannot",
       "Samples change inputs, and states declared `state NAME held`, each by one sample.",
       "parameter k = 1\nsample every 2 ms: k = 2", "input k = 1\nsample every 2 ms: k = 2"},
      {"E-dimension-sample", "the time between two samples is none",
       "It has the dimension of a time, and is made of parameters.", "sample every 2 m: u = 1",
       "sample every 2 ms: u = 1"},
      {"E-along-nothing", "no coordinate of a file can follow it",
       "What is locked, or what constraints and specified motions determine, cannot be driven "
       "besides: --along needs "
       "a coordinate that is free.",
       "coordinate q = 0 rad\nlock q", "coordinate q = 0 rad"},
      {"E-along-time",
       "a file's motion does not begin at t = 0, and the model has a time of its own",
       "The first row of --along FILE is t = 0 of the model. Where the file calls it another time, "
       "and forces depend on "
       "time, nobody can tell which is meant.",
       "force F on P = 1 N*sin(1 rad/s*t)*N.x", "force F on P = 1 N*N.x"},
      {"E-auxiliary-direction", "an auxiliary speed has no direction",
       "`along` takes a vector without dimension, such as N.y.", "auxiliary ua along P - Q at P",
       "auxiliary ua along unit(P - Q) at P"},
  };
}

std::vector<CatalogueEntry> constraints() {
  return {
      {"E-constraint-nonlinear", "a constraint is not linear in the rates",
       "A condition on the motion is linear in rates and speeds, with coefficients that depend on "
       "configuration and time.",
       "constraint x'^2 + y'^2 = v^2", "constraint dot(velocity(P), A.y) = 0"},
      {"E-constraint-acceleration", "a constraint contains an acceleration",
       "Constraints are conditions on configuration or motion.", "constraint x'' = 0",
       "constraint x' = v"},
      {"E-constraint-contradictory", "constraints contradict each other",
       "No configuration or motion satisfies all of them; the message names a smallest set that "
       "cannot hold.",
       "constraint x = 1 m\nconstraint x = 2 m", "constraint x = 1 m"},
      {"W-constraint-redundant", "a constraint follows from the others",
       "It changes no motion, but how the reactions are shared is not determined.",
       "constraint x = 1 m\nconstraint 2*x = 2 m", "constraint x = 1 m"},
      {"W-constraint-trivial", "a constraint always holds",
       "Both sides are equal whatever the motion.", "constraint dot(N.x, N.y) = 0",
       "constraint dot(A.x, N.y) = 0"},
      {"E-roll-same", "a body cannot roll on itself",
       "`roll C on B` takes two different bodies or frames.", "roll C on C at P",
       "roll C on N at P"},
      {"E-lock-name", "only coordinates can be locked",
       "A lock keeps a coordinate at its start value.", "lock m", "lock q"},
      {"E-dependent-count", "the wrong number of dependent speeds",
       "There are as many as independent motion constraints.",
       "speed wx, wy, wz\ndependent wx\nroll C on N at P",
       "speed wx, wy, wz\ndependent wx, wz\nroll C on N at P"},
      {"E-dependent-singular", "these speeds are not determined by the constraints",
       "At the start state the constraints cannot be solved for them.", "dependent wy",
       "dependent wx, wz"},
  };
}

std::vector<CatalogueEntry> speeds() {
  return {
      {"E-speed-nonlinear", "a speed is not linear in the rates",
       "Its definition is a sum of rates, each with a coefficient that depends on coordinates and "
       "time.",
       "speed u = q1'*q2'", "speed u = q1'*cos(q2)"},
      {"E-speed-acceleration", "a speed contains an acceleration",
       "Rates of coordinates only, no second rates.", "speed u = q''", "speed u = q'"},
      {"E-speed-no-rate", "a speed contains no rate",
       "Its definition must contain the rate of a coordinate, or leave it out for a free speed.",
       "speed u = 2 m/s", "speed u = q' + 2 m/s"},
      {"E-speed-name", "a name is needed for a speed",
       "The speeds of a quaternion frame D are D_wx, D_wy and D_wz unless speeds are given.",
       "parameter D_wx = 1\nframe D = quaternion(N, e0, e1, e2, e3)",
       "parameter wx0 = 1\nframe D = quaternion(N, e0, e1, e2, e3)"},
      {"E-speed-free", "a free speed appears in no spin",
       "A speed without a definition must turn a frame made by `spin`.", "speed w",
       "speed w\nframe A = spin(N, w*N.z)"},
      {"E-speed-count", "the speeds do not match the rates",
       "As many definitions as rates that appear in them (three for a quaternion's four).",
       "speed u1 = q1' + q2'", "speed u1 = q1' + q2', u2 = q1' - q2'"},
      {"E-speed-singular", "the speeds do not determine the rates",
       "Their definitions are dependent everywhere.", "speed u1 = q1' + q2', u2 = 2*q1' + 2*q2'",
       "speed u1 = q1' + q2', u2 = q1' - q2'"},
      {"W-speed-singular-start", "the speeds are singular at the start",
       "At the start values their definitions cannot be solved for the rates.",
       "coordinate q1 = 0 m, q2 = 0 deg\nspeed u = q1'*sin(q2)",
       "coordinate q1 = 0 m, q2 = 30 deg\nspeed u = q1'*sin(q2)"},
  };
}

std::vector<CatalogueEntry> starts() {
  return {
      {"W-reaction-sum", "a reaction is the sum of several",
       "reaction(No) is what the ground does to everything that is defined from No, and its moment "
       "is "
       "about No. The reaction of one bearing is that of a point of its own.",
       "particle P at No + 1 m*N.x - L*A.y, mass m\noutput reaction(No)",
       "point H = No + 1 m*N.x\nparticle P at H - L*A.y, mass m\noutput reaction(H)"},
      {"E-start-twice", "a start value is given twice",
       "By its declaration, by `start`, or through something that determines it.",
       "coordinate x = 1 m\nstart x = 2 m", "coordinate x = 1 m"},
      {"E-start-target", "this has no start value",
       "Coordinates, rates, speeds, velocities and angular velocities have; parameters have "
       "values.",
       "start m = 2 kg", "start q' = 2 m/s"},
      {"E-start-guess", "a guess is not possible here",
       "`about` marks a start value that may move until the constraints hold. A parameter has an "
       "exact value, and a coordinate that is locked needs one.",
       "coordinate s = about 1 m\nlock s", "coordinate s = 1 m\nlock s"},
      {"E-start-inconsistent", "no start state satisfies what is given",
       "Start values of rates, speeds and velocities contradict each other, or the mechanism "
       "cannot "
       "have one of them. Where only the constraints stand against it, values move by the least "
       "change in the metric of the mass matrix, and that is said.",
       "particle Q at No + x*N.x, mass m\nstart velocity(Q) = 2 m/s*N.y",
       "particle Q at No + x*N.x, mass m\nstart velocity(Q) = 2 m/s*N.x"},
      {"W-start-changed", "a start value was changed to satisfy the constraints",
       "Values that were given are held as long as possible, guesses (`about`) and defaults move "
       "first, then what changes least in the metric of the mass matrix. A quaternion is "
       "normalised.",
       "coordinate x = 0 m, y\nconstraint y = x + 1 m",
       "coordinate x = 0 m, y = 1 m\nconstraint y = x + 1 m"},
      {"W-start-singular", "the start configuration is singular",
       "There the constraints restrain fewer motions than nearby, as where two branches of motion "
       "cross.",
       "coordinate x = 0 m, y = 0 m\nconstraint x*y = 0",
       "coordinate x = 1 m, y = 0 m\nconstraint x*y = 0"},
      {"W-massless-direction", "something moves without inertia",
       "The mass matrix is singular: some speed moves no mass, so that its rate is not determined. "
       "Give it a mass, or lock it.",
       "coordinate q = 0 m\npoint P = No + q*N.x",
       "coordinate q = 0 m\nparticle P at No + q*N.x, mass m"},
      {"E-study-range", "a setting of the study is out of range",
       "Times are more than 0, tolerances between 0 and 1.", "study until -1 s", "study until 1 s"},
      {"E-claim-subject", "a claim about something that the model does not have",
       "invariant and third_law take a force, torque, spring, damper, potential, constraint, roll, "
       "lock, "
       "specified motion or gravity; holonomic and nonholonomic a constraint, a roll or a lock; "
       "constant an "
       "integral that `visviva energy` lists.",
       "claim holonomic V", "claim invariant V"},
      {"E-claim-false", "a claim of the model is not true",
       "The model says of itself what is proved to be false; the message names a state, a force or "
       "an "
       "expression that shows it.",
       "claim invariant gravity", "claim third_law gravity"},
      {"W-claim-undecided", "a claim of the model could not be decided",
       "Neither a proof nor a counterexample was found. With --strict this is an error.",
       "claim invariant S", "claim constant E_Z"},
      {"E-output-target", "nothing of this kind can be reported",
       "reaction takes a constraint, roll, lock or point; force and moment of two names an "
       "interaction "
       "and a body; power and work a force, a specified "
       "motion, "
       "gravity or nonconservative; generalized_power and generalized_work a force or gravity.",
       "output power(m)", "output power(F)"},
  };
}

}  // namespace

std::vector<CatalogueEntry> mechanics_catalogue() {
  std::vector<CatalogueEntry> all;
  for (const auto& part : {geometry(), forces(), constraints(), speeds(), starts()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<CatalogueEntry> command_catalogue() {
  return {
      {"E-value-missing", "values are missing",
       "Equations need none, but numbers do: everything listed needs a value.", "parameter m",
       "parameter m = 2 kg"},
      {"E-unknown-remains", "an unknown force stays in the equations",
       "It neither drops out nor can it be solved for: give it a law, or an auxiliary speed.",
       "unknown T\nforce F on Q = T*N.x", "input T = 0 N\nforce F on Q = T*N.x"},
      {"E-unknown-nonlinear", "an unknown force stands in a law that is not linear in it",
       "Unknown forces are solved for together with the accelerations, linearly.",
       "unknown T\nforce F on Q = T^2/(1 N)*N.x", "unknown T\nforce F on Q = T*N.x"},
      {"E-state-not-finite", "the equations cannot be evaluated at this state",
       "Something divides by zero, or a function is outside its domain; for a spring between two "
       "points, they coincide.",
       "coordinate x = 0 m\nparticle Q at No + x*N.x, mass m\n"
       "spring S from No to Q, stiffness k, rest L",
       "coordinate x = 0.1 m\nparticle Q at No + x*N.x, mass m\n"
       "spring S from No to Q, stiffness k, rest L"},
      {"E-case-unknown", "there is no such case",
       "The model declares its cases; the help names the nearest.",
       "visviva simulate hoist.viva --case slwo", "visviva simulate hoist.viva --case slow"},
      {"E-case-change", "a case cannot change this",
       "It locks coordinates and sets parameters, start values, inputs and specified functions.",
       "case a: velocity(P) = 2 m/s*N.x, B = N", "case a: q' = 2 m/s"},
      {"E-express-form", "--express is not written so",
       "An expression of the language; after `in` the frame in which a vector is written. A scalar "
       "has no frame, a point no components.",
       "visviva derive hoist.viva --express \"B.x in\"",
       "visviva derive hoist.viva --express \"velocity(Bcm) in B\""},
      {"E-set-form", "--set is not written so",
       "NAME=VALUE, in quotes when there is a blank; a bare number is in SI units.",
       "visviva evaluate hoist.viva --set L", "visviva evaluate hoist.viva --set \"L=0.7 m\""},
      {"E-set-unknown", "--set names nothing in the model",
       "A parameter, a start value, an input or a specified function.",
       "visviva evaluate hoist.viva --set lenght=0.7", "visviva evaluate hoist.viva --set L=0.7"},
      {"E-variation-form", "--variation is not written so",
       "NAME: EXPRESSION, several with commas between; the expression may contain time, parameters "
       "and coordinates, which are taken along the motion.",
       "visviva prove fall.viva --variation \"y = t*(1 s - t)\"",
       "visviva prove fall.viva --variation \"y: 1 m/s^2*t*(1 s - t)\""},
      {"E-variation-name", "this cannot be varied",
       "A coordinate, or a specified function as a trial path; not Euler parameters, which stay on "
       "a "
       "sphere, and nothing where a frame is given by its angular velocity alone.",
       "visviva prove fall.viva --variation \"m: 1 kg\"",
       "visviva prove fall.viva --variation \"y: 1 m/s^2*t*(1 s - t)\""},
      {"E-variation-ends", "a variation does not vanish at an end of the path",
       "Hamilton's principle compares paths with the same ends; else the boundary term, momentum "
       "times variation, is left over.",
       "visviva prove fall.viva --until \"1 s\" --variation \"y: 1 m/s*t\"",
       "visviva prove fall.viva --until \"1 s\" --variation \"y: 1 m/s^2*t*(1 s - t)\""},
      {"E-variation-jump", "a variation jumps",
       "Paths beside the motion are continuous: a variation may have corners, but no jumps.",
       "visviva prove fall.viva --variation \"y: 1 m*sign(t - 0.3 s)*sin(pi*t/(1 s))\"",
       "visviva prove fall.viva --variation \"y: 1 m/s*(0.5 s - abs(t - 0.5 s))\""},
      {"E-variation-constraint", "a variation breaks a constraint",
       "Paths beside the motion satisfy configuration constraints to first order: vary all of a "
       "constraint's coordinates together. Constraints on velocities have no such paths.",
       "visviva prove pendulum.viva --variation \"x: 1 m/s^2*t*(1 s - t)\"",
       "visviva prove pendulum.viva --variation \"x: -y*t*(1 s - t)/1 s^2, y: x*t*(1 s - t)/1 "
       "s^2\""},
      {"E-variation-force", "a force of a variation is not known",
       "An unknown force that does virtual work along the variation has no value to integrate.",
       "unknown T1", "constraint magnitude(P - No) = L"},
      {"E-variation-run", "the motion ends before its varied path does",
       "An event stops the run, or it cannot go on; the message says why.",
       "visviva prove fall.viva --until \"100 s\" --variation \"y: 1 m/s^2*t*(100 s - t)\"",
       "visviva prove fall.viva --until \"1 s\" --variation \"y: 1 m/s^2*t*(1 s - t)\""},
      {"E-table-file", "a table's file cannot be read",
       "Paths are taken from the folder of the model, and lead to a regular file there or below "
       "it; "
       "--tables FOLDER allows another folder. Its first column, or the one of time, holds "
       "numbers.",
       "specified F(t) = table(\"forces.csv\")", "specified F(t) = table(\"force.csv\")"},
      {"E-table-column", "a table has no such column",
       "Columns count from 1, and the first is time.",
       "specified F(t) = table(\"force.csv\", column 9)",
       "specified F(t) = table(\"force.csv\", column 2)"},
      {"E-table-unit", "units of a table contradict each other",
       "The unit of a column stands in the statement, in the header, \"p [kPa]\", or in a line above it; where "
       "it stands twice both are the same.",
       "table(\"gas.csv\", over q, unit Pa)   # p [kPa] in the file",
       "table(\"gas.csv\", over q)"},
      {"W-table-overshoot", "a smooth curve leaves its samples far behind",
       "A curve with continuous curvature swings out on both sides of a jump: forces there are not what was "
       "measured.",
       "table(\"cam.csv\", over q)", "table(\"cam.csv\", over q, linear)"},
      {"E-table-number", "a cell of a table is not a number",
       "Cells hold finite numbers with a decimal point.", "0.1, n/a", "0.1, 2.5"},
      {"E-table-time", "the times of a table do not increase",
       "Each row's time is later than the one before.", "0.2, 1\n0.1, 2", "0.1, 2\n0.2, 1"},
      {"E-table-values", "no curve goes through the values of a table",
       "A periodic table ends with the value that it begins with; its period is the last time "
       "minus the "
       "first. No slope may exceed the range of numbers.",
       "0.0, 1\n0.5, 3\n1.0, 2", "0.0, 1\n0.5, 3\n1.0, 1"},
      {"E-table-range", "a table does not reach the start",
       "A run begins at t = 0. Outside of its times a table has no value, unless the model says "
       "which: `hold` "
       "keeps the first and the last value, `periodic` repeats the table.",
       "specified F(t) = table(\"late.csv\", unit N)",
       "specified F(t) = table(\"late.csv\", unit N, hold)"},
      {"E-table-rows", "a table has too few rows", "A curve needs at least two.", "0.0, 1",
       "0.0, 1\n0.1, 2"},
  };
}

}  // namespace visviva
