// The module visviva._core: what the Python package asks the library for.
#include "module.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "visviva/app/cli/answer.h"
#include "visviva/base/render.h"

namespace nb = nanobind;

// What asmjit writes to when one of its assertions fails: CMakeLists.txt gives it this name.
extern "C" {
std::FILE* visviva_module_stderr = stderr;
}

namespace visviva::python {
namespace {

// A class of the package, by name.
nb::object find_exception(const char* name) {
  return nb::module_::import_("visviva.errors").attr(name);
}

// Exceptions of the library as those of the package.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ModelError& error) {
    try {
      raise_model_error(error.diagnostics(), {});
    } catch (nb::python_error& raised) {
      raised.restore();
    }
  } catch (const UsageError& error) {
    PyErr_SetString(find_exception("UsageError").ptr(), error.problem().c_str());
  } catch (const InternalError& error) {
    PyErr_SetString(find_exception("InternalError").ptr(), error.what());
  }
}

}  // namespace

void raise_model_error(const std::vector<Diagnostic>& diagnostics, const SourceText& source) {
  const auto errors = diagnostics_json(diagnostics, Severity::error);
  const std::string text =
      errors.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  const nb::object make = find_exception("make_model_error");
  const nb::object raised =
      make(nb::str(text.c_str(), text.size()), render_diagnostics(diagnostics, source).c_str());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised.ptr())), raised.ptr());
  throw nb::python_error();
}

}  // namespace visviva::python

NB_MODULE(_core, m) {
  m.doc() = "The compiled part of visviva.";
  m.attr("version") = VISVIVA_VERSION;
  nb::register_exception_translator(visviva::python::translate);
  visviva::python::bind_commands(m);
  visviva::python::bind_system(m);
  visviva::python::bind_run(m);
}
