#include "visviva/text/syntax/parser.h"

#include <gtest/gtest.h>

#include "visviva/text/syntax/limits.h"

namespace visviva {
namespace {

using Kind = Expression::Kind;

// What an expression reads as, fully bracketed; the first problem when it cannot be read.
std::string reading_of(const std::string& text) {
  const ExpressionReading reading = parse_expression({"test", text});
  if (reading.expression) return print_syntax(*reading.expression);
  return reading.diagnostics.empty() ? "nothing" : reading.diagnostics[0].code;
}

SyntaxStatement statement_of(const std::string& text) {
  SyntaxTree tree = parse_syntax({"test", text});
  EXPECT_TRUE(tree.diagnostics.empty()) << text << ": " << tree.diagnostics[0].message;
  EXPECT_EQ(tree.statements.size(), 1u) << text;
  return tree.statements.empty() ? SyntaxStatement() : tree.statements[0];
}

TEST(parse_expression, binds_as_usual) {
  EXPECT_EQ(reading_of("-x^2"), "(-(x ^ 2))");
  EXPECT_EQ(reading_of("a^b^c"), "(a ^ (b ^ c))");
  EXPECT_EQ(reading_of("2^-x"), "(2 ^ (-x))");
  EXPECT_EQ(reading_of("a*b/c"), "((a * b) / c)");
  EXPECT_EQ(reading_of("a/b*c"), "((a / b) * c)");
  EXPECT_EQ(reading_of("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(reading_of("a - b*c^d"), "(a - (b * (c ^ d)))");
  EXPECT_EQ(reading_of("-a*b"), "((-a) * b)");
  EXPECT_EQ(reading_of("a*-b"), "(a * (-b))");
  EXPECT_EQ(reading_of("+a - -b"), "(a - (-b))");
  EXPECT_EQ(reading_of("(a + b)*c"), "((a + b) * c)");
  EXPECT_EQ(reading_of("(-x)^2"), "((-x) ^ 2)");
  EXPECT_EQ(reading_of("x''^2*A.x"), "((x'' ^ 2) * A.x)");
}

TEST(parse_expression, gives_a_number_the_longest_unit) {
  EXPECT_EQ(reading_of("2 m/s"), "[2 m/s]");
  EXPECT_EQ(reading_of("2 m / s"), "([2 m] / s)");
  EXPECT_EQ(reading_of("0.3 m*A.x"), "([0.3 m] * A.x)");
  EXPECT_EQ(reading_of("3 rad/s*t"), "([3 rad/s] * t)");
  EXPECT_EQ(reading_of("2 m*min(a, b)"), "([2 m] * min(a, b))");
  EXPECT_EQ(reading_of("2 m*s'"), "([2 m] * s')");
  EXPECT_EQ(reading_of("2 m*s_1"), "([2 m] * s_1)");
  EXPECT_EQ(reading_of("2 m^3/kg/s^2*x"), "([2 m^3/kg/s^2] * x)");
  EXPECT_EQ(reading_of("5 s^-1"), "[5 s^-1]");
  EXPECT_EQ(reading_of("5 s^-1-x"), "([5 s^-1] - x)");
  EXPECT_EQ(reading_of("2*m"), "(2 * m)");
  EXPECT_EQ(reading_of("(2 m)^n"), "([2 m] ^ n)");
  EXPECT_EQ(reading_of("2 kg* m"), "([2 kg] * m)");
  EXPECT_EQ(reading_of("1.50e-3 \u00b5m"), "[1.50e-3 \u00b5m]");
}

TEST(parse_expression, tells_functions_from_units_and_names_by_the_bracket) {
  EXPECT_EQ(reading_of("min(1, 2) + min"), "(min(1, 2) + min)");
  EXPECT_EQ(reading_of("30 min"), "[30 min]");
  EXPECT_EQ(reading_of("unit*unit(v)"), "(unit * unit(v))");
}

TEST(parse_expression, reads_the_words_inside_some_functions) {
  EXPECT_EQ(reading_of("velocity(P on C)"), "velocity(P on C)");
  EXPECT_EQ(reading_of("velocity(P + L*A.x on C)"), "velocity((P + (L * A.x)) on C)");
  EXPECT_EQ(reading_of("rotate(N, space zxz, a, b, c)"), "rotate(N, space zxz, a, b, c)");
  EXPECT_EQ(reading_of("rotate(N, space, a)"), "rotate(N, space, a)");
  EXPECT_EQ(reading_of("table(\"f.csv\", column 2, unit N*m)"),
            "table(\"f.csv\", column 2, unit N*m)");
  EXPECT_EQ(reading_of("table(\"f.csv\", column \"force\")"), "table(\"f.csv\", column \"force\")");
}

TEST(parse_expression, refuses_what_is_none) {
  EXPECT_EQ(reading_of(""), "E-syntax-expected");
  EXPECT_EQ(reading_of("1 +"), "E-syntax-expected");
  EXPECT_EQ(reading_of("a b"), "E-syntax-expected");
  EXPECT_EQ(reading_of("a\nb"), "E-syntax-expected");
  EXPECT_EQ(reading_of("2 kgg"), "E-unit-unknown");
  EXPECT_EQ(reading_of("q[1]"), "q[1]");
  EXPECT_EQ(reading_of("q[i]"), "E-index");
  EXPECT_EQ(reading_of("q [1]"), "E-reserved-index");
}

TEST(parse_expression, spans_cover_what_was_typed) {
  const Expression sum = *parse_expression({"f", "θ + 2 m*sin(x)"}).expression;
  EXPECT_EQ(sum.span.file, "f");
  EXPECT_EQ(sum.span.column, 1);
  EXPECT_EQ(sum.span.length, 14);
  const Expression& product = sum.operands[1];
  EXPECT_EQ(product.span.column, 5);
  EXPECT_EQ(product.span.length, 10);
  EXPECT_EQ(product.operands[0].span.length, 3);
  EXPECT_EQ(product.operands[1].span.column, 9);
  EXPECT_EQ(product.operands[1].operands[0].span.column, 13);
}

TEST(parse_expression, keeps_the_digits_as_typed) {
  const Expression number = *parse_expression({"f", "0.30000000000000000001 m"}).expression;
  EXPECT_EQ(number.text, "0.30000000000000000001");
  EXPECT_EQ(number.unit, "m");
}

TEST(parse_syntax, reads_lists_of_definitions) {
  const SyntaxStatement s = statement_of("coordinate s = 0 m, s' = 0.2 m/s, q \"stretch\"");
  EXPECT_EQ(s.kind, StatementKind::coordinate);
  ASSERT_EQ(s.items.size(), 3u);
  EXPECT_EQ(s.items[1].name.text, "s");
  EXPECT_EQ(s.items[1].name.primes, 1);
  EXPECT_EQ(print_syntax(*s.items[1].value), "[0.2 m/s]");
  EXPECT_FALSE(s.items[2].value.has_value());
  EXPECT_EQ(s.documentation, "stretch");
}

TEST(parse_syntax, reads_specified_functions_with_their_argument) {
  const SyntaxStatement s = statement_of("specified x(t) = 3 m * cos(1 rad/s * t), F(t)");
  ASSERT_EQ(s.items.size(), 2u);
  EXPECT_EQ(s.items[0].name.text, "x");
  EXPECT_EQ(print_syntax(*s.items[0].value), "([3 m] * cos(([1 rad/s] * t)))");
  EXPECT_EQ(s.items[1].name.text, "F");
}

TEST(parse_syntax, reads_start_values_of_names_and_of_vectors) {
  const SyntaxStatement s =
      statement_of("start u1 = 2 m/s, q' = 0, angular_velocity(D) = 3 rad/s*D.z");
  ASSERT_EQ(s.items.size(), 3u);
  EXPECT_EQ(print_syntax(*s.items[1].target), "q'");
  EXPECT_EQ(print_syntax(*s.items[2].target), "angular_velocity(D)");
  EXPECT_EQ(print_syntax(*s.items[2].value), "([3 rad/s] * D.z)");
}

TEST(parse_syntax, reads_cases_with_locks_and_values) {
  const SyntaxStatement s =
      statement_of("case rigid \"tube rigid\": lock s, b = 0 N*m*s, Omega(t) = 4 rad/s,\n  lock q");
  EXPECT_EQ(s.name.text, "rigid");
  EXPECT_EQ(s.documentation, "tube rigid");
  ASSERT_EQ(s.items.size(), 4u);
  EXPECT_TRUE(s.items[0].is_lock);
  EXPECT_EQ(s.items[0].name.text, "s");
  EXPECT_EQ(print_syntax(*s.items[1].target), "b");
  EXPECT_EQ(print_syntax(*s.items[2].target), "Omega");
  EXPECT_EQ(s.items[3].name.text, "q");
}

TEST(parse_syntax, reads_outputs_with_and_without_names) {
  const SyntaxStatement s = statement_of("output theta, vx = dot(v, N.x), reaction(H)");
  ASSERT_EQ(s.items.size(), 3u);
  EXPECT_EQ(s.items[0].name.text, "");
  EXPECT_EQ(s.items[1].name.text, "vx");
  EXPECT_EQ(print_syntax(*s.items[1].target), "dot(v, N.x)");
  EXPECT_EQ(print_syntax(*s.items[2].target), "reaction(H)");
}

TEST(parse_syntax, reads_constraints_with_labels) {
  const SyntaxStatement s = statement_of("constraint ball: PA - PB = 0, x^2 + y^2 = L^2");
  ASSERT_EQ(s.items.size(), 2u);
  EXPECT_EQ(s.items[0].name.text, "ball");
  EXPECT_EQ(print_syntax(*s.items[0].target), "(PA - PB)");
  EXPECT_EQ(print_syntax(*s.items[0].value), "0");
  EXPECT_EQ(s.items[1].name.text, "");
}

TEST(parse_syntax, reads_rolling_with_and_without_a_name) {
  const SyntaxStatement named = statement_of("roll contact: C on N at Cc - r*N.y");
  EXPECT_EQ(named.name.text, "contact");
  EXPECT_EQ(print_syntax(*named.items[0].target), "C");
  EXPECT_EQ(print_syntax(find_clause(named, "on")->values[0]), "N");
  EXPECT_EQ(print_syntax(find_clause(named, "at")->values[0]), "(Cc - (r * N.y))");
  EXPECT_EQ(statement_of("roll C on N at P").name.text, "");
}

TEST(parse_syntax, reads_bodies_with_every_solid) {
  const std::string body = "body B at P, mass m, ";
  const auto sphere = statement_of(body + "sphere radius r");
  EXPECT_EQ(print_syntax(find_clause(*find_clause(sphere, "sphere"), "radius")->values[0]), "r");
  const auto cylinder = statement_of(body + "cylinder radius r, length 2*l along z");
  const SyntaxClause& sizes = *find_clause(cylinder, "cylinder");
  EXPECT_EQ(print_syntax(find_clause(sizes, "length")->values[0]), "(2 * l)");
  EXPECT_EQ(print_syntax(find_clause(sizes, "along")->values[0]), "z");
  const auto box = statement_of(body + "box a, b, 3 m");
  ASSERT_EQ(find_clause(box, "box")->values.size(), 3u);
  statement_of(body + "shell radius r");
  statement_of(body + "rod length l along y");
  statement_of(body + "disc radius r along z");
  const auto shaped = statement_of(
      body + "inertia Ixx, Iyy, Izz, Ixy, Iyz, Izx, shape disc radius r along z \"a disc\"");
  EXPECT_EQ(find_clause(shaped, "inertia")->values.size(), 6u);
  EXPECT_EQ(find_clause(shaped, "shape")->clauses[0].word, "disc");
  EXPECT_EQ(shaped.documentation, "a disc");
}

TEST(parse_syntax, reads_forces_with_their_places) {
  const SyntaxStatement s = statement_of("force F2 on P from Q = T*unit(Q - P)");
  EXPECT_EQ(s.name.text, "F2");
  EXPECT_EQ(print_syntax(find_clause(s, "from")->values[0]), "Q");
  EXPECT_EQ(print_syntax(*s.value), "(T * unit((Q - P)))");
  EXPECT_EQ(print_syntax(*statement_of("gravity -g*N.y").value), "((-g) * N.y)");
}

TEST(parse_syntax, reads_events_and_studies) {
  const SyntaxStatement event = statement_of("event hit when dot(Q - No, N.y) = 0, stop");
  EXPECT_EQ(find_clause(event, "when")->values.size(), 2u);
  EXPECT_NE(find_clause(event, "stop"), nullptr);
  const SyntaxStatement study =
      statement_of("study until 10 s, every 0.01 s, tolerance 1e-10, energy 1e-6 J");
  EXPECT_EQ(print_syntax(find_clause(study, "energy")->values[0]), "[1e-6 J]");
}

TEST(parse_syntax, keeps_what_could_be_read_of_a_wrong_statement) {
  const SyntaxTree tree =
      parse_syntax({"test", "paramter a = 1 m\nparameter b = 1 kgg, c = 2 m\nblorb d\n"});
  ASSERT_EQ(tree.statements.size(), 2u);
  EXPECT_TRUE(tree.has_errors());
  EXPECT_EQ(tree.statements[0].items[0].name.text, "a");
  EXPECT_TRUE(tree.statements[1].damaged);
  ASSERT_EQ(tree.statements[1].items.size(), 2u);
  EXPECT_EQ(tree.statements[1].items[1].name.text, "c");
  EXPECT_EQ(tree.unread_names.count("d"), 1u);
}

TEST(parse_syntax, a_long_sum_is_not_deep) {
  std::string text = "let a = 1";
  for (int i = 0; i < 100000; ++i) text += i % 2 == 0 ? " + x" : " - y";
  const SyntaxTree tree = parse_syntax({"test", text});
  ASSERT_TRUE(tree.diagnostics.empty());
  EXPECT_EQ(tree.statements[0].items[0].value->operands.size(), 100001u);
}

TEST(parse_syntax, refuses_a_file_that_is_too_large) {
  const SyntaxTree tree = parse_syntax({"test", std::string(largest_file + 1, ' ')});
  ASSERT_EQ(tree.diagnostics.size(), 1u);
  EXPECT_EQ(tree.diagnostics[0].code, "E-file-large");
}

TEST(parse_syntax, keeps_only_so_many_problems) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "parameter a = ;\nfoo bar\n";
  EXPECT_EQ(parse_syntax({"test", text}).diagnostics.size(), most_problems);
}

}  // namespace
}  // namespace visviva
