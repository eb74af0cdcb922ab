// CompiledSystem's rates, for one state and for many: where a run spends its time.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "visviva/base/error.h"
#include "visviva/codegen/system/compiled_call.h"

namespace visviva {
namespace {

constexpr std::size_t batch_size = 64;  // states whose numbers fit into the nearest cache

// A written-out solution and where its `rates` end, then those outputs that must be finite too.
struct Unrolled {
  const SystemFunction& f;
  std::size_t rates, values;
};

// Where the time would stand before a state; nothing reads it.
const double* place_before(const double* state) {
  return reinterpret_cast<const double*>(reinterpret_cast<std::uintptr_t>(state) - sizeof(double));
}

// Whether all numbers are what they should be, by units that integers have to themselves: the highest bit of a sum is set by
// one that is not.
class Verdict {
 public:
  void ask_finite(double x) { bad_ |= (bits(x) & ~sign) + last_exponent; }
  void ask_positive(double x) { bad_ |= (bits(x) - 1) | (bits(x) + last_exponent); }
  bool is_good() const { return (bad_ & sign) == 0; }

 private:
  static std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
  static constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  // Added to the exponent of infinities and NaN, whose bits are all set, it carries.
  static constexpr std::uint64_t last_exponent = std::uint64_t{1} << 52;

  std::uint64_t bad_ = 0;
};

// False where the solution does not hold. `space` has room for arguments and outputs.
bool run_unrolled(const CompiledSystem::Parts& parts, const Unrolled& unrolled, const Instant& at,
                  const PreparedParameters& prepared, double* rates, double* space) {
  const SystemFunction& f = unrolled.f;
  double* const values = space + parts.argument_count;
  const double* arguments = space;
  if (f.reads_state_only)
    arguments = place_before(at.state);
  else
    write_arguments(parts, at, space);
  f.code(arguments, prepared.functions[f.index].data(), values);
  const std::size_t out = f.code.output_count();
  Verdict verdict;
  for_each_stored(values, unrolled.rates, [&](std::size_t i, double x) {
    rates[i] = x;
    verdict.ask_finite(x);
  });
  for_each_stored(values + unrolled.rates, unrolled.values - unrolled.rates,
                  [&](std::size_t, double x) { verdict.ask_finite(x); });
  for_each_stored(values + unrolled.values, out - unrolled.values,
                  [&](std::size_t, double x) { verdict.ask_positive(x); });
  return verdict.is_good();
}

bool run_unrolled(const CompiledSystem::Parts& parts, const Unrolled& unrolled, const Instant& at,
                  const PreparedParameters& prepared, double* rates) {
  const SystemFunction& f = unrolled.f;
  constexpr std::size_t room = 128;
  const std::size_t needed = parts.argument_count + f.code.output_count();
  if (needed <= room) {
    double few[room];
    return run_unrolled(parts, unrolled, at, prepared, rates, few);
  }
  std::vector<double>& many = system_workspace().arguments;
  if (many.size() < needed) many.resize(needed);
  return run_unrolled(parts, unrolled, at, prepared, rates, many.data());
}

// Which of a block of states have positive margins and finite rates.
void find_solved(const std::vector<double*>& rows, std::size_t rates, std::size_t lanes,
                 bool* is_done) {
  double worst[batch_size];
  std::fill_n(worst, lanes, 1.0);
  // x - x is zero, but NaN where x is not finite.
  for (std::size_t i = 0; i < rates; ++i)
    for (std::size_t k = 0; k < lanes; ++k) worst[k] += rows[i][k] - rows[i][k];
  for (std::size_t i = rates; i < rows.size(); ++i)
    for (std::size_t k = 0; k < lanes; ++k) worst[k] = rows[i][k] > 0 ? worst[k] : -1.0;
  for (std::size_t k = 0; k < lanes; ++k) is_done[k] = worst[k] > 0;
}

}  // namespace

MotionStatus CompiledSystem::compute_rates(const Instant& at, const PreparedParameters& p,
                                           double* rates) const {
  const std::size_t n = parts_->state_names.size();
  if (parts_->unrolled &&
      run_unrolled(*parts_, {*parts_->unrolled, n, n + row_count()}, at, p, rates))
    return MotionStatus::ok;
  return CompiledCall(*parts_, at, p).compute_rates_by_solving(rates);
}

MotionStatus CompiledSystem::compute_rates_and_quadratures(const Instant& at,
                                                           const PreparedParameters& p,
                                                           double* rates) const {
  return compute_rates_and_quadratures(at, p, parts_->transport->dependent(), rates);
}

MotionStatus CompiledSystem::compute_rates_and_quadratures(const Instant& at,
                                                           const PreparedParameters& p,
                                                           const std::vector<int>& preferred,
                                                           double* rates) const {
  const std::size_t n = parts_->state_names.size(), more = parts_->quadrature_names.size();
  // Where there are no transport speeds there is nothing to prefer.
  const std::optional<SystemFunction>& unrolled = parts_->unrolled_and_quadratures;
  if (unrolled && run_unrolled(*parts_, {*unrolled, n + more, n + more}, at, p, rates))
    return MotionStatus::ok;
  const CompiledCall call(*parts_, at, p);
  const MotionStatus status =
      unrolled ? call.compute_rates_by_solving(rates) : call.compute_rates(rates);
  call.run_measure(*parts_->quadrature_rates, nullptr, preferred, rates + n, nullptr);
  return status == MotionStatus::ok && !are_finite(rates + n, more) ? MotionStatus::not_finite
                                                                    : status;
}

void CompiledSystem::compute_rates_batch(const double* times, const double* states,
                                         const double* inputs, std::size_t count,
                                         std::size_t stride, const PreparedParameters& p,
                                         double* rates, MotionStatus* statuses) const {
  if (stride < count)
    throw UsageError(
        "CompiledSystem::compute_rates_batch",
        "the stride " + std::to_string(stride) + " is below the count " + std::to_string(count));
  const Parts& parts = *parts_;
  const SystemFunction& f = parts.unrolled ? *parts.unrolled : *parts.assembly;
  const std::size_t n = parts_->state_names.size(), m = parts.input_names.size();
  const std::size_t outputs = f.code.output_count();
  // Rates go where they are wanted, all else into a block of our own.
  const std::size_t direct = parts.unrolled ? n : 0;
  std::vector<double> tables(parts.tables.size() * batch_size),
      others((outputs - direct) * batch_size), entries(outputs), one(n + m + n);
  std::vector<const double*> from(parts.argument_count);
  std::vector<double*> to(outputs);
  for (std::size_t i = direct; i < outputs; ++i) to[i] = others.data() + (i - direct) * batch_size;
  bool is_done[batch_size];
  for (std::size_t first = 0; first < count; first += batch_size) {
    const std::size_t lanes = std::min(batch_size, count - first);
    from[0] = times + first;
    for (std::size_t i = 0; i < n; ++i) from[1 + i] = states + i * stride + first;
    for (std::size_t i = 0; i < m; ++i) from[1 + n + i] = inputs + i * stride + first;
    for (std::size_t i = 0; i < parts.tables.size(); ++i) {
      const Signal& s = parts.tables[i];
      double* const values = tables.data() + i * batch_size;
      for (std::size_t k = 0; k < lanes; ++k) values[k] = s.table->value(times[first + k], s.order);
      from[1 + n + m + i] = values;
    }
    for (std::size_t i = 0; i < direct; ++i) to[i] = rates + i * stride + first;
    f.code.evaluate_batch(from.data(), lanes, p.functions[f.index].data(), to.data());

    // States that the unrolled solution holds for are done.
    if (parts.unrolled) find_solved(to, n + row_count(), lanes, is_done);
    for (std::size_t k = 0; k < lanes; ++k) {
      MotionStatus status = MotionStatus::ok;
      if (!parts.unrolled || !is_done[k]) {
        double *const state = one.data(), *const input = state + n, *const rate = input + m;
        for (std::size_t i = 0; i < n; ++i) state[i] = states[i * stride + first + k];
        for (std::size_t i = 0; i < m; ++i) input[i] = inputs[i * stride + first + k];
        const CompiledCall call(parts, {times[first + k], state, input}, p);
        if (parts.unrolled) {
          status = call.compute_rates_by_solving(rate);
        } else {
          for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = to[i][k];
          status = call.finish_rates(entries.data(), rate);
        }
        for (std::size_t i = 0; i < n; ++i) rates[i * stride + first + k] = rate[i];
      }
      if (statuses != nullptr) statuses[first + k] = status;
    }
  }
}

}  // namespace visviva
