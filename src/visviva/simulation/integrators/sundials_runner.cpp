// SUNDIALS behind one interface: what CVODE and IDA share, and what is theirs.
#include "visviva/simulation/integrators/sundials_runner.h"

#include <algorithm>
#include <cmath>

#include "visviva/base/error.h"

#ifdef VISVIVA_HAS_SUNDIALS
#include <cstdlib>
#include <exception>
#include <type_traits>
#include <utility>

#include "visviva/simulation/integrators/sundials_functions.h"
#endif

namespace visviva {
namespace {

constexpr const char* sundials_maker = "make_sundials_runner";

void check_tolerances(const std::string& function, double relative, double absolute) {
  const bool are_numbers = relative >= 0.0 && absolute >= 0.0 && std::isfinite(relative + absolute);
  if (!are_numbers || relative + absolute == 0.0)
    throw UsageError(function, "tolerances are not negative and not both 0; found relative " +
                                   std::to_string(relative) + " and absolute " +
                                   std::to_string(absolute));
}

void check_request(const std::string& method, const RateFunction& function,
                   const SundialsOptions& options) {
  const auto& known = list_sundials_methods();
  if (std::find(known.begin(), known.end(), method) == known.end())
    throw UsageError(sundials_maker,
                     "no method is called '" + method + "'; there are cvode, cvode-bdf, ida");
  if (function.size() == 0) throw UsageError(sundials_maker, "there is nothing to integrate");
  if (!std::isfinite(options.until))
    throw UsageError(sundials_maker, "the end must be a finite time");
  if (!(options.max_step >= 0.0))
    throw UsageError(sundials_maker, "the longest step must not be negative");
  check_tolerances(sundials_maker, options.relative_tolerance, options.absolute_tolerance);
}

#ifdef VISVIVA_HAS_SUNDIALS

// ---- Ownership of what SUNDIALS hands out as bare pointers --------------------------------------

struct FreeContext {
  void operator()(SUNContext context) const { sundials().SUNContext_Free(&context); }
};
struct FreeVector {
  void operator()(N_Vector vector) const { sundials().N_VDestroy(vector); }
};
struct FreeMatrix {
  void operator()(SUNMatrix matrix) const { sundials().SUNMatDestroy(matrix); }
};
struct FreeLinearSolver {
  void operator()(SUNLinearSolver solver) const { sundials().SUNLinSolFree(solver); }
};
struct FreeNonlinearSolver {
  void operator()(SUNNonlinearSolver solver) const { sundials().SUNNonlinSolFree(solver); }
};
struct FreeCvode {
  void operator()(void* memory) const { sundials().CVodeFree(&memory); }
};
struct FreeIda {
  void operator()(void* memory) const { sundials().IDAFree(&memory); }
};

template <class Pointer, class Free>
using Owned = std::unique_ptr<std::remove_pointer_t<Pointer>, Free>;

Owned<SUNContext, FreeContext> make_context() {
  SUNContext context = nullptr;
  if (sundials().SUNContext_Create(sundials().no_communicator, &context) != 0)
    throw InternalError("SUNDIALS has no context");
  return Owned<SUNContext, FreeContext>(context);
}

// ---- What both share ------------------------------------------------------------------------------

class CommonRunner : public SundialsRunner {
 public:
  CommonRunner(RateFunction& function, const SundialsOptions& options)
      : function_(function),
        options_(options),
        size_(static_cast<sunindextype>(function.size())),
        context_(make_context()),
        y_(make_vector()),
        shown_(make_vector()),
        matrix_(sundials().SUNDenseMatrix(size_, size_, context_.get())),
        solver_(sundials().SUNLinSol_Dense(y_.get(), matrix_.get(), context_.get())),
        by_time_(function.size()) {
#if SUNDIALS_VERSION_MAJOR >= 7
    // Messages come through the context; its own handler and logger would print them.
    sundials().SUNContext_ClearErrHandlers(context_.get());
    sundials().SUNContext_PushErrHandler(context_.get(), keep_message, this);
    SUNLogger logger = nullptr;
    sundials().SUNContext_GetLogger(context_.get(), &logger);
    sundials().SUNLogger_SetErrorFilename(logger, "");
    sundials().SUNLogger_SetWarningFilename(logger, "");
#endif
  }

  bool restart(double t, const double* y) final {
    reason_ = {};
    t_ = before_ = t;
    is_ready_ = false;
    std::copy(y, y + size_, data(y_.get()));
    is_ready_ = std::isfinite(t) && begin();
    rethrow();
    if (!is_ready_ && !has_reason()) refuse({MethodTrouble::Kind::start_not_finite});
    return is_ready_;
  }

  bool restart_with(double relative_tolerance, double absolute_tolerance) final {
    check_tolerances("SundialsRunner::restart_with", relative_tolerance, absolute_tolerance);
    options_.relative_tolerance = relative_tolerance;
    options_.absolute_tolerance = absolute_tolerance;
    const std::vector<double> here(state(), state() + size_);
    return restart(t_, here.data());
  }

  bool step() final {
    reason_ = {};
    if (!is_ready_) return refuse({MethodTrouble::Kind::not_restarted});
    if (t_ == options_.until) return refuse({MethodTrouble::Kind::end_reached});
    // A step that failed may have left its trials in y.
    std::copy(state(), state() + size_, data(shown_.get()));
    double reached = t_;
    is_ready_ = advance(&reached);
    // CVODE creeps up to an edge of its rates with steps that no longer change t, and only warns.
    if (is_ready_ && reached == t_)
      is_ready_ = refuse({MethodTrouble::Kind::step_changes_no_time, t_});
    if (!is_ready_) std::copy(data(shown_.get()), data(shown_.get()) + size_, data(y_.get()));
    rethrow();
    if (is_ready_) before_ = std::exchange(t_, reached);
    return is_ready_;
  }

  bool interpolate(double t, double* y) final {
    reason_ = {};
    if (!is_ready_) return refuse({MethodTrouble::Kind::not_restarted});
    if (!(std::min(before_, t_) <= t && t <= std::max(before_, t_)))  // IDA would extrapolate
      return refuse({MethodTrouble::Kind::outside_last_step, t});
    if (t != t_ && !derive(t, shown_.get())) return false;
    const double* values = t == t_ ? state() : data(shown_.get());
    std::copy(values, values + size_, y);
    return true;
  }

  double time() const final { return t_; }
  const double* state() const final { return data(y_.get()); }
  std::size_t evaluations() const final { return evaluations_; }
  const MethodTrouble& reason() const final { return reason_; }

 protected:
  virtual bool begin() = 0;
  virtual bool advance(double* reached) = 0;
  virtual bool derive(double t, N_Vector y) = 0;

  Owned<N_Vector, FreeVector> make_vector() const {
    return Owned<N_Vector, FreeVector>(sundials().N_VNew_Serial(size_, context_.get()));
  }
  static double* data(N_Vector vector) { return sundials().N_VGetArrayPointer(vector); }

  bool refuse(MethodTrouble why) {
    reason_ = std::move(why);
    return false;
  }
  bool has_reason() const { return reason_.kind != MethodTrouble::Kind::none; }
  void keep_words(const char* from, const char* message) {
    refuse({.kind = MethodTrouble::Kind::outside_message,
            .words = std::string(from) + ": " + message});
  }

  // A callback answers 0, or 1 for "not here, try a shorter step", or -1 for good.
  template <class Compute>
  int guard(const Compute& compute) {
    try {
      return compute() ? 0 : 1;
    } catch (...) {
      thrown_ = std::current_exception();
      return -1;
    }
  }

  bool compute_rates(double t, N_Vector y, double* rates) {
    ++evaluations_;
    if (!function_.compute_rates(t, data(y), rates)) return false;
    return std::all_of(rates, rates + size_, [](double r) { return std::isfinite(r); });
  }

  bool compute_jacobian(double t, N_Vector y, SUNMatrix jacobian) {
    double* values = sundials().SUNDenseMatrix_Data(jacobian);
    if (!function_.compute_jacobian(t, data(y), values, by_time_.data())) return false;
    return std::all_of(values, values + size_ * size_, [](double v) { return std::isfinite(v); });
  }

  // Keeps what SUNDIALS would print; the answers to its warnings are not failures.
#if SUNDIALS_VERSION_MAJOR < 7
  static void keep_message(int code, const char* module, const char*, char* message, void* self) {
    if (code < 0) static_cast<CommonRunner*>(self)->keep_words(module, message);
  }
#else
  static void keep_message(int, const char* function, const char*, const char* message,
                           SUNErrCode code, void* self, SUNContext) {
    if (code < 0) static_cast<CommonRunner*>(self)->keep_words(function, message);
  }
#endif

  bool check(int flag, const char* what) {
    if (flag >= 0) return true;
    if (!has_reason())
      refuse({.kind = MethodTrouble::Kind::outside_code, .words = what, .code = flag});
    return false;
  }

  RateFunction& function_;
  SundialsOptions options_;
  sunindextype size_;
  double t_ = 0.0, before_ = 0.0;  ///< now, and before the last step
  Owned<SUNContext, FreeContext> context_;
  Owned<N_Vector, FreeVector> y_, shown_;
  Owned<SUNMatrix, FreeMatrix> matrix_;
  Owned<SUNLinearSolver, FreeLinearSolver> solver_;
  std::vector<double> by_time_;
  std::size_t evaluations_ = 0;
  MethodTrouble reason_;

 private:
  void rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

  bool is_ready_ = false;
  std::exception_ptr thrown_;
};

// ---- CVODE: y' = f(t, y) ----------------------------------------------------------------------------

class CvodeRunner final : public CommonRunner {
 public:
  CvodeRunner(RateFunction& function, const SundialsOptions& options, bool is_bdf)
      : CommonRunner(function, options), is_bdf_(is_bdf) {}

 private:
  // Made anew, since CVodeSStolerances() in the middle of a run crashes (seen in 6.4.1).
  bool begin() override {
    memory_.reset(sundials().CVodeCreate(is_bdf_ ? CV_BDF : CV_ADAMS, context_.get()));
    void* memory = memory_.get();
    if (!memory) return refuse({MethodTrouble::Kind::no_memory});
#if SUNDIALS_VERSION_MAJOR < 7
    sundials().CVodeSetErrHandlerFn(memory, keep_message, static_cast<CommonRunner*>(this));
#endif
    return check(sundials().CVodeInit(memory, rates, t_, y_.get()), "CVodeInit") &&
           check(sundials().CVodeSetUserData(memory, this), "CVodeSetUserData") &&
           check(sundials().CVodeSStolerances(memory, options_.relative_tolerance,
                                              options_.absolute_tolerance),
                 "CVodeSStolerances") &&
           check(sundials().CVodeSetMaxStep(memory, options_.max_step), "CVodeSetMaxStep") &&
           check(sundials().CVodeSetStopTime(memory, options_.until), "CVodeSetStopTime") &&
           choose_solver();
  }

  // Functional iteration suits Adams; BDF takes Newton with the exact Jacobian.
  bool choose_solver() {
    void* memory = memory_.get();
    if (is_bdf_)
      return check(sundials().CVodeSetLinearSolver(memory, solver_.get(), matrix_.get()),
                   "CVodeSetLinearSolver") &&
             check(sundials().CVodeSetJacFn(memory, jacobian), "CVodeSetJacFn");
    iteration_.reset(sundials().SUNNonlinSol_FixedPoint(y_.get(), 0, context_.get()));
    return check(sundials().CVodeSetNonlinearSolver(memory, iteration_.get()),
                 "CVodeSetNonlinearSolver");
  }

  bool advance(double* reached) override {
    return check(sundials().CVode(memory_.get(), options_.until, y_.get(), reached, CV_ONE_STEP),
                 "CVode");
  }

  bool derive(double t, N_Vector y) override {
    return check(sundials().CVodeGetDky(memory_.get(), t, 0, y), "CVodeGetDky");
  }

  static int rates(double t, N_Vector y, N_Vector rates, void* self) {
    auto& runner = *static_cast<CvodeRunner*>(self);
    return runner.guard([&] { return runner.compute_rates(t, y, data(rates)); });
  }

  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix jacobian, void* self, N_Vector,
                      N_Vector, N_Vector) {
    auto& runner = *static_cast<CvodeRunner*>(self);
    return runner.guard([&] { return runner.compute_jacobian(t, y, jacobian); });
  }

  bool is_bdf_;
  Owned<SUNNonlinearSolver, FreeNonlinearSolver> iteration_;
  std::unique_ptr<void, FreeCvode> memory_;
};

// ---- IDA: y' - f(t, y) = 0 ----------------------------------------------------------------------------

class IdaRunner final : public CommonRunner {
 public:
  IdaRunner(RateFunction& function, const SundialsOptions& options)
      : CommonRunner(function, options), rates_(make_vector()) {}

 private:
  // IDA starts from y' that satisfies the equations; here it is f itself.
  bool begin() override {
    if (guard([&] { return compute_rates(t_, y_.get(), data(rates_.get())); }) != 0)
      return refuse({MethodTrouble::Kind::rates_undefined, t_});
    memory_.reset(sundials().IDACreate(context_.get()));
    void* memory = memory_.get();
    if (!memory) return refuse({MethodTrouble::Kind::no_memory});
#if SUNDIALS_VERSION_MAJOR < 7
    sundials().IDASetErrHandlerFn(memory, keep_message, static_cast<CommonRunner*>(this));
#endif
    return check(sundials().IDAInit(memory, residual, t_, y_.get(), rates_.get()), "IDAInit") &&
           check(sundials().IDASetUserData(memory, this), "IDASetUserData") &&
           check(sundials().IDASStolerances(memory, options_.relative_tolerance,
                                            options_.absolute_tolerance),
                 "IDASStolerances") &&
           check(sundials().IDASetMaxStep(memory, options_.max_step), "IDASetMaxStep") &&
           check(sundials().IDASetStopTime(memory, options_.until), "IDASetStopTime") &&
           check(sundials().IDASetLinearSolver(memory, solver_.get(), matrix_.get()),
                 "IDASetLinearSolver") &&
           check(sundials().IDASetJacFn(memory, jacobian), "IDASetJacFn");
  }

  bool advance(double* reached) override {
    return check(sundials().IDASolve(memory_.get(), options_.until, reached, y_.get(), rates_.get(),
                                     IDA_ONE_STEP),
                 "IDASolve");
  }

  bool derive(double t, N_Vector y) override {
    return check(sundials().IDAGetDky(memory_.get(), t, 0, y), "IDAGetDky");
  }

  static int residual(double t, N_Vector y, N_Vector rates, N_Vector gap, void* self) {
    auto& runner = *static_cast<IdaRunner*>(self);
    const int answer = runner.guard([&] { return runner.compute_rates(t, y, data(gap)); });
    for (sunindextype i = 0; i < runner.size_; ++i) data(gap)[i] = data(rates)[i] - data(gap)[i];
    return answer;
  }

  // The derivative by y and, with the factor c of the multistep formula, by y'.
  static int jacobian(double t, double c, N_Vector y, N_Vector, N_Vector, SUNMatrix jacobian,
                      void* self, N_Vector, N_Vector, N_Vector) {
    auto& runner = *static_cast<IdaRunner*>(self);
    const int answer = runner.guard([&] { return runner.compute_jacobian(t, y, jacobian); });
    double* values = sundials().SUNDenseMatrix_Data(jacobian);
    for (sunindextype i = 0; i < runner.size_ * runner.size_; ++i) values[i] = -values[i];
    for (sunindextype i = 0; i < runner.size_; ++i) values[i * (runner.size_ + 1)] += c;
    return answer;
  }

  Owned<N_Vector, FreeVector> rates_;
  std::unique_ptr<void, FreeIda> memory_;
};

#endif

}  // namespace

const std::vector<std::string>& list_sundials_methods() {
  static const std::vector<std::string> names{"cvode", "cvode-bdf", "ida"};
  return names;
}

#ifdef VISVIVA_HAS_SUNDIALS

bool has_sundials() { return sundials().missing.empty(); }

std::string find_missing_sundials() { return sundials().missing; }

std::unique_ptr<SundialsRunner> make_sundials_runner(const std::string& method,
                                                     RateFunction& function,
                                                     const SundialsOptions& options) {
  check_request(method, function, options);
  if (!has_sundials())
    throw UsageError(sundials_maker,
                     "SUNDIALS, which '" + method + "' needs, could not be loaded: " +
                         find_missing_sundials() + " is missing (Debian: libsundials-dev)");
  if (method == "ida") return std::make_unique<IdaRunner>(function, options);
  return std::make_unique<CvodeRunner>(function, options, method == "cvode-bdf");
}

#else

bool has_sundials() { return false; }

std::string find_missing_sundials() { return {}; }

std::unique_ptr<SundialsRunner> make_sundials_runner(const std::string& method,
                                                     RateFunction& function,
                                                     const SundialsOptions& options) {
  check_request(method, function, options);
  throw UsageError(sundials_maker,
                   "this build has no SUNDIALS, which '" + method +
                       "' needs (Debian: libsundials-dev); radau5 serves stiff equations");
}

#endif

}  // namespace visviva
