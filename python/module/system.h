// System: a model made ready to compute with, shared by the objects of Python that ask it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visviva/app/cli/check_file.h"
#include "visviva/codegen/system/compiled_system.h"
#include "visviva/equations/energy/energies.h"
#include "visviva/equations/equations.h"

namespace visviva::python {

/// What compile() is told: how a model is read, and what is wanted of the system.
struct CompileRequest {
  ReadOptions read;
  CheckOptions check;
  std::string method = "auto";  ///< the integrator that it is for
  bool jacobian = false;        ///< derivatives are wanted
  bool inverse = false;         ///< inverse dynamics is wanted
};

/// A compiled system with the model it came from. It does not change, so that many threads may ask it.
class System {
 public:
  System(const SourceText& source, const CompileRequest& request);

  const CompiledSystem& code() const { return *code_; }
  const Kinematics& motion() const { return *checked_.motion; }
  const CheckedModel& checked() const { return checked_; }
  /// Warnings about the model, and remarks about what could not be had, as the program prints them.
  const std::string& remarks() const { return remarks_; }

 private:
  CheckedModel checked_;
  std::string remarks_;
  std::optional<Equations> equations_;
  std::optional<CompiledSystem> code_;
};

/// A vector of numbers in an array of Python's, given or to be returned.
using Numbers =
    nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Table =
    nanobind::ndarray<const double, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using NewArray = nanobind::ndarray<nanobind::numpy, double>;

/// An array that owns its numbers.
NewArray make_array(std::vector<double>&& numbers, std::vector<std::size_t> shape);

}  // namespace visviva::python
