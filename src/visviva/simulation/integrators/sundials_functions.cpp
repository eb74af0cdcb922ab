// Loading of SUNDIALS: libraries by the names they had when this was built (VISVIVA_SUNDIALS_LIBRARIES).
#ifdef VISVIVA_HAS_SUNDIALS
#include "visviva/simulation/integrators/sundials_functions.h"

#include <dlfcn.h>

#include <sstream>
#include <vector>

namespace visviva {
namespace {

// A program may hold another SUNDIALS (Simbody's library has CVODE inside): the libraries must call their own functions,
// not that program's. Sanitizers refuse such a binding, since it would pass by what they intercept.
#if defined(__has_feature)
#define VISVIVA_IS_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VISVIVA_IS_SANITIZED 1
#else
#define VISVIVA_IS_SANITIZED 0
#endif
#if defined(RTLD_DEEPBIND) && !VISVIVA_IS_SANITIZED
constexpr int load_flags = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#else
constexpr int load_flags = RTLD_NOW | RTLD_LOCAL;
#endif

class Loader {
 public:
  explicit Loader(std::string& missing) : missing_(missing) {
    std::istringstream names(VISVIVA_SUNDIALS_LIBRARIES);
    for (std::string name; missing_.empty() && names >> name;) {
      void* library = dlopen(name.c_str(), load_flags);
      if (library)
        libraries_.push_back(library);
      else
        missing_ = name;
    }
  }

  void* find(const char* name) {
    for (void* library : libraries_)
      if (void* found = dlsym(library, name)) return found;
    if (missing_.empty()) missing_ = name;
    return nullptr;
  }

 private:
  std::string& missing_;
  std::vector<void*> libraries_;  // kept open as long as the process lives
};

SundialsFunctions load() {
  SundialsFunctions f;
  Loader loader(f.missing);
#define VISVIVA_LOAD_FUNCTION(name) f.name = reinterpret_cast<decltype(f.name)>(loader.find(#name));
  VISVIVA_SUNDIALS_FUNCTIONS(VISVIVA_LOAD_FUNCTION)
#undef VISVIVA_LOAD_FUNCTION

#if SUNDIALS_VERSION_MAJOR >= 7
#if SUNDIALS_MPI_ENABLED && defined(OPEN_MPI)
  // Open MPI's constant is the address of an object in its library, which comes with SUNDIALS.
  f.no_communicator = static_cast<SUNComm>(loader.find("ompi_mpi_comm_null"));
#else
  f.no_communicator = SUN_COMM_NULL;
#endif
#endif
  return f;
}

}  // namespace

const SundialsFunctions& sundials() {
  static const SundialsFunctions functions = load();
  return functions;
}

}  // namespace visviva
#endif
