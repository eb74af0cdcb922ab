#include "visviva/report/energy/energy_text.h"

#include <algorithm>

#include "visviva/base/utf8.h"
#include "visviva/base/words.h"
#include "visviva/report/derivation/outline_text.h"
#include "visviva/report/derivation/patterns.h"
#include "visviva/report/derivation/short_derivation.h"
#include "visviva/report/energy/ledger_text.h"
#include "visviva/report/energy/reason_text.h"
#include "visviva/symbolic/print/combination.h"
#include "visviva/symbolic/print/printed_texts.h"

namespace visviva {
namespace {

constexpr std::size_t most_portions_in_short = 3;  // of points and of bodies

class TextWriter {
 public:
  TextWriter(const EnergyReport& report, bool full)
      : r_(report),
        e_(report.energies),
        is_large_(!full && e_.embedded.independent.size() > most_speeds_in_full),
        written_(report.expressions(), {}) {}

  std::string write() {
    write_head();
    write_dependent();
    write_intermediates();
    write_portions();
    write_energies();
    write_loads();
    write_integrals();
    write_momenta();
    write_potential_energy();
    write_ledger();
    return std::move(text_);
  }

 private:
  void add(const OutlineSection& s) {
    if (!s.words.empty() || !s.equations.empty()) text_ += write_section_text(s);
  }
  void add_line(const std::string& words) { text_ += wrap_words("", words) + "\n"; }

  std::string names(const std::vector<int>& speeds) const {
    std::vector<std::string> list;
    for (const int r : speeds) list.push_back(r_.speed_name(r));
    return join_words(list, ", ");
  }

  void write_head() {
    const ModelData& m = r_.model();
    add_line(m.name + (m.documentation.empty() ? "" : ": " + m.documentation));
    if (!m.case_name.empty()) add_line("Case " + m.case_name + ".");
    const EmbeddedEquations& embedded = e_.embedded;
    add_line(embedded.independent.empty() ? "No independent speeds: nothing is free to move."
                                          : "Independent speeds: " + names(embedded.independent) +
                                                ". K0, K1, K2 and sigma_R depend on this choice.");
    if (!embedded.dependent.empty())
      add_line("Dependent speeds: " + names(embedded.dependent) + ".");
  }

  void write_dependent() {
    OutlineSection s{"Dependent speeds"};
    for (std::size_t k = 0; k < e_.embedded.dependent.size(); ++k)
      s.equations.push_back({r_.speed_name(e_.embedded.dependent[k]), "=",
                             written_(e_.embedded.dependent_speeds[k])});
    add(s);
    add(make_validity_section(r_.model(), e_.embedded.validity, written_));
  }

  void write_intermediates() {
    OutlineSection s{"Intermediate quantities"};
    const std::vector<Intermediate>& all = written_.intermediates();
    std::vector<WrittenEquation> written;
    for (const Intermediate& z : all) written.push_back({z.name, z.expression});
    if (is_large_) written = fold_equations(written);
    for (const WrittenEquation& e : written) s.equations.push_back({e.left, "=", e.right});
    const std::size_t lines = s.equations.size();
    if (lines < all.size())
      s.words.push_back(std::to_string(all.size()) +
                        ", and what follows one rule is written once.");
    if (is_large_ && lines > most_intermediates_in_short) {
      s.equations.resize(most_intermediates_in_short);
      s.words.push_back(write_first_of(most_intermediates_in_short, lines) +
                        " All are in visviva energy --full.");
    }
    add(s);
  }

  // What a large mechanism repeats is written once.
  std::string text(const Expr& e) const { return is_large_ ? fold_sum(written_(e)) : written_(e); }

  std::string vector_text(const FramedColumn& c) const {
    std::vector<std::string> components, axes;
    for (const Expr& e : c.components) components.push_back(written_(e));
    for (const char* axis : {".x", ".y", ".z"}) axes.push_back(c.frame + axis);
    return write_combination(components, axes, Notation::language);
  }

  void write_portions() {
    OutlineSection s{"Velocities: what the independent speeds make (R), and the rest (t)"};
    const auto count = [this](const std::vector<Portions>& all) {
      return is_large_ ? std::min(all.size(), most_portions_in_short) : all.size();
    };
    if (count(r_.points) < r_.points.size())
      s.words.push_back(write_first_of(count(r_.points), r_.points.size()));
    for (std::size_t k = 0; k < count(r_.points); ++k) {
      const Portions& p = r_.points[k];
      s.equations.push_back({"v_R of " + p.name, "=", vector_text(p.moved)});
      s.equations.push_back({"v_t of " + p.name, "=", vector_text(p.carried)});
    }
    for (std::size_t k = 0; k < count(r_.bodies); ++k) {
      const Portions& p = r_.bodies[k];
      s.equations.push_back({"w_R of " + p.name, "=", vector_text(p.moved)});
      s.equations.push_back({"w_t of " + p.name, "=", vector_text(p.carried)});
    }
    add(s);
  }

  void write_energies() {
    add({"Kinetic energy, and its parts by their degree in the independent speeds",
         {},
         {{"K", "=", text(e_.K)},
          {"K0", "=", text(e_.K0)},
          {"K1", "=", text(e_.K1)},
          {"K2", "=", text(e_.K2)}}});
    add({"Generalized potential energy", {}, {{"U", "=", text(e_.U)}}});
    add({"Powers",
         {},
         {{"sigma", "=", text(e_.sigma)},
          {"sigma_R", "=", text(e_.sigma_R)},
          {"P", "=", text(e_.P), "generalized power of all loads"},
          {"P_nonconservative", "=", text(e_.P_nonconservative)},
          {"Z'", "=", text(r_.Z_rate), "sigma_R - P_nonconservative"}}});
  }

  // Why its power is what it is, then the expressions that are not zero.
  void write_loads() {
    if (e_.loads.empty()) return;
    text_ += "\nLoads\n";
    std::size_t widest = 0;
    for (const LoadEnergy& load : e_.loads) widest = std::max(widest, count_characters(load.name));
    for (const LoadEnergy& load : e_.loads) {
      const std::string head = "  " + padded(load.name, widest) + "  ";
      const std::string indent(widest + 4, ' ');
      std::string reason = join_reasons(load.reasons);
      if (load.needs_constraints) reason += "; where the constraints hold";
      text_ +=
          wrap_words(head, role_name(load.role) + (reason.empty() ? "" : ": " + reason)) + "\n";
      if (!load.potential.is_zero())
        text_ += wrap_sum(indent + "potential          ", written_(load.potential)) + "\n";
      if (!load.nonconservative_power.is_zero())
        text_ +=
            wrap_sum(indent + "P_nonconservative  ", written_(load.nonconservative_power)) + "\n";
    }
  }

  static std::string constancy_text(Constancy c) {
    return c == Constancy::constant       ? "yes"
           : c == Constancy::not_constant ? "no"
           : c == Constancy::not_defined  ? "not defined"
                                          : "undecided";
  }

  static std::string scope_text(const Integral& i) {
    if (i.constancy == Constancy::not_constant && i.scope == Scope::all_parameters)
      return "in general";
    return i.extent == Extent::every_motion ? scope_name(i.scope)
                                            : scope_name(i.scope) + ", " + extent_name(i.extent);
  }

  // The two that need a potential energy say so and refer to the others.
  static std::string why_text(const Integral& i) {
    if (i.constancy == Constancy::not_defined) return "there is no potential energy: see below";
    if (i.definition.needs_potential_energy) return write_reason(i.reasons.front());
    return join_reasons(i.reasons, Wording::brief);
  }

  void write_integrals() {
    text_ += "\nEnergy integrals\n";
    WordTable table{{"quantity", "definition", "constant", "for", "why"}, {}, 17};
    for (const Integral& i : r_.integrals.energies) {
      std::string name = i.name;
      if (name == "hamiltonian") name = "Hamiltonian";
      if (name == "mechanical_energy") name = "mechanical energy";
      // Whether U must be a potential energy is said by the reasons.
      table.rows.push_back(
          {name, i.definition.formula, constancy_text(i.constancy), scope_text(i), why_text(i)});
    }
    text_ += write_table_text(table);
    for (const std::string& remark : write_reasons(r_.integrals.remarks))
      text_ += wrap_words("  ", remark) + "\n";
  }

  void write_momenta() {
    if (r_.integrals.momenta.empty()) return;
    text_ += "\nConstant momenta\n";
    for (const Integral& i : r_.integrals.momenta) {
      text_ += wrap_sum("  " + i.name + " = ", text(i.value)) + "\n";
      text_ += wrap_words("      ", "for " + scope_name(i.scope) + ": " + join_reasons(i.reasons)) +
               "\n";
    }
  }

  void write_potential_energy() {
    const PotentialEnergy& p = r_.integrals.potential_energy;
    text_ += "\nPotential energy\n";
    text_ += wrap_words("  ", std::string(p.exists ? "U is one"
                                                   : "There is none, U is only a "
                                                     "generalized one") +
                                  ": " + join_reasons(p.reasons) + ".") +
             "\n";
  }

  void write_ledger() {
    const std::string ledger = write_ledger_text(r_.ledger);
    if (!ledger.empty()) text_ += "\nWhere energy enters and leaves\n" + ledger;
  }

  const EnergyReport& r_;
  const Energies& e_;
  bool is_large_;  // too large for people to read all of it
  PrintedTexts written_;
  std::string text_;
};

}  // namespace

std::string write_energy_text(const EnergyReport& report, bool full) {
  return TextWriter(report, full).write();
}

}  // namespace visviva
