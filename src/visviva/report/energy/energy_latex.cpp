// LaTeX of energies and integrals.
#include <fmt/format.h>

#include "visviva/base/words.h"
#include "visviva/report/derivation/outline_latex.h"
#include "visviva/report/energy/energy_text.h"
#include "visviva/report/energy/ledger_text.h"
#include "visviva/report/energy/reason_text.h"
#include "visviva/symbolic/print/combination.h"
#include "visviva/symbolic/print/latex_characters.h"
#include "visviva/symbolic/print/printed_texts.h"

namespace visviva {
namespace {

class EnergyLatexWriter {
 public:
  explicit EnergyLatexWriter(const EnergyReport& report)
      : r_(report),
        e_(report.energies),
        written_(report.expressions(), {.notation = Notation::latex}) {}

  std::string write() {
    add_head();
    add_dependent();
    add_intermediates();
    add_portions();
    add_energies();
    add_loads();
    add_integrals();
    add_momenta();
    add_potential_energy();
    add_ledger();
    return text_ + "\\endgroup\n";
  }

 private:
  static std::string name(const std::string& text) { return print_name(text, Notation::latex); }
  static std::string words(const std::string& text) { return escape_latex_words(text); }
  static std::string reasons(const Reasons& reasons, Wording wording = Wording::full) {
    return join_sentences(make_reasons(reasons, wording), "; ").latex();
  }
  void add(const OutlineSection& s) {
    if (!s.words.empty() || !s.equations.empty()) text_ += write_section_latex(s);
  }
  void add_list(const std::string& title, const std::vector<std::string>& items) {
    if (items.empty()) return;
    text_ += "\n\\paragraph{" + title + "}\n\\begin{itemize}\n";
    for (const std::string& item : items) text_ += "  \\item " + item + "\n";
    text_ += "\\end{itemize}\n";
  }

  std::string names(const std::vector<int>& speeds) const {
    std::vector<std::string> list;
    for (const int r : speeds) list.push_back("$" + name(r_.speed_name(r)) + "$");
    return join_words(list, ", ");
  }

  void add_head() {
    const ModelData& m = r_.model();
    text_ =
        "% Needs \\usepackage{amsmath}.\n"
        "\\begingroup\\allowdisplaybreaks  % long lists of equations go over pages\n"
        "\\paragraph{" +
        words(m.name) + (m.documentation.empty() ? "" : ": " + words(m.documentation)) + "}\n";
    if (!m.case_name.empty()) text_ += "Case " + words(m.case_name) + ".\n";
    const EmbeddedEquations& embedded = e_.embedded;
    text_ += embedded.independent.empty()
                 ? "No independent speeds: nothing is free to move.\n"
                 : "Independent speeds: " + names(embedded.independent) +
                       ". $K_{0}$, $K_{1}$, $K_{2}$ and $\\sigma_{R}$ depend on this choice.\n";
    if (!embedded.dependent.empty())
      text_ += "Dependent speeds: " + names(embedded.dependent) + ".\n";
  }

  void add_dependent() {
    OutlineSection s{"Dependent speeds"};
    for (std::size_t k = 0; k < e_.embedded.dependent.size(); ++k)
      s.equations.push_back({name(r_.speed_name(e_.embedded.dependent[k])), "=",
                             written_(e_.embedded.dependent_speeds[k])});
    add(s);
    add(make_validity_section(r_.model(), e_.embedded.validity, written_));
  }

  void add_intermediates() {
    OutlineSection s{"Intermediate quantities"};
    for (const Intermediate& z : written_.intermediates())
      s.equations.push_back({name(z.name), "=", z.expression});
    add(s);
  }

  std::string vector(const FramedColumn& c) const {
    std::vector<std::string> components, axes;
    for (const Expr& e : c.components) components.push_back(written_(e));
    for (const char* axis : {".x", ".y", ".z"}) axes.push_back(name(c.frame + axis));
    return write_combination(components, axes, Notation::latex);
  }

  void add_portions() {
    OutlineSection s{"Velocities: what the independent speeds make ($R$), and the rest ($t$)"};
    const auto add_portion = [&](const char* symbol, const Portions& p) {
      const std::string head =
          fmt::format("\\vec{{{}}}^{{\\mathrm{{{}}}}}_", symbol, words(p.name));
      s.equations.push_back({head + "{R}", "=", vector(p.moved)});
      s.equations.push_back({head + "{t}", "=", vector(p.carried)});
    };
    for (const Portions& p : r_.points) add_portion("v", p);
    for (const Portions& p : r_.bodies) add_portion("\\omega", p);
    add(s);
  }

  OutlineEquation equation(const char* symbol, const Expr& value, const char* note = "") const {
    return {name(symbol), "=", written_(value), note};
  }

  void add_energies() {
    add({"Kinetic energy, and its parts by their degree in the independent speeds",
         {},
         {equation("K", e_.K), equation("K0", e_.K0), equation("K1", e_.K1),
          equation("K2", e_.K2)}});
    add({"Generalized potential energy", {}, {equation("U", e_.U)}});
    add({"Powers",
         {},
         {equation("sigma", e_.sigma), equation("sigma_R", e_.sigma_R),
          equation("P", e_.P, "generalized power of all loads"),
          equation("P_nonconservative", e_.P_nonconservative), equation("Z'", r_.Z_rate)}});
  }

  void add_loads() {
    std::vector<std::string> items;
    std::vector<OutlineEquation> formulas;
    for (const LoadEnergy& load : e_.loads) {
      std::string why = reasons(load.reasons);
      if (load.needs_constraints) why += "; where the constraints hold";
      items.push_back(words(load.name) + ": " + role_name(load.role) +
                      (why.empty() ? "" : "; " + why));
      const auto add_formula = [&](const char* what, const Expr& value) {
        if (!value.is_zero())
          formulas.push_back({name(what), "=", written_(value), "", words(load.name)});
      };
      add_formula("U", load.potential);
      add_formula("P_nonconservative", load.nonconservative_power);
    }
    add_list("Loads", items);
    text_ += write_equations_latex(formulas);
  }

  static const char* constancy(Constancy c) {
    return c == Constancy::constant       ? "constant"
           : c == Constancy::not_constant ? "not constant"
           : c == Constancy::not_defined  ? "not defined"
                                          : "undecided";
  }

  static std::string why(const Integral& i) {
    if (i.constancy == Constancy::not_defined) return "there is no potential energy";
    if (i.definition.needs_potential_energy && !i.reasons.empty())
      return make_reason(i.reasons.front()).latex();
    return reasons(i.reasons, Wording::brief);
  }

  static std::string integral_name(const Integral& i) {
    if (i.name == "hamiltonian") return "the Hamiltonian";
    if (i.name == "mechanical_energy") return "the mechanical energy";
    return "$" + name(i.name) + "$";
  }

  static std::string scope(const Integral& i) {
    if (i.constancy != Constancy::constant) return "";
    return ", for " + scope_name(i.scope) +
           (i.extent == Extent::every_motion ? "" : ", " + extent_name(i.extent));
  }

  void add_integrals() {
    std::vector<std::string> items;
    for (const Integral& i : r_.integrals.energies) {
      const std::string formula = write_formula(i.definition.formula, Notation::latex);
      const std::string because = why(i);
      items.push_back(integral_name(i) + (formula.empty() ? "" : " $= " + formula + "$") + ": " +
                      constancy(i.constancy) + scope(i) + (because.empty() ? "" : "; " + because));
    }
    for (const Sentence& remark : make_reasons(r_.integrals.remarks))
      items.push_back(remark.latex());
    add_list("Energy integrals", items);
  }

  void add_momenta() {
    OutlineSection s{"Constant momenta"};
    for (const Integral& i : r_.integrals.momenta)
      s.equations.push_back({name(i.name), "=", written_(i.value)});
    add(s);
    std::vector<std::string> items;
    for (const Integral& i : r_.integrals.momenta)
      items.push_back("$" + name(i.name) + "$, for " + scope_name(i.scope) + ": " +
                      reasons(i.reasons));
    add_list("Why they are constant", items);
  }

  void add_potential_energy() {
    const PotentialEnergy& p = r_.integrals.potential_energy;
    const std::string why = reasons(p.reasons);
    text_ += std::string("\n\\paragraph{Potential energy}\n") +
             (p.exists ? "$U$ is one" : "There is none, $U$ is only a generalized one") +
             (why.empty() ? "" : ": " + why) + ".\n";
  }

  void add_ledger() {
    std::vector<std::string> items;
    for (const LedgerEntry& entry : r_.ledger.entries) {
      const std::string because = reasons(entry.reasons);
      items.push_back(words(entry.source) + ", " + words(entry.kind) + ": " +
                      effect_name(entry.effect) +
                      (entry.power ? fmt::format(", {:.6g} W at the start", *entry.power) : "") +
                      (because.empty() ? "" : "; " + because));
    }
    add_list("Where energy enters and leaves", items);
    const std::string remark = remark_text(r_.ledger.remark);
    if (!remark.empty()) text_ += words(remark) + ".\n";
  }

  const EnergyReport& r_;
  const Energies& e_;
  PrintedTexts written_;
  std::string text_;
};

}  // namespace

std::string write_energy_latex(const EnergyReport& report) {
  return EnergyLatexWriter(report).write();
}

}  // namespace visviva
