// What can be wrong with a model's text before its meaning is asked for.
#include "visviva/base/catalogue_tables.h"

namespace visviva {

std::vector<CatalogueEntry> text_catalogue() {
  return {
      {"E-file-missing", "the file does not exist",
       "The model named on the command line is not there. Paths are taken from the folder the "
       "command runs in.",
       "visviva check hoists.viva", "visviva check hoist.viva"},
      {"E-file-unreadable", "the file cannot be read",
       "It is a folder, or its permissions do not let you read it.", "visviva check models",
       "visviva check models/hoist.viva"},
      {"E-file-large", "the file is too large",
       "A model has at most 16 MB of text. Samples belong in a table file.",
       "a model with a million samples written into it",
       "specified F(t) = table(\"force.csv\", column 2, unit N)"},
      {"E-file-utf8", "the file is not UTF-8",
       "Models are plain text in UTF-8. Editors have a setting for the encoding.",
       "a file saved as Latin-1", "the same file saved as UTF-8"},
      {"E-file-binary", "the file is not a text",
       "It holds zero bytes or starts like UTF-16: a program or a document, not a model.",
       "visviva check hoist.h5", "visviva check hoist.viva"},
      {"E-file-empty", "the file holds no statements",
       "There is nothing but blanks and comments in it.", "# later",
       "model hoist \"A body hanging from a hoist\""},
      {"E-include-file", "an included file cannot be read",
       "Paths are taken from the folder of the file that includes, and lead to a regular file in "
       "the "
       "model's folder or below it. Files include one another at most 20 deep.",
       "include \"prat.viva\"", "include \"part.viva\""},
      {"E-include-twice", "a file is included twice",
       "A file is a part of a model once: no file includes itself, through others either, and what "
       "two parts need the model includes for both.",
       "include \"part.viva\"\ninclude \"part.viva\"", "include \"part.viva\""},
      {"E-robot-file", "a file is no robot",
       "Robot files are well-formed XML: URDF begins with <robot>, SDF with <sdf>, MJCF with "
       "<mujoco>. "
       "Elements are at most 200 deep. Only a robot file has a base that --floating sets free.",
       "visviva check page.xml", "visviva check robot.urdf"},
      {"E-robot-value", "a robot file lacks a value or has a wrong one",
       "Numbers are in m, kg, s and rad, with a decimal point and blanks between. Macros of xacro "
       "are "
       "not read: make a URDF file with xacro first.",
       "<mass value=\"${m}\"/>", "<mass value=\"2.5\"/>"},
      {"E-robot-tree", "the links of a robot are no tree",
       "Every link but one is the child of one joint, whose parent is a link, too; what a joint "
       "mimics "
       "is a joint.",
       "<parent link=\"uper_arm\"/>", "<parent link=\"upper_arm\"/>"},
      {"E-robot-joint", "a robot has a joint that is not known",
       "URDF has revolute, continuous, prismatic, fixed, floating and planar joints.",
       "<joint name=\"a\" type=\"hinge\">", "<joint name=\"a\" type=\"revolute\">"},
      {"W-robot-remark", "something in a robot file is not taken as it stands",
       "A name was changed, a link has hardly any mass, or something is not modelled. The text "
       "that "
       "`visviva convert` writes has the same remarks.",
       "<link name=\"left arm\">", "<link name=\"left_arm\">"},
      {"E-picture-file", "the mesh of a picture is not in the model's folder",
       "A model from somebody else must not read what is none of its business: meshes lie in the "
       "model's "
       "folder or below it.",
       "picture shell of B at Bcm, mesh \"/tmp/shell.stl\"",
       "picture shell of B at Bcm, mesh \"shell.stl\""},
      {"W-picture-file", "the mesh of a picture cannot be read",
       "The picture is not drawn; equations and motion do not change. Meshes are STL files, binary "
       "or text, or "
       "OBJ files, of at most 16 MB.",
       "picture shell of B at Bcm, mesh \"shell.dae\"",
       "picture shell of B at Bcm, mesh \"shell.stl\""},
      {"E-character", "a character has no meaning in the language",
       "Names have letters of any script, digits and _. Operators are + - * / ^ and =. Signs "
       "copied from documents, such as a long "
       "minus or a raised 2, and characters that cannot be seen are not read as what they look "
       "like.",
       "parameter a = 2 m · 3", "parameter a = 2 m * 3"},
      {"E-text-open", "a text has no closing quote",
       "A text stands between two quotes on one line.", "model hoist \"A body hanging",
       "model hoist \"A body hanging\""},
      {"E-number-form", "this is not a number",
       "Numbers are 2, 0.5, .5 or 1e-3: digits on both sides of a point that follows a digit, and "
       "an exponent with digits. A product needs its sign.",
       "parameter a = 2., b = 2x", "parameter a = 2, b = 2*x"},
      {"E-number-range", "a number does not fit double precision",
       "Magnitudes reach from about 1e-308 to 1e308, and 0.", "parameter a = 1e400 m",
       "parameter a = 1e40 m"},
      {"E-unit-blank", "one blank stands between a number and its unit",
       "Neither none nor two, and no tab.", "parameter L = 3m", "parameter L = 3 m"},
      {"E-unit-unknown", "there is no such unit",
       "Units are SI with the usual prefixes, and deg rad rev min h. Gram is `gram`. A name after "
       "a number is read as a unit: a "
       "product of a number and a name needs *.",
       "parameter m = 200 g", "parameter m = 200 gram"},
      {"E-unit-power", "the power of a unit is a whole number",
       "As in m^2 or s^-1, without brackets.", "parameter a = 2 m^(1/2)",
       "parameter a = (4 m)^(1/2)"},
      {"E-unit-range", "a unit is too large or too small",
       "The scale of a unit must be a fraction of 64-bit integers.", "parameter V = 1 nm^3",
       "parameter V = 1e-27 m^3"},
      {"E-name-long", "a name is too long", "Names have at most 255 characters.",
       "a parameter whose name fills a page", "parameter m = 1 kg"},
      {"E-name-reserved", "a name is reserved",
       "Every model has the scalars K K0 K1 K2 U Z E_Z E H C sigma sigma_R P_nonconservative, the "
       "time t, the number pi, the frame N "
       "and the point No. A frame, body or point may still be called C or H.",
       "parameter H = 2 m", "parameter height = 2 m"},
      {"E-prime-count", "a name has at most two primes",
       "x' is dx/dt and x'' its rate. Higher rates are not used.", "let a = x'''", "let a = x''"},
      {"E-prime-place", "no prime is possible here",
       "Rates belong to scalars. Frames, axes and functions have none, and what is not a "
       "coordinate is declared without one.",
       "parameter k' = 1 N/m", "parameter k = 1 N/m"},
      {"E-bracket-open", "a bracket is never closed",
       "The statement ends, or the next one starts, before the closing bracket.",
       "let a = 2*(b + c", "let a = 2*(b + c)"},
      {"E-bracket-extra", "a bracket closes nothing", "There is one closing bracket too many.",
       "let a = (b + c))", "let a = (b + c)"},
      {"E-nesting-deep", "an expression is nested too deeply",
       "Brackets, signs and powers go at most 200 deep.",
       "a bracket in a bracket in a bracket, 201 times", "let part = a + b\nlet whole = 2*part"},
      {"E-line-continues", "a line promises more, but the next one starts a statement",
       "A line that ends in a comma or an operator goes on. Here the next line starts with the "
       "word of a statement.",
       "parameter a = 1 m,\nparameter b = 2 m", "parameter a = 1 m\nparameter b = 2 m"},
      {"E-syntax-expected", "something else was expected",
       "The message says what was found and what could stand there. The help shows the form of the "
       "statement.",
       "parameter L 0.5 m", "parameter L = 0.5 m"},
      {"E-claim-word", "this cannot be claimed",
       "A claim is one of invariant, third_law, constant, holonomic and nonholonomic, and a name.",
       "claim stable V", "claim invariant V"},
      {"E-statement-unknown", "no statement starts with this word",
       "Every line starts with the word that says what it declares: roles are declared, never "
       "guessed.",
       "L = 0.5 m", "parameter L = 0.5 m"},
      {"E-reserved-word", "a word is reserved for a later version",
       "contact state if for will start statements one day.", "contact K of B on N",
       "constraint K: dot(P - No, N.y) = 0"},
      {"E-reserved-index", "indexed names are reserved for a later version",
       "Names have no indices yet.", "coordinate q[1] = 0 m", "coordinate q1 = 0 m"},
      {"E-clause-unknown", "a statement has no such clause",
       "The message lists the clauses that the statement can have.", "particle Q at P, weight 2 kg",
       "particle Q at P, mass 2 kg"},
      {"E-clause-missing", "a clause is missing",
       "Some clauses must be there: where a particle is, what a body's mass is.", "particle Q at P",
       "particle Q at P, mass m"},
      {"E-clause-twice", "a clause is given twice", "Each clause stands once in a statement.",
       "particle Q at P, mass 1 kg, mass 2 kg", "particle Q at P, mass 2 kg"},
      {"E-clause-conflict", "two clauses exclude each other",
       "A body has an inertia or a solid; a spring two ends or a coordinate; a force `at` or "
       "`from`.",
       "body B at P, mass m, inertia I, I, I, sphere radius r",
       "body B at P, mass m, inertia I, I, I, shape sphere radius r"},
      {"E-joint-clause", "a joint has other clauses",
       "Each kind of joint is placed by its own clauses: a pin by an angle, a slider by a length, "
       "a "
       "planar joint by two lengths and an angle. A gear connects two coordinates.",
       "joint J pin of B on N at No along z, length q",
       "joint J pin of B on N at No along z, angle q"},
      {"E-inertia-count", "an inertia has three or six values",
       "Three on the diagonal of the inertia matrix, or six: Ixx, Iyy, Izz, Ixy, Iyz, Izx.",
       "body B at P, mass m, inertia I, I", "body B at P, mass m, inertia I, I, I"},
      {"E-function-unknown", "there is no such function",
       "Functions are those of the reference. A specified function x(t) is used as x.",
       "let a = sine(q)", "let a = sin(q)"},
      {"E-function-arguments", "a function has too many or too few arguments",
       "The help shows what it takes.", "let a = atan2(y)", "let a = atan2(y, x)"},
      {"E-function-place", "a function stands where it cannot",
       "rotate, quaternion, rodrigues and spin make frames; table makes a specified function; "
       "reaction, power, work, generalized_power, generalized_work and action are outputs.",
       "let R = reaction(P)", "output R = reaction(P)"},
      {"E-frame-value", "a frame is given by how it is turned",
       "Its value is rotate, quaternion, rodrigues or spin.", "frame B = A",
       "frame B = rotate(A, z, q)"},
      {"E-axis-unknown", "a frame has the axes x, y and z",
       "They are written A.x, A.y, A.z, without blanks. A solid lies along x, y or z.",
       "let v = 2*A.w", "let v = 2*A.z"},
      {"E-rotation-sequence", "three rotations need a sequence of three axes",
       "Such as zxz or xyz: letters x, y and z, no two equal neighbours, and three angles.",
       "frame B = rotate(N, zzx, a, b, c)", "frame B = rotate(N, zxz, a, b, c)"},
      {"E-table-option", "a table is not written so",
       "A table has a file in quotes, and at most one column (from 1), one unit and one of `hold`, "
       "`periodic` and `error`.",
       "specified F(t) = table(column 2)",
       "specified F(t) = table(\"force.csv\", column 2, unit N)"},
      {"E-case-empty", "a case changes nothing",
       "What a case changes stands after the colon, on the same line.",
       "case rigid:", "case rigid: lock s"},
      {"W-unit-hides-name", "a unit has the name of a scalar",
       "In a number's unit the longest run of unit names counts, so `2 m*s` is 2 metre seconds "
       "even when there is a scalar s. With "
       "blanks around the operator, `2 m * s`, the scalar is meant.",
       "coordinate s = 0 m\nlet a = 2 m*s", "coordinate s = 0 m\nlet a = 2 m * s"},
      {"W-unit-divisor", "a unit belongs to the divisor",
       "A unit belongs to the number before it: 1/2 m is 1 divided by 2 metres.",
       "parameter L = 1/2 m", "parameter L = 0.5 m"},
  };
}

}  // namespace visviva
