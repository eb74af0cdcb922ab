#include "visviva/report/page/energy_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "visviva/base/words.h"
#include "visviva/report/derivation/outline_latex.h"
#include "visviva/report/energy/ledger_text.h"
#include "visviva/report/energy/reason_text.h"
#include "visviva/report/page/c_text.h"
#include "visviva/report/page/equation_block.h"
#include "visviva/report/page/html_causes.h"
#include "visviva/report/page/html_table.h"
#include "visviva/report/page/term_causes.h"

namespace visviva {
namespace {

// Characters of the model language; longer expressions are left to the command line.
constexpr std::size_t longest_energies = 25'000;

Html formula_html(const std::string& formula) {
  return math_html(write_formula(formula, Notation::mathml));
}

Html reasons_html(const Reasons& reasons, Wording wording, const Html& separator) {
  std::vector<Html> shown;
  for (const Sentence& r : make_reasons(reasons, wording)) shown.push_back(sentence_html(r));
  return join_html(shown, separator);
}

Html reasons_html(const Reasons& reasons) {
  return reasons_html(reasons, Wording::brief, ";" + void_element("br"));
}

// A mark and a word: colour alone says nothing to many.
Html constancy_html(Constancy c) {
  switch (c) {
    case Constancy::constant:
      return element("span", {{"class", "verdict good"}}, "\u2713 constant");
    case Constancy::not_constant:
      return element("span", {{"class", "verdict bad"}}, "\u2717 not constant");
    case Constancy::not_defined:
      return element("span", {{"class", "verdict none"}}, "\u2013 not defined");
    case Constancy::undecided:
      break;
  }
  return element("span", {{"class", "verdict none"}}, "? undecided");
}

std::string scope_words(const Integral& i) {
  if (i.constancy == Constancy::not_constant && i.scope == Scope::all_parameters)
    return "in general";
  return i.extent == Extent::every_motion ? scope_name(i.scope)
                                          : scope_name(i.scope) + ", " + extent_name(i.extent);
}

Html integral_name(const Integral& i) {
  if (i.name == "hamiltonian") return "Hamiltonian";
  if (i.name == "mechanical_energy") return "mechanical energy";
  return math_name_html(i.name);
}

class EnergyWriter {
 public:
  EnergyWriter(const EnergyReport& report, const Causes& causes, const std::string& command)
      : r_(report),
        e_(report.energies),
        causes_(causes),
        command_(command),
        written_(print_forms(report.expressions())) {
    for (const Expr& e : report.expressions()) length_ += written_.length(e);
    for (std::size_t k = 0; k < written_.intermediate_count(); ++k)
      length_ += written_.intermediate_text(k, language_writer()).size();
  }

  Html write() {
    write_integrals();
    write_momenta();
    write_potential_energy();
    if (length_ <= longest_energies) {
      write_energies();
      write_portions();
    } else {
      add_paragraph("The expressions are too long for this page: " + element("code", command_) +
                    " writes them out.");
    }
    write_ledger();
    return std::move(html_);
  }

 private:
  void add_heading(const Html& title) { html_ += heading(title); }
  void add_paragraph(const Html& content) { html_ += paragraph(content); }

  Html speeds_html(const std::vector<int>& speeds) const {
    std::vector<Html> names;
    for (const int s : speeds) names.push_back(math_name_html(r_.speed_name(s)));
    return join_html(names);
  }

  void write_integrals() {
    add_heading("Which energies are constant");
    HtmlTable table{.heads = {"quantity", "definition", "in this model", "holds for", "why"}};
    for (const Integral& i : r_.integrals.energies)
      table.rows.push_back({integral_name(i), formula_html(i.definition.formula),
                            constancy_html(i.constancy), scope_words(i), why_html(i)});
    html_ += write_table(table);
    for (const Sentence& remark : make_reasons(r_.integrals.remarks))
      add_paragraph(sentence_html(remark));
  }

  // The two that need a potential energy say so and refer to the others.
  static Html why_html(const Integral& i) {
    if (i.constancy == Constancy::not_defined) return "there is no potential energy: see below";
    if (i.definition.needs_potential_energy && !i.reasons.empty())
      return sentence_html(make_reason(i.reasons.front()));
    return reasons_html(i.reasons);
  }

  void write_momenta() {
    if (r_.integrals.momenta.empty()) return;
    add_heading("Constant momenta");
    EquationBlock block;
    for (const Integral& i : r_.integrals.momenta) {
      const bool fits = written_.length(i.value) <= 2000;
      block.equations.push_back(
          {{name_piece(i.name)},
           "=",
           fits ? sum_pieces(written_, i.value) : std::vector<MathPiece>{{"<mtext>\u2026</mtext>"}},
           "for " + scope_name(i.scope) + ": " + reasons_html(i.reasons)});
    }
    html_ += write_equation_block(block);
  }

  void write_potential_energy() {
    const PotentialEnergy& p = r_.integrals.potential_energy;
    add_heading("Potential energy");
    add_paragraph(
        math_name_html("U") +
        (p.exists ? " is one: " : " is only a generalized one, there is no potential energy: ") +
        reasons_html(p.reasons) + ".");
  }

  // ---- Expressions

  using OfBody = std::function<Expr(const BodyEnergy&)>;
  using OfLoad = std::function<Expr(const LoadEnergy&)>;

  std::vector<Contribution> of_bodies(const OfBody& part) const {
    std::vector<Contribution> all;
    for (const BodyEnergy& b : e_.bodies) {
      const std::string& name = r_.model().bodies[static_cast<std::size_t>(b.body)].name;
      if (const auto cause = causes_.find(Cause::Kind::body, name))
        all.push_back({*cause, {{part(b)}}});
    }
    return all;
  }
  std::vector<Contribution> of_loads(const OfLoad& part) const {
    std::vector<Contribution> all;
    for (const LoadEnergy& l : e_.loads) {
      if (const auto cause = causes_.find(Cause::Kind::load, l.name))
        all.push_back({*cause, {{part(l)}}});
    }
    return all;
  }

  struct Quantity {
    std::string name, meaning;
    Expr value;
    std::vector<Contribution> parts;
  };

  std::vector<Quantity> quantities() const {
    const auto negated = [](std::vector<Contribution> parts) {
      for (Contribution& c : parts) c.ways[0][0] = -c.ways[0][0];
      return parts;
    };
    std::vector<Contribution> sigma_R = of_bodies([](const BodyEnergy& b) { return b.sigma_R; });
    const std::vector<Contribution> P_n =
        of_loads([](const LoadEnergy& l) { return l.nonconservative_power; });
    std::vector<Contribution> Z = sigma_R;
    for (Contribution& c : negated(P_n)) Z.push_back(c);
    return {{"K0", "kinetic energy without independent speeds", e_.K0,
             of_bodies([](const BodyEnergy& b) { return b.K0; })},
            {"K1", "its part linear in them", e_.K1,
             of_bodies([](const BodyEnergy& b) { return b.K1; })},
            {"K2", "its part quadratic in them", e_.K2,
             of_bodies([](const BodyEnergy& b) { return b.K2; })},
            {"U", "generalized potential energy", e_.U,
             of_loads([](const LoadEnergy& l) { return l.potential; })},
            {"sigma", "", e_.sigma, of_bodies([](const BodyEnergy& b) { return b.sigma; })},
            {"sigma_R", "", e_.sigma_R, sigma_R},
            {"P", "generalized power of all loads", e_.P,
             of_loads([](const LoadEnergy& l) { return l.generalized_power; })},
            {"P_nonconservative", "of loads without a potential", e_.P_nonconservative, P_n},
            {"Z'", "what keeps E_Z constant", r_.Z_rate, Z}};
  }

  void write_energies() {
    add_heading("Energies and powers");
    if (!e_.embedded.independent.empty())
      add_paragraph("Independent speeds: " + speeds_html(e_.embedded.independent) + ". " +
                    math_name_html("K0") + ", " + math_name_html("K1") + ", " +
                    math_name_html("K2") + " and " + math_name_html("sigma_R") +
                    " depend on this choice.");
    write_intermediates();
    EquationBlock block;
    std::vector<OutlineEquation> outline;
    std::vector<CAssignment> assignments;
    const std::vector<Quantity> list = quantities();
    std::vector<std::string> targets;
    for (const Quantity& q : list) targets.push_back(q.name);
    const CNames names(written_, symbol_names(r_.expressions()), targets);
    for (const Quantity& q : list) {
      block.equations.push_back({{name_piece(q.name)}, "=", pieces_of(q), q.meaning});
      outline.push_back(
          {print_name(q.name, Notation::latex), "=", written_.text(q.value, latex_writer())});
      assignments.push_back({names.target(q.name), {q.value}, true});
    }
    block.latex = write_equations_latex(outline);
    block.c = write_c_assignments(written_, names, assignments);
    html_ += write_equation_block(block);
  }

  std::vector<MathPiece> pieces_of(const Quantity& q) const {
    std::vector<MathPiece> pieces = sum_pieces(written_, q.value);
    if (q.value.is_zero()) return pieces;
    std::vector<Expr> terms;
    for (const PrintedTerm& t : written_.terms(q.value, language_writer()))
      terms.push_back(t.value);
    const std::vector<std::vector<int>> causes = find_term_causes(q.parts, terms);
    for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i].causes = causes[i];
    return pieces;
  }

  void write_intermediates() {
    const std::size_t count = written_.intermediate_count();
    if (count == 0) return;
    EquationBlock block;
    std::vector<OutlineEquation> outline;
    for (std::size_t k = 0; k < count; ++k) {
      const std::string& name = written_.intermediate_name(k);
      block.equations.push_back({{name_piece(name)}, "=", intermediate_pieces(written_, k)});
      outline.push_back(
          {print_name(name, Notation::latex), "=", written_.intermediate_text(k, latex_writer())});
    }
    block.latex = write_equations_latex(outline);
    html_ += fold(fmt::format("Intermediate quantities ({})", count), write_equation_block(block));
  }

  Html vector_html(const FramedColumn& c) const {
    const std::vector<Expr> components(c.components.begin(), c.components.end());
    return pieces_html(vector_pieces(written_, c.frame, components), true);
  }

  void write_portions() {
    HtmlTable table{.heads = {"of", "with the independent speeds (R)", "without them (t)"}};
    for (const Portions& p : r_.points)
      table.rows.push_back({"velocity of " + p.name, vector_html(p.moved), vector_html(p.carried)});
    for (const Portions& p : r_.bodies)
      table.rows.push_back(
          {"angular velocity of " + p.name, vector_html(p.moved), vector_html(p.carried)});
    if (!table.rows.empty())
      html_ +=
          fold("Velocities: what the independent speeds make, and the rest", write_table(table));
  }

  // ---- What each load does

  const LoadEnergy* find_load(const std::string& name) const {
    const auto found = std::find_if(e_.loads.begin(), e_.loads.end(),
                                    [&](const LoadEnergy& l) { return l.name == name; });
    return found == e_.loads.end() ? nullptr : &*found;
  }

  std::optional<int> find_cause(const std::string& name) const {
    for (const Cause::Kind kind : {Cause::Kind::load, Cause::Kind::motor, Cause::Kind::constraint})
      if (const auto cause = causes_.find(kind, name)) return cause;
    return {};
  }

  Html source_html(const std::string& name) const {
    const std::optional<int> cause = find_cause(name);
    if (!cause) return name;
    const int line = causes_.list()[static_cast<std::size_t>(*cause)].line;
    return element("span", with_causes({}, {*cause}), link_to_line(line, name));
  }

  static Html role_words(const LoadEnergy& load) {
    Html words = role_name(load.role);
    if (!load.reasons.empty()) words += ": " + reasons_html(load.reasons, Wording::full, "; ");
    if (load.needs_constraints) words += "; where the constraints hold";
    return words;
  }

  // What the entry says, then what its load does, unless that says it already.
  Html why_html(const LedgerEntry& entry) const {
    const LoadEnergy* load = find_load(entry.source);
    const Html why = reasons_html(entry.reasons, Wording::full, "; ");
    if (load == nullptr) return why;
    const bool is_said = entry.reasons.empty() ||
                         std::equal(entry.reasons.begin(), entry.reasons.end(),
                                    load->reasons.begin(), load->reasons.end(),
                                    [](const Reason& a, const Reason& b) { return a.is_like(b); });
    return is_said ? role_words(*load) : why + void_element("br") + role_words(*load);
  }

  void write_ledger() {
    if (r_.ledger.entries.empty()) return;
    add_heading("Where energy enters and leaves");
    HtmlTable table{
        .heads = {"source", "kind", "what it does with energy", "power at the start", "why"}};
    for (const LedgerEntry& entry : r_.ledger.entries) {
      table.rows.push_back({source_html(entry.source), entry.kind, effect_name(entry.effect),
                            power_cell(entry.power), why_html(entry)});
    }
    if (r_.ledger.total)
      table.rows.push_back(
          {"sum", "", "rate of the kinetic energy", power_cell(r_.ledger.total), ""});
    html_ += write_table(table);
    const std::string remark = remark_text(r_.ledger.remark);
    if (!remark.empty()) add_paragraph(remark);
  }

  static HtmlCell power_cell(const std::optional<double>& power) {
    return number_cell(power ? fmt::format("{:.6g} W", *power) : "");
  }

  const EnergyReport& r_;
  const Energies& e_;
  const Causes& causes_;
  std::string command_;
  PrintedForms written_;
  std::size_t length_ = 0;
  Html html_;
};

}  // namespace

Html make_energy_section(const EnergyReport& report, const Causes& causes,
                         const std::string& command) {
  return EnergyWriter(report, causes, command).write();
}

}  // namespace visviva
