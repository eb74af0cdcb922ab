#include "visviva/report/page/derivation_plan.h"

#include <algorithm>

#include "visviva/base/sequence.h"
#include "visviva/symbolic/calculus/inspect.h"
#include "visviva/symbolic/calculus/linear_form.h"

namespace visviva {
namespace {

// Characters of the model language; MathML takes about ten times as many.
constexpr std::size_t longest_derivation = 100'000;
// Beyond this many operations contributions are not taken apart.
constexpr std::size_t most_operations = 4000;

std::size_t total_length(const PrintedForms& written, const std::vector<Expr>& exprs) {
  std::size_t length = 0;
  for (const Expr& e : exprs) length += written.length(e);
  for (std::size_t k = 0; k < written.intermediate_count(); ++k)
    length += written.intermediate_text(k, language_writer()).size();
  return length;
}

void append(std::vector<Expr>* all, const std::vector<PartialMotion>& motions) {
  for (const PartialMotion& m : motions) {
    for (const FramedColumn& c : m.by_speed)
      all->insert(all->end(), c.components.begin(), c.components.end());
    all->insert(all->end(), m.remainder.components.begin(), m.remainder.components.end());
  }
}

std::vector<int> merge(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  a.erase(std::unique(a.begin(), a.end()), a.end());
  return a;
}

}  // namespace

DerivationPlan::DerivationPlan(const Derivation& derivation, const Causes& causes)
    : d_(derivation), causes_(causes) {
  split_inertia();
  choose_detail();
}

std::vector<Expr> DerivationPlan::shown_expressions(DerivationDetail detail) const {
  std::vector<Expr> all = d_.embedded.forcing;
  for (const auto& row : d_.embedded.mass_matrix) append(&all, row);
  for (const auto& [name, expr] : d_.kinematics) all.push_back(expr);
  for (const auto& [name, expr] : d_.definitions) all.push_back(expr);
  append(&all, d_.embedded.dependent_speeds);
  for (const ConstraintRow& row : d_.equations.rows) {
    for (const auto& [r, a] : row.velocity.coefficients) all.push_back(a);
    all.push_back(row.velocity.remainder);
  }
  if (d_.embedded.validity.valid()) all.push_back(d_.embedded.validity);
  for (const AuxiliaryEquation& a : d_.equations.auxiliary) {
    append(&all, a.mass);
    all.push_back(a.forcing);
  }
  if (detail == DerivationDetail::equations_only) return all;
  for (const auto* terms : {&d_.active_terms, &d_.inertia_terms})
    for (const ForceTerm& t : *terms) append(&all, t.values);
  if (detail == DerivationDetail::without_partials) return all;
  append(&all, d_.points);
  append(&all, d_.frames);
  return all;
}

void DerivationPlan::choose_detail() {
  for (const DerivationDetail detail :
       {DerivationDetail::everything, DerivationDetail::without_partials,
        DerivationDetail::equations_only}) {
    std::vector<Expr> shown = shown_expressions(detail);
    shown.push_back(d_.model().pool->zero());  // never nothing
    const bool is_last = detail == DerivationDetail::equations_only;
    // Text is longer than its operations are many.
    if (!is_last && count_operations(shown).total() > longest_derivation / 8) continue;
    auto written = std::make_unique<PrintedForms>(print_forms(shown));
    const std::size_t length = total_length(*written, shown);
    if (length > longest_derivation && !is_last) continue;
    detail_ = detail;
    length_ = length;
    written_ = std::move(written);
    break;
  }
}

// The rates in the F_r* of each body taken apart, unless that is too much.
void DerivationPlan::split_inertia() {
  std::vector<Expr> all, rates;
  for (const ForceTerm& t : d_.inertia_terms) append(&all, t.values);
  for (const int r : d_.embedded.independent) rates.push_back(d_.equations.motion.speeds()[r].rate);
  if (all.empty()) return;
  if (count_operations(all).total() > most_operations) return note_rates(rates);
  std::vector<Expr> parts;
  for (const ForceTerm& body : d_.inertia_terms) {
    std::vector<Expr> bias;
    std::vector<std::vector<Expr>> mass;
    for (const Expr& value : body.values) {
      const LinearForm form = make_linear_form(value, rates);
      bias.push_back(form.remainder);
      std::vector<Expr> row;
      for (const Expr& c : form.coefficients) row.push_back(-c);
      append(&parts, row);
      mass.push_back(std::move(row));
    }
    append(&parts, bias);
    bias_.push_back(std::move(bias));
    mass_.push_back(std::move(mass));
  }
  for (const ForceTerm& load : d_.active_terms) append(&parts, load.values);
  if (!parts.empty())
    parts_written_ = std::make_unique<PrintedForms>(print_forms(parts, {.work = 3'000'000}));
}

void DerivationPlan::note_rates(const std::vector<Expr>& rates) {
  for (const ForceTerm& body : d_.inertia_terms) {
    std::vector<std::vector<bool>> rows;
    for (const Expr& value : body.values) {
      std::vector<bool> row(rates.size(), false);
      for (const Expr& symbol : free_symbols(value)) {
        const auto found = std::find_if(rates.begin(), rates.end(), [&](const Expr& rate) {
          return rate.ref() == symbol.ref();
        });
        if (found != rates.end()) row[static_cast<std::size_t>(found - rates.begin())] = true;
      }
      rows.push_back(std::move(row));
    }
    has_rate_.push_back(std::move(rows));
  }
}

// As it was built, and as people write it.
std::vector<std::vector<Expr>> DerivationPlan::ways_of(const Expr& value) const {
  std::vector<Expr> terms;
  if (parts_written_ != nullptr) {
    for (const PrintedTerm& t : parts_written_->terms(value, language_writer()))
      terms.push_back(t.value);
  }
  if (terms.empty()) return {{value}};
  return {{value}, terms};
}

std::vector<Contribution> DerivationPlan::mass_contributions(std::size_t row,
                                                             std::size_t column) const {
  std::vector<Contribution> all;
  for (std::size_t b = 0; b < d_.inertia_terms.size(); ++b) {
    const std::optional<int> cause = causes_.find(Cause::Kind::body, d_.inertia_terms[b].name);
    if (!cause) continue;
    if (!mass_.empty())
      all.push_back({*cause, ways_of(mass_[b][row][column])});
    else if (has_rate_[b][row][column])
      all.push_back({*cause, {{d_.inertia_terms[b].values[row]}}});
  }
  return all;
}

std::vector<Contribution> DerivationPlan::forcing_contributions(std::size_t row) const {
  std::vector<Contribution> all;
  for (const ForceTerm& load : d_.active_terms) {
    const std::optional<int> cause = causes_.find(Cause::Kind::load, load.name);
    if (cause && !load.values[row].is_zero()) all.push_back({*cause, ways_of(load.values[row])});
  }
  for (std::size_t b = 0; b < d_.inertia_terms.size(); ++b) {
    const std::optional<int> cause = causes_.find(Cause::Kind::body, d_.inertia_terms[b].name);
    const Expr& value = bias_.empty() ? d_.inertia_terms[b].values[row] : bias_[b][row];
    if (cause && !value.is_zero()) all.push_back({*cause, ways_of(value)});
  }
  return all;
}

std::vector<int> DerivationPlan::motors_in(const Expr& expr) const {
  std::vector<int> motors;
  for (const SpecifiedData& s : d_.model().specified) {
    const bool depends = std::any_of(s.derivatives.begin(), s.derivatives.end(),
                                     [&](const Expr& x) { return depends_on(expr, x); });
    if (!depends) continue;
    if (const auto cause = causes_.find(Cause::Kind::motor, s.name)) motors.push_back(*cause);
  }
  return motors;
}

void DerivationPlan::attribute(const std::vector<Contribution>& contributions, const Expr& whole,
                               std::vector<MathPiece>* pieces) const {
  if (is_long() || mass_.empty()) {
    std::vector<int> all;
    for (const Contribution& c : contributions) all.push_back(c.cause);
    for (MathPiece& p : *pieces) p.causes = merge(all, {});
    return;
  }
  std::vector<Expr> terms;
  for (const PrintedTerm& t : written_->terms(whole, language_writer())) terms.push_back(t.value);
  const std::vector<std::vector<int>> causes = find_term_causes(contributions, terms);
  for (std::size_t i = 0; i < pieces->size(); ++i)
    (*pieces)[i].causes = merge(causes[i], motors_in(terms[i]));
}

std::vector<MathPiece> DerivationPlan::mass_pieces(std::size_t row, std::size_t column,
                                                   bool goes_on) const {
  const Expr& m = d_.embedded.mass_matrix[row][column];
  const Expr& rate = d_.equations.motion.speeds()[d_.embedded.independent[column]].rate;
  std::vector<MathPiece> pieces =
      product_pieces(*written_, m, rate.home().symbol_name(rate.ref()), goes_on);
  attribute(mass_contributions(row, column), m, &pieces);
  return pieces;
}

std::vector<MathPiece> DerivationPlan::forcing_pieces(std::size_t row) const {
  const Expr& f = d_.embedded.forcing[row];
  std::vector<MathPiece> pieces = sum_pieces(*written_, f);
  if (!f.is_zero()) attribute(forcing_contributions(row), f, &pieces);
  return pieces;
}

std::vector<MathPiece> DerivationPlan::term_pieces(const ForceTerm& term, Cause::Kind kind,
                                                   std::size_t row, bool goes_on) const {
  std::vector<MathPiece> pieces = sum_pieces(*written_, term.values[row], goes_on);
  std::vector<int> causes;
  if (const auto cause = causes_.find(kind, term.name)) causes.push_back(*cause);
  for (MathPiece& p : pieces) p.causes = causes;
  return pieces;
}

}  // namespace visviva
