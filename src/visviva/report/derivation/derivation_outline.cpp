#include "visviva/report/derivation/derivation_outline.h"

#include <algorithm>
#include <unordered_map>

#include "visviva/base/words.h"
#include "visviva/model/print_vector.h"
#include "visviva/report/derivation/patterns.h"
#include "visviva/report/derivation/reason_text.h"
#include "visviva/report/derivation/short_derivation.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/print/combination.h"
#include "visviva/symbolic/print/latex_characters.h"

namespace visviva {
namespace {

// A vector that takes more is written with intermediates.
constexpr std::size_t max_vector_length = 300;

// What the outline writes: partial velocities are for JSON and pages, free bodies come later.
Derivation without_vectors(const Derivation& d) {
  Derivation shown = d;
  shown.points.clear();
  shown.frames.clear();
  shown.free_bodies = {};
  return shown;
}

std::vector<std::string> unit_vectors(const std::string& frame) {
  return {frame + ".x", frame + ".y", frame + ".z"};
}

std::vector<Expr> list(const Column3& c) { return {c.begin(), c.end()}; }

// Vectors of free bodies; the long ones as columns, which the writer of all expressions needs.
class VectorTexts {
 public:
  VectorTexts(const ShownBodies& bodies, Notation notation) : notation_(notation) {
    for (const ShownBody& b : bodies.bodies) {
      add(b.newton);
      if (b.euler) add(*b.euler);
    }
  }
  std::vector<Expr> long_components() const {
    std::vector<Expr> all;
    for (const ShownVector* v : long_)
      all.insert(all.end(), v->column.components.begin(), v->column.components.end());
    return all;
  }

  /// Long vectors by `written`; those that are still long get intermediates of their own.
  void finish(const PrintedTexts& written) {
    std::vector<Expr> rest;
    for (const ShownVector* v : long_) {
      std::string text = combine(*v, written);
      if (text.size() > (notation_ == Notation::latex ? 3 : 1) * max_vector_length) {
        rest.insert(rest.end(), v->column.components.begin(), v->column.components.end());
      } else {
        texts_[v] = std::move(text);
      }
    }
    if (rest.empty()) return;
    const PrintedTexts own(rest, {.notation = notation_, .inline_length = 60, .prefix = "f"});
    intermediates_ = own.intermediates();
    for (const ShownVector* v : long_) {
      if (texts_.find(v) == texts_.end()) texts_[v] = combine(*v, own);
    }
  }
  const std::vector<Intermediate>& intermediates() const { return intermediates_; }
  const std::string& operator()(const ShownVector& v) const { return texts_.at(&v); }

 private:
  void add(const ShownBalance& balance) {
    add(balance.left);
    for (const ShownVector& load : balance.loads) add(load);
  }
  void add(const ShownVector& v) {
    const auto print = [&](Notation notation) {
      // Euler's equations stay in the body's axes, whichever others would be shorter to write.
      return v.is_in_body_axes ? print_combination(list(v.column.components),
                                                   unit_vectors(v.column.frame), notation)
                               : print_vector(v.vector, notation);
    };
    if (print(Notation::language).size() <= max_vector_length)
      texts_[&v] = print(notation_);
    else
      long_.push_back(&v);
  }

  std::string combine(const ShownVector& v, const PrintedTexts& written) const {
    std::vector<std::string> components, names;
    for (const Expr& e : v.column.components) components.push_back(written(e));
    for (const std::string& n : unit_vectors(v.column.frame))
      names.push_back(print_name(n, notation_));
    return write_combination(components, names, notation_);
  }

  Notation notation_;
  std::unordered_map<const ShownVector*, std::string> texts_;
  std::vector<const ShownVector*> long_;
  std::vector<Intermediate> intermediates_;
};

std::vector<Expr> written_expressions(const Derivation& d, const VectorTexts& vectors) {
  std::vector<Expr> all = without_vectors(d).expressions();
  const std::vector<Expr> vector_components = vectors.long_components();
  all.insert(all.end(), vector_components.begin(), vector_components.end());
  return all;
}

std::string write_components(const std::vector<Expr>& values, const std::string& frame,
                             const PrintedTexts& written, Notation notation) {
  if (frame.empty()) return written(values[0]);
  std::vector<std::string> components, names;
  for (const Expr& e : values) components.push_back(written(e));
  for (const std::string& n : unit_vectors(frame)) names.push_back(print_name(n, notation));
  return write_combination(components, names, notation);
}

bool is_still(const FramedColumn& c) {
  return std::all_of(c.components.begin(), c.components.end(),
                     [](const Expr& e) { return e.is_zero(); });
}

bool is_still(const PartialMotion& m) {
  return is_still(m.remainder) && std::all_of(m.by_speed.begin(), m.by_speed.end(),
                                              [](const FramedColumn& c) { return is_still(c); });
}

// Partial velocities of points or of frames, written.
class PartialTexts {
 public:
  struct Subject {
    const char* title;
    const char* noun;
    const char* letter;  // of the remainder, v_t
  };

  PartialTexts(const std::vector<PartialMotion>& motions, Notation notation)
      : notation_(notation),
        written_(list_components(motions), {.notation = notation, .prefix = "f"}) {
    for (const PartialMotion& m : motions) {
      if (!is_still(m)) moving_.push_back(&m);
    }
  }

  OutlineSection make_section(const Subject& subject, const Kinematics& motion) const {
    OutlineSection s{subject.title};
    if (moving_.empty()) return s;
    for (const Intermediate& z : written_.intermediates())
      s.equations.push_back({print_name(z.name, notation_), "=", z.expression});
    if (notation_ == Notation::latex)
      add_equations(subject, motion, &s);
    else
      s.grids.push_back(make_grid(subject, motion));
    return s;
  }

 private:
  static std::vector<Expr> list_components(const std::vector<PartialMotion>& motions) {
    std::vector<Expr> all;
    const auto add = [&](const FramedColumn& c) {
      all.insert(all.end(), c.components.begin(), c.components.end());
    };
    for (const PartialMotion& m : motions) {
      for (const FramedColumn& c : m.by_speed) add(c);
      add(m.remainder);
    }
    return all;
  }

  std::string text(const FramedColumn& c) const {
    return write_components(list(c.components), c.frame, written_, notation_);
  }

  bool has_remainder() const {
    return std::any_of(moving_.begin(), moving_.end(),
                       [](const PartialMotion* m) { return !is_still(m->remainder); });
  }

  OutlineGrid make_grid(const Subject& subject, const Kinematics& motion) const {
    OutlineGrid grid{{subject.noun}, {}};
    for (const Speed& speed : motion.speeds()) grid.heads.push_back(speed.name);
    if (has_remainder()) grid.heads.push_back(std::string(subject.letter) + "_t");
    for (const PartialMotion* m : moving_) {
      std::vector<std::string> row = {m->name};
      for (const FramedColumn& c : m->by_speed) row.push_back(text(c));
      if (has_remainder()) row.push_back(text(m->remainder));
      grid.rows.push_back(std::move(row));
    }
    return grid;
  }

  void add_equations(const Subject& subject, const Kinematics& motion, OutlineSection* s) const {
    const std::string letter = subject.letter[0] == 'w' ? "\\vec{\\omega}" : "\\vec{v}";
    const auto add = [&](const PartialMotion& m, const std::string& by, const FramedColumn& c) {
      if (!is_still(c))
        s->equations.push_back(
            {letter + "^{\\mathrm{" + escape_latex_words(m.name) + "}}_{" + by + "}", "=",
             text(c)});
    };
    for (const PartialMotion* m : moving_) {
      for (std::size_t r = 0; r < m->by_speed.size(); ++r)
        add(*m, print_name(motion.speeds()[r].name, notation_), m->by_speed[r]);
      add(*m, "t", m->remainder);
    }
  }

  Notation notation_;
  PrintedTexts written_;
  std::vector<const PartialMotion*> moving_;
};

class OutlineBuilder {
 public:
  OutlineBuilder(const Derivation& d, Notation notation)
      : d_(d),
        notation_(notation),
        vectors_(d.free_bodies, notation),
        written_(written_expressions(d, vectors_), {.notation = notation}) {
    vectors_.finish(written_);
  }

  Outline build() {
    const ModelData& m = d_.model();
    outline_.title = words(m.name + (m.documentation.empty() ? "" : ": " + m.documentation));
    add_head();
    add_definitions();
    add_kinematics();
    add_partial_velocities();
    add_intermediates();
    add_lagrangian();
    add_constraints();
    add_multiplier_equations();
    add_dependent();
    add_equations();
    add_momenta();
    add_free_bodies();
    add_auxiliary();
    add_terms();
    add_noncontributing();
    add_expressed();
    add_left_out();
    return std::move(outline_);
  }

 private:
  std::string name(const std::string& plain) const { return print_name(plain, notation_); }
  std::string words(const std::string& plain) const {
    return notation_ == Notation::latex ? escape_latex_words(plain) : plain;
  }
  // A name among words.
  std::string mention(const std::string& plain) const {
    return notation_ == Notation::latex ? "$" + name(plain) + "$" : plain;
  }
  std::string text(const Expr& e) const { return written_(e); }
  const Speed& speed(int r) const { return d_.equations.motion.speeds()[r]; }
  std::string symbol(const Expr& e) const { return name(e.home().symbol_name(e.ref())); }

  void add(OutlineSection section) {
    if (!section.words.empty() || !section.equations.empty() || !section.tables.empty() ||
        !section.grids.empty())
      outline_.sections.push_back(std::move(section));
  }

  void add_head() {
    const ModelData& m = d_.model();
    OutlineSection s{""};
    if (!m.case_name.empty()) s.words.push_back(words("Case " + m.case_name + "."));
    s.words.push_back(
        method_title(d_.equations.method) + ", " +
        counted(d_.embedded.independent.size(), "degree of freedom", "degrees of freedom") + ".");
    std::vector<std::string> speeds, dependent, unknowns;
    for (const int r : d_.embedded.independent) speeds.push_back(mention(speed(r).name));
    for (const int r : d_.embedded.dependent) dependent.push_back(mention(speed(r).name));
    for (const Expr& e : d_.equations.unknowns)
      unknowns.push_back(mention(e.home().symbol_name(e.ref())));
    if (!speeds.empty()) s.words.push_back("Independent speeds: " + join_words(speeds) + ".");
    if (!dependent.empty()) s.words.push_back("Dependent speeds: " + join_words(dependent) + ".");
    if (!unknowns.empty()) s.words.push_back("Unknown forces: " + join_words(unknowns) + ".");
    add(std::move(s));
  }

  void add_definitions() {
    OutlineSection s{"Definitions of the speeds"};
    for (const auto& [plain, definition] : d_.definitions)
      s.equations.push_back({name(plain), "=", text(definition)});
    add(std::move(s));
  }

  // theta' = theta' says nothing, and s' = ds no more than its definition.
  void add_kinematics() {
    OutlineSection s{"Kinematical equations"};
    for (const auto& [rate, expr] : d_.kinematics) {
      const bool trivial = expr.is_symbol() && (expr.ref() & 1u) == 0;
      if (!trivial) s.equations.push_back({name(rate), "=", text(expr)});
    }
    add(std::move(s));
  }

  // Points or frames against speeds, as Kane's method wants them; what does not move is left out.
  void add_partial_velocities() {
    if (d_.equations.method != Method::kane) return;
    const PartialTexts points(d_.points, notation_), frames(d_.frames, notation_);
    add(points.make_section({"Partial velocities", "point", "v"}, d_.equations.motion));
    add(frames.make_section({"Partial angular velocities", "frame", "w"}, d_.equations.motion));
  }

  // dL/dx'
  std::string slope_name(const std::string& of, const std::string& by) const {
    return notation_ == Notation::latex ? "\\frac{\\partial " + of + "}{\\partial " + name(by) + "}"
                                        : "d" + of + "/d" + by;
  }

  // The Lagrangian and the potential energy, by names that nothing in the model has.
  std::string lagrangian_name() const {
    if (notation_ == Notation::latex) return "\\mathcal{L}";
    return d_.model().pool->has_symbol_named("L") ? free_name("Lag") : "L";
  }
  std::string potential_name() const {
    return name(d_.model().pool->has_symbol_named("V") ? free_name("V_pot") : "V");
  }
  // A formula among words.
  std::string inline_formula(const std::string& formula) const {
    return notation_ == Notation::latex ? "$" + formula + "$" : formula;
  }

  void add_lagrangian() {
    if (!d_.lagrange) return;
    const LagrangeForm& form = *d_.lagrange;
    const std::string L = lagrangian_name(), V = potential_name();
    OutlineSection s{"Lagrangian"};
    s.words.push_back(inline_formula(L + " = K - " + V) + " with the kinetic energy " +
                      inline_formula("K") + " and the potential energy " + inline_formula(V) +
                      " of gravity, springs and potentials.");
    s.equations = {{"K", "=", text(form.K)}, {V, "=", text(form.V)}, {L, "=", text(form.L)}};
    add(std::move(s));
    add(make_slopes_section(form));
  }

  OutlineSection make_slopes_section(const LagrangeForm& form) const {
    OutlineSection s{"Partial derivatives of the Lagrangian"};
    const std::string L = lagrangian_name();
    bool has_force = false;
    for (const LagrangeForm::Slopes& slopes : form.slopes) {
      const std::string& q = d_.model().coordinates[slopes.coordinate].name;
      s.equations.push_back({slope_name(L, q + "'"), "=", text(slopes.by_rate)});
      s.equations.push_back({slope_name(L, q), "=", text(slopes.by_coordinate)});
      if (slopes.force.is_zero()) continue;
      s.equations.push_back(
          {name(free_name("Q_" + q)), "=", text(slopes.force), "force without potential"});
      has_force = true;
    }
    if (!s.equations.empty())
      s.words.push_back("For each coordinate " + inline_formula("q") + ": " +
                        inline_formula(lagrange_equation(has_force, !form.multipliers.empty())) +
                        ".");
    return s;
  }

  std::string lagrange_equation(bool has_force, bool has_rows) const {
    const std::string L = lagrangian_name();
    const bool is_latex = notation_ == Notation::latex;
    std::string right = has_force ? "Q_q" : "";
    if (has_rows)
      right += (right.empty() ? "" : " + ") +
               std::string(is_latex ? "\\text{forces of constraints}" : "forces of constraints");
    const std::string left =
        is_latex ? "\\frac{d}{dt} " + slope_name(L, "q'") + " - " + slope_name(L, "q")
                 : "d/dt(d" + L + "/dq') - d" + L + "/dq";
    return left + " = " + (right.empty() ? "0" : right);
  }

  // M y'' = f + A'lambda, one equation for each rate.
  void add_multiplier_equations() {
    if (d_.multiplier_forces.empty()) return;
    const LagrangeForm& form = *d_.lagrange;
    OutlineSection s{"Equations of motion with multipliers"};
    std::vector<std::string> rates;
    for (const LagrangeForm::Variable& y : form.variables) rates.push_back(symbol(y.second_rate));
    for (std::size_t i = 0; i < d_.multiplier_forces.size(); ++i) {
      std::vector<std::string> coefficients;
      for (const Expr& m : form.mass_matrix[i]) coefficients.push_back(text(m));
      s.equations.push_back(
          {write_combination(coefficients, rates, notation_), "=", text(d_.multiplier_forces[i])});
    }
    // Several are named after their constraints.
    if (form.multipliers.size() == 1)
      s.words.push_back(mention_symbol(form.multipliers[0]) + " is the multiplier of " +
                        constraint_name(d_.equations.rows[0].constraint) + ".");
    add(std::move(s));
  }
  std::string mention_symbol(const Expr& e) const { return mention(e.home().symbol_name(e.ref())); }

  void add_expressed() {
    if (d_.expressed.empty()) return;
    std::vector<Expr> all;
    for (const ExpressedValue& e : d_.expressed)
      all.insert(all.end(), e.values.begin(), e.values.end());
    const PrintedTexts written(all, {.notation = notation_, .prefix = "e"});
    OutlineSection s{"Expressions"};
    for (const Intermediate& z : written.intermediates())
      s.equations.push_back({name(z.name), "=", z.expression});
    for (const ExpressedValue& e : d_.expressed) {
      const std::string left = e.written + (e.frame.empty() ? "" : " in " + e.frame);
      s.equations.push_back({notation_ == Notation::latex ? "\\text{" + words(left) + "}" : left,
                             "=", write_components(e.values, e.frame, written, notation_)});
    }
    add(std::move(s));
  }

  void add_constraints() {
    OutlineSection s{"Constraints on the speeds"};
    for (const ConstraintRow& row : d_.equations.rows) {
      std::vector<std::string> coefficients, names;
      for (const auto& [r, a] : row.velocity.coefficients) {
        coefficients.push_back(text(a));
        names.push_back(name(speed(r).name));
      }
      std::string left = write_combination(coefficients, names, notation_);
      if (!row.velocity.remainder.is_zero())
        left = write_signed_sum(left, text(row.velocity.remainder));
      s.equations.push_back({left, "=", "0", constraint_name(row.constraint)});
    }
    add(std::move(s));
  }

  std::string constraint_name(int index) const {
    const ConstraintData& c = d_.model().constraints[index];
    return words((c.kind == ConstraintData::Kind::lock ? "lock " : "") + c.name);
  }

  void add_dependent() {
    OutlineSection s{"Dependent speeds"};
    for (std::size_t k = 0; k < d_.embedded.dependent_speeds.size(); ++k)
      s.equations.push_back(
          {name(speed(d_.embedded.dependent[k]).name), "=", text(d_.embedded.dependent_speeds[k])});
    add(std::move(s));
    add(make_validity_section(d_.model(), d_.embedded.validity, written_));
  }

  void add_intermediates() {
    OutlineSection s{"Intermediate quantities"};
    const std::vector<Intermediate>& all = written_.intermediates();
    std::vector<WrittenEquation> lines;
    for (const Intermediate& z : all) lines.push_back({name(z.name), z.expression});
    if (folds()) lines = fold_equations(lines);
    for (const WrittenEquation& e : lines) s.equations.push_back({e.left, "=", e.right});
    const std::size_t most = d_.shortened ? most_intermediates_in_short : all.size();
    if (s.equations.size() < all.size())
      s.words.push_back(std::to_string(all.size()) +
                        ", and what follows one rule is written once.");
    if (s.equations.size() > most) {
      s.words.push_back(write_first_of(most, s.equations.size()));
      s.equations.resize(most);
    }
    add(std::move(s));
  }

  void add_equations() {
    OutlineSection s{"Equations of motion"};
    const EmbeddedEquations& e = d_.embedded;
    std::vector<std::string> rates;
    for (const int r : e.independent) rates.push_back(symbol(speed(r).rate));
    for (std::size_t i = 0; i < e.forcing.size(); ++i) {
      std::vector<std::string> coefficients;
      for (const Expr& m : e.mass_matrix[i]) coefficients.push_back(text(m));
      const std::string left = write_combination(coefficients, rates, notation_);
      s.equations.push_back(folds()
                                ? OutlineEquation{fold_sum(left), "=", fold_sum(text(e.forcing[i]))}
                                : OutlineEquation{left, "=", text(e.forcing[i])});
    }
    if (e.independent.empty()) s.words.push_back("None: nothing is free to move.");
    if (d_.shortened) s.words.push_back(write_shown_rows(*d_.shortened));
    add(std::move(s));
  }

  // What a large mechanism repeats is written once, for people.
  bool folds() const { return d_.shortened && notation_ == Notation::language; }

  void add_momenta() {
    OutlineSection s{"Momenta and their rates"};
    for (const MomentumEquation& m : d_.momenta) {
      s.equations.push_back({name(m.name), "=", text(m.momentum)});
      s.equations.push_back({name(m.name + "'"), "=", text(m.rate)});
    }
    add(std::move(s));
    add(make_momentum_terms_section());
    if (!d_.energy_in_momenta) return;
    add({"Kinetic energy in momenta", {}, {{"K", "=", text(d_.energy_in_momenta->K)}}});
    OutlineSection speeds{"Speeds in momenta"};
    for (std::size_t i = 0; i < d_.momenta.size(); ++i)
      speeds.equations.push_back({name(speed(d_.embedded.independent[i]).name), "=",
                                  text(d_.energy_in_momenta->speeds[i])});
    add(std::move(speeds));
  }

  // p_theta' = tau_theta + dK/dtheta, and both by themselves.
  OutlineSection make_momentum_terms_section() const {
    OutlineSection s{"What changes the momenta"};
    bool has_other = false;
    for (const MomentumEquation& m : d_.momenta) {
      const std::string subject = m.name.substr(2);
      const std::string force = name(free_name("tau_" + subject));
      const std::string slope =
          m.coordinate.empty() ? name(free_name("s_" + subject)) : slope_name("K", m.coordinate);
      s.equations.push_back({name(m.name + "'"), "=", force + " + " + slope});
      s.equations.push_back({force, "=", text(m.force)});
      s.equations.push_back({slope, "=", text(m.slope)});
      has_other |= m.coordinate.empty();
    }
    if (s.equations.empty()) return s;
    s.words.push_back(inline_formula(name("tau")) + " is the generalized force.");
    if (has_other)
      s.words.push_back(
          inline_formula("s") +
          " is the sum over bodies of momentum times the rate of its partial velocity, " +
          inline_formula(notation_ == Notation::latex
                             ? "m \\vec{v} \\cdot \\dot{\\vec{v}}_r + \\vec{h} \\cdot "
                               "\\dot{\\vec{\\omega}}_r"
                             : "m*v.dv_r/dt + h.dw_r/dt") +
          ".");
    return s;
  }

  // A name that the model does not have.
  std::string free_name(std::string plain) const {
    while (d_.model().pool->has_symbol_named(plain)) plain += "_";
    return plain;
  }

  void add_free_bodies() {
    OutlineSection s{"Free bodies"};
    for (const Intermediate& f : vectors_.intermediates())
      s.equations.push_back({name(f.name), "=", f.expression});
    bool has_moments = false, has_reactions = false;
    for (const ShownBody& b : d_.free_bodies.bodies) {
      const std::string& body = d_.model().bodies[b.body].name;
      s.equations.push_back(balance(body, b.newton));
      if (b.euler) s.equations.push_back(balance(body, *b.euler));
      has_reactions |= !b.newton.reaction.empty();
      has_moments |= b.euler.has_value();
    }
    if (has_reactions)
      s.words.push_back(
          has_moments ? "R is the resultant force of joints and constraints on a body, T their "
                        "moment about its mass center."
                      : "R is the resultant force of joints and constraints on a particle.");
    for (const LoadElsewhere& l : d_.free_bodies.elsewhere)
      s.words.push_back(words(l.on.empty()
                                  ? "No place is known of " + l.name + ": it stays in R and T."
                                  : l.name + " also acts on " + l.on +
                                        ", which no mass moves with: that reaches the bodies "
                                        "through R and T."));
    add(std::move(s));
  }

  // Q: m*x''*N.x = -m*g*N.y + R_Q
  OutlineEquation balance(const std::string& body, const ShownBalance& b) const {
    std::string right = "0";
    std::vector<std::string> loads;
    for (const ShownVector& load : b.loads) {
      right = write_signed_sum(right, vectors_(load));
      loads.push_back(words(load.name));
    }
    if (!b.reaction.empty()) right = write_signed_sum(right, vector_name(b.reaction));
    return {vectors_(b.left), "=", right, join_words(loads), words(body)};
  }
  std::string vector_name(const std::string& plain) const {
    return notation_ == Notation::latex ? "\\vec{" + name(plain) + "}" : plain;
  }

  void add_auxiliary() {
    OutlineSection s{"Auxiliary speeds"};
    for (const AuxiliaryEquation& a : d_.equations.auxiliary) {
      std::vector<std::string> coefficients, rates;
      for (std::size_t r = 0; r < a.mass.size(); ++r) {
        coefficients.push_back(text(a.mass[r]));
        rates.push_back(symbol(speed(static_cast<int>(r)).rate));
      }
      // Without an unknown force the difference is the force that it brings into evidence.
      const std::string& label = d_.model().auxiliaries[a.auxiliary].name;
      s.equations.push_back(
          {write_combination(coefficients, rates, notation_), "=",
           text(a.forcing) + (a.is_evidence ? " + " + name("F_" + label) : ""),
           words(a.is_evidence ? label + ", with the force in evidence" : label)});
    }
    add(std::move(s));
  }

  void add_rows(const char* kind, const std::vector<ForceTerm>& terms, std::size_t i,
                OutlineTable* table) {
    bool first = true;
    for (const ForceTerm& t : terms) {
      if (t.values[i].is_zero()) continue;
      table->rows.push_back(
          {first ? kind : "", words(t.name), t.source.span.line, text(t.values[i])});
      first = false;
    }
  }

  void add_terms() {
    OutlineSection s{"Where the terms come from"};
    for (std::size_t i = 0; i < d_.embedded.independent.size(); ++i) {
      OutlineTable table{name(speed(d_.embedded.independent[i]).name), {}};
      add_rows("active", d_.active_terms, i, &table);
      add_rows("inertia", d_.inertia_terms, i, &table);
      if (!table.rows.empty()) s.tables.push_back(std::move(table));
    }
    add(std::move(s));
  }

  void add_noncontributing() {
    OutlineSection s{"Forces that contribute nothing"};
    for (const Noncontributing& n : d_.noncontributing)
      s.words.push_back(words(n.name + ": " + write_noncontributing_reason(n)));
    add(std::move(s));
  }

  void add_left_out() {
    if (!d_.shortened) return;
    add({"Left out",
         {words("The mechanism is large: of every list the first few are written, and partial "
                "velocities and where terms come from are not."),
          words("visviva derive --full writes everything, --json too, export writes code.")}});
  }

  const Derivation& d_;
  Notation notation_;
  VectorTexts vectors_;
  PrintedTexts written_;
  Outline outline_;
};

// Signs and numbers do not matter where only a zero does: r^2 for -0.3*r^2.
std::string plain_factor(std::string text) {
  if (split_terms(text).size() > 1) return text;
  if (text[0] == '-') text = text.substr(1);
  const std::size_t number = text.find_first_not_of("0123456789./");
  const bool has_number =
      number != std::string::npos && number > 0 && (text[number] == '*' || text[number] == ' ');
  return has_number ? text.substr(number + 1) : text;
}

}  // namespace

bool has_only_parameters(const ModelData& model, const Expr& e) {
  for (const Expr& s : free_symbols(e)) {
    const SymbolRole* role = model.role(s);
    if (role == nullptr || role->role != Role::parameter) return false;
  }
  return true;
}

std::string write_signed_sum(const std::string& a, const std::string& b) {
  if (a == "0") return b;
  return b[0] == '-' ? a + " - " + b.substr(1) : a + " + " + b;
}

OutlineSection make_validity_section(const ModelData& model, const Expr& validity,
                                     const PrintedTexts& written) {
  OutlineSection section{"Valid while"};
  if (!validity.valid() || has_only_parameters(model, validity)) return section;
  const std::string differs = written.notation() == Notation::latex ? "\\neq" : "!=";
  section.equations.push_back(
      {plain_factor(written(validity)), differs, "0", "else other speeds must depend"});
  return section;
}

Outline make_outline(const Derivation& derivation, Notation notation) {
  return OutlineBuilder(derivation, notation).build();
}

}  // namespace visviva
