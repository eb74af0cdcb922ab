#include "visviva/report/page/derivation_section.h"

#include <fmt/format.h>

#include <algorithm>

#include "visviva/base/words.h"
#include "visviva/report/derivation/derivation_outline.h"
#include "visviva/report/derivation/outline_latex.h"
#include "visviva/report/derivation/reason_text.h"
#include "visviva/report/derivation/short_derivation.h"
#include "visviva/report/page/c_text.h"
#include "visviva/report/page/derivation_plan.h"
#include "visviva/report/page/equation_block.h"
#include "visviva/report/page/html_table.h"
#include "visviva/report/page/partial_motions.h"
#include "visviva/report/page/term_origins.h"
#include "visviva/symbolic/print/combination.h"

namespace visviva {
namespace {

// A copy that is longer stays out of the page.
constexpr std::size_t longest_copy = 150'000;

// F_theta, or F*_theta with a star.
MathPiece force_piece(const std::string& speed, bool is_inertia) {
  const std::string index = lean_mathml(print_name(speed, Notation::mathml));
  const std::string plain = (is_inertia ? "F*_" : "F_") + speed;
  if (is_inertia) return {"<msubsup><mi>F</mi>" + index + "<mo>*</mo></msubsup>", plain};
  return {"<msub><mi>F</mi>" + index + "</msub>", plain};
}

class SectionWriter {
 public:
  SectionWriter(const Derivation& derivation, const Causes& causes, std::string command)
      : plan_(derivation, causes),
        d_(derivation),
        written_(plan_.written()),
        command_(std::move(command)),
        names_(written_, named_symbols(), {"M", "f", "F", "F_inertia"}) {}

  Html write() {
    write_head();
    write_definitions();
    write_kinematics();
    write_constraints();
    write_dependent();
    if (plan_.detail() == DerivationDetail::everything && !d_.shortened)
      html_ += make_partial_motions(d_, written_);
    write_intermediates();
    write_forces("Generalized active forces", d_.active_terms, Cause::Kind::load);
    write_forces("Generalized inertia forces", d_.inertia_terms, Cause::Kind::body);
    write_equations();
    write_auxiliary();
    html_ += make_term_origins(d_, plan_.causes());
    write_noncontributing();
    return std::move(html_);
  }

 private:
  // ---- Names

  const Speed& speed(int r) const { return d_.equations.motion.speeds()[r]; }
  std::string rate_name(int r) const {
    const Expr& rate = speed(r).rate;
    return rate.home().symbol_name(rate.ref());
  }
  std::string latex(const Expr& e) const { return written_.text(e, latex_writer()); }
  static std::string latex_name(const std::string& name) {
    return print_name(name, Notation::latex);
  }
  std::vector<std::string> named_symbols() const {
    std::vector<std::string> names = symbol_names(d_.expressions());
    for (const auto& [rate, expr] : d_.kinematics) names.push_back(rate);
    for (const Speed& s : d_.equations.motion.speeds()) {
      names.push_back(s.name);
      names.push_back(s.rate.home().symbol_name(s.rate.ref()));
    }
    return names;
  }

  // ---- Parts of the page

  void add_heading(const Html& title) { html_ += heading(title); }
  void add_paragraph(const Html& content) { html_ += paragraph(content); }

  void add(const std::string& title, EquationBlock block) {
    if (block.equations.empty()) return;
    if (!title.empty()) add_heading(title);
    block.lean = plan_.is_long();
    bool left_out = false;
    for (std::string* copy : {&block.latex, &block.c}) {
      if (copy->size() <= longest_copy) continue;
      copy->clear();
      left_out = true;
    }
    html_ += write_equation_block(block);
    if (left_out)
      add_paragraph("Too long to copy from here: " + element("code", command_ + " --format latex") +
                    " and " + element("code", "visviva export --as c") + " write it to a file.");
  }

  void add_c(EquationBlock* block, const std::vector<CAssignment>& assignments) const {
    block->c = write_c_assignments(written_, names_, assignments);
  }

  Html listed_speeds(const std::vector<int>& speeds) const {
    std::vector<Html> names;
    for (const int r : speeds) names.push_back(math_name_html(speed(r).name));
    return join_html(names);
  }

  void write_head() {
    const EmbeddedEquations& e = d_.embedded;
    Html words = method_title(d_.equations.method) + Html(", ") +
                 counted(e.independent.size(), "degree of freedom", "degrees of freedom") + ".";
    if (!e.independent.empty())
      words += " Independent speeds: " + listed_speeds(e.independent) + ".";
    if (!e.dependent.empty()) words += " Dependent speeds: " + listed_speeds(e.dependent) + ".";
    std::vector<Html> unknowns;
    for (const Expr& u : d_.equations.unknowns)
      unknowns.push_back(math_name_html(u.home().symbol_name(u.ref())));
    if (!unknowns.empty()) words += " Unknown forces: " + join_html(unknowns) + ".";
    add_paragraph(words);
    if (d_.shortened)
      return add_paragraph(Html("This system is large. Here are the first few of each list; ") +
                           element("code", command_ + " --full") + " writes them all, and " +
                           element("code", command_ + " --json") + " for programs.");
    if (plan_.detail() == DerivationDetail::everything) return;
    add_paragraph(Html("This system is large. Left out here are the partial velocities") +
                  (plan_.detail() == DerivationDetail::equations_only
                       ? " and what each load and body adds to the generalized forces"
                       : "") +
                  "; " + element("code", command_ + " --format json") + " has them all.");
  }

  void write_definitions() {
    EquationBlock block;
    std::vector<OutlineEquation> outline;
    for (const auto& [name, definition] : d_.definitions) {
      block.equations.push_back({{name_piece(name)}, "=", sum_pieces(written_, definition)});
      outline.push_back({latex_name(name), "=", latex(definition)});
    }
    block.latex = write_equations_latex(outline);
    add("Definitions of the speeds", std::move(block));
  }

  // theta' = theta' says nothing, and s' = ds no more than its definition.
  void write_kinematics() {
    EquationBlock block;
    std::vector<OutlineEquation> outline;
    std::vector<CAssignment> assignments;
    for (const auto& [rate, expr] : d_.kinematics) {
      const bool trivial = expr.is_symbol() && (expr.ref() & 1u) == 0;
      if (trivial) continue;
      block.equations.push_back({{name_piece(rate)}, "=", sum_pieces(written_, expr)});
      outline.push_back({latex_name(rate), "=", latex(expr)});
      assignments.push_back({names_(rate), {expr}, true});
    }
    block.latex = write_equations_latex(outline);
    add_c(&block, assignments);
    add("Kinematical equations", std::move(block));
  }

  std::vector<int> constraint_causes(int constraint) const {
    const ConstraintData& c = d_.model().constraints[constraint];
    const std::optional<int> cause = plan_.causes().find(Cause::Kind::constraint, c.name);
    return cause ? std::vector<int>{*cause} : std::vector<int>{};
  }

  void write_constraints() {
    EquationBlock block;
    std::vector<OutlineEquation> outline;
    for (const ConstraintRow& row : d_.equations.rows) {
      std::vector<MathPiece> left;
      std::vector<std::string> coefficients, rates;
      for (const auto& [r, a] : row.velocity.coefficients) {
        if (a.is_zero()) continue;
        for (MathPiece& p : product_pieces(written_, a, speed(r).name, !left.empty()))
          left.push_back(std::move(p));
        coefficients.push_back(latex(a));
        rates.push_back(latex_name(speed(r).name));
      }
      const Expr& rest = row.velocity.remainder;
      if (!rest.is_zero() || left.empty()) {
        for (MathPiece& p : sum_pieces(written_, rest, !left.empty())) left.push_back(std::move(p));
        coefficients.push_back(latex(rest));
        rates.push_back("{}");
      }
      const ConstraintData& c = d_.model().constraints[row.constraint];
      const std::string name = (c.kind == ConstraintData::Kind::lock ? "lock " : "") + c.name;
      block.equations.push_back({std::move(left),
                                 "=",
                                 {{"<mn>0</mn>", "0"}},
                                 link_to_line(c.source.span.line, name),
                                 constraint_causes(row.constraint)});
      outline.push_back({write_combination(coefficients, rates, Notation::latex), "=", "0"});
    }
    block.latex = write_equations_latex(outline);
    add("Constraints on the speeds", std::move(block));
  }

  void write_dependent() {
    EquationBlock block;
    std::vector<OutlineEquation> outline;
    std::vector<CAssignment> assignments;
    std::vector<int> causes;
    for (const ConstraintRow& row : d_.equations.rows)
      for (const int c : constraint_causes(row.constraint))
        if (causes.empty() || causes.back() != c) causes.push_back(c);
    for (std::size_t k = 0; k < d_.embedded.dependent_speeds.size(); ++k) {
      const std::string& name = speed(d_.embedded.dependent[k]).name;
      const Expr& value = d_.embedded.dependent_speeds[k];
      block.equations.push_back({{name_piece(name)}, "=", sum_pieces(written_, value), "", causes});
      outline.push_back({latex_name(name), "=", latex(value)});
      assignments.push_back({names_(name), {value}, true});
    }
    block.latex = write_equations_latex(outline);
    add_c(&block, assignments);
    add("Dependent speeds", std::move(block));
    write_validity();
  }

  void write_validity() {
    const Expr& validity = d_.embedded.validity;
    if (!validity.valid() || has_only_parameters(d_.model(), validity)) return;
    add("Valid while", {{{sum_pieces(written_, validity),
                          "\u2260",
                          {{"<mn>0</mn>", "0"}},
                          "else other speeds must depend"}}});
  }

  void write_intermediates() {
    const std::size_t all = written_.intermediate_count();
    if (all == 0) return;
    const std::size_t count = d_.shortened ? std::min(all, most_intermediates_in_short) : all;
    const std::string title =
        count < all ? fmt::format("Intermediate quantities (the first {} of {})", count, all)
                    : fmt::format("Intermediate quantities ({})", count);
    if (plan_.is_very_long() && !d_.shortened) {
      // Dozens of pages that nobody prints.
      html_ += element("details", {{"data-print", "no"}},
                       element("summary", title) + "\n" + intermediates_as_text()) +
               "\n";
      return;
    }
    EquationBlock block{{}, "", "", plan_.is_long()};
    std::vector<OutlineEquation> outline;
    for (std::size_t k = 0; k < count; ++k) {
      const std::string& name = written_.intermediate_name(k);
      block.equations.push_back({{name_piece(name)}, "=", intermediate_pieces(written_, k)});
      outline.push_back({latex_name(name), "=", written_.intermediate_text(k, latex_writer())});
    }
    block.latex = write_equations_latex(outline);
    if (block.latex.size() > longest_copy) block.latex.clear();
    html_ += fold(title, write_equation_block(block));
  }

  Html intermediates_as_text() const {
    std::string text;
    for (std::size_t k = 0; k < written_.intermediate_count(); ++k)
      text += written_.intermediate_name(k) + " = " +
              written_.intermediate_text(k, language_writer()) + "\n";
    return element("pre", {{"class", "intermediates"}}, text) + "\n";
  }

  void write_forces(const char* title, const std::vector<ForceTerm>& terms, Cause::Kind kind) {
    if (plan_.detail() == DerivationDetail::equations_only || d_.shortened) return;
    const bool is_inertia = kind == Cause::Kind::body;
    EquationBlock block;
    std::vector<OutlineEquation> outline;
    std::vector<CAssignment> assignments;
    const EmbeddedEquations& e = d_.embedded;
    for (std::size_t i = 0; i < e.independent.size(); ++i) {
      const std::string& name = speed(e.independent[i]).name;
      std::vector<MathPiece> right;
      std::string sum;
      std::vector<Expr> values;
      for (const ForceTerm& t : terms) {
        if (t.values[i].is_zero()) continue;
        for (MathPiece& p : plan_.term_pieces(t, kind, i, !right.empty()))
          right.push_back(std::move(p));
        values.push_back(t.values[i]);
        sum = sum.empty() ? latex(t.values[i]) : write_signed_sum(sum, latex(t.values[i]));
      }
      assignments.push_back(
          {fmt::format("{}[{}]", names_.target(is_inertia ? "F_inertia" : "F"), i), values});
      if (right.empty()) right.push_back({"<mn>0</mn>", "0"});
      block.equations.push_back({{force_piece(name, is_inertia)}, "=", std::move(right)});
      outline.push_back(
          {(is_inertia ? "F^*_{" : "F_{") + latex_name(name) + "}", "=", sum.empty() ? "0" : sum});
    }
    block.latex = write_equations_latex(outline);
    add_c(&block, assignments);
    add(title, std::move(block));
  }

  void write_equations() {
    add_heading("Equations of motion");
    const EmbeddedEquations& e = d_.embedded;
    if (e.independent.empty()) add_paragraph("None: nothing is free to move.");
    EquationBlock block;
    std::vector<OutlineEquation> outline;
    std::vector<CAssignment> assignments;
    if (d_.shortened) add_paragraph(Html(write_shown_rows(*d_.shortened)));
    for (std::size_t i = 0; i < e.forcing.size(); ++i) {
      std::vector<MathPiece> left;
      std::vector<std::string> coefficients, rates;
      for (std::size_t s = 0; s < e.independent.size(); ++s) {
        const Expr& m = e.mass_matrix[i][s];
        assignments.push_back({fmt::format("{}[{}][{}]", names_.target("M"), i, s), {m}});
        if (m.is_zero()) continue;
        for (MathPiece& p : plan_.mass_pieces(i, s, !left.empty())) left.push_back(std::move(p));
        coefficients.push_back(latex(m));
        rates.push_back(latex_name(rate_name(e.independent[s])));
      }
      if (left.empty()) left.push_back({"<mn>0</mn>", "0"});
      assignments.push_back({fmt::format("{}[{}]", names_.target("f"), i), {e.forcing[i]}});
      block.equations.push_back({std::move(left), "=", plan_.forcing_pieces(i)});
      outline.push_back(
          {write_combination(coefficients, rates, Notation::latex), "=", latex(e.forcing[i])});
    }
    block.latex = with_intermediates(outline, e.forcing);
    add_c(&block, assignments);
    add("", std::move(block));
  }

  // The definitions that equations need, before them.
  std::string with_intermediates(std::vector<OutlineEquation> equations,
                                 std::vector<Expr> values) const {
    for (const auto& row : d_.embedded.mass_matrix)
      values.insert(values.end(), row.begin(), row.end());
    std::vector<OutlineEquation> all;
    for (const std::size_t k : written_.intermediates_of(values)) {
      if (d_.shortened && k >= most_intermediates_in_short) break;
      all.push_back({latex_name(written_.intermediate_name(k)), "=",
                     written_.intermediate_text(k, latex_writer())});
    }
    all.insert(all.end(), equations.begin(), equations.end());
    return write_equations_latex(all);
  }

  void write_auxiliary() {
    EquationBlock block;
    for (const AuxiliaryEquation& a : d_.equations.auxiliary) {
      std::vector<MathPiece> left;
      for (std::size_t r = 0; r < a.mass.size(); ++r) {
        if (a.mass[r].is_zero()) continue;
        for (MathPiece& p :
             product_pieces(written_, a.mass[r], rate_name(static_cast<int>(r)), !left.empty()))
          left.push_back(std::move(p));
      }
      if (left.empty()) left.push_back({"<mn>0</mn>", "0"});
      const AuxiliaryData& data = d_.model().auxiliaries[a.auxiliary];
      std::vector<MathPiece> right = sum_pieces(written_, a.forcing);
      if (a.is_evidence) {
        MathPiece force = name_piece("F_" + data.name);
        force.mathml = "<mo form=\"infix\">+</mo>" + force.mathml;
        right.push_back(std::move(force));
      }
      block.equations.push_back({std::move(left), "=", std::move(right),
                                 link_to_line(data.source.span.line, data.name) +
                                     (a.is_evidence ? ", with the force in evidence" : "")});
    }
    add("Auxiliary speeds", std::move(block));
  }

  void write_noncontributing() {
    if (d_.noncontributing.empty()) return;
    add_heading("Forces that contribute nothing");
    Html items = "\n";
    for (const Noncontributing& n : d_.noncontributing)
      items += element("li", link_to_line(n.source.span.line, n.name) + ": " +
                                 write_noncontributing_reason(n)) +
               "\n";
    html_ += element("ul", items) + "\n";
  }

  DerivationPlan plan_;
  const Derivation& d_;
  const PrintedForms& written_;
  std::string command_;
  CNames names_;
  Html html_;
};

}  // namespace

Html make_derivation_section(const Derivation& derivation, const Causes& causes,
                             const std::string& command) {
  return SectionWriter(derivation, causes, command).write();
}

}  // namespace visviva
