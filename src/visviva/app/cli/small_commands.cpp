// `visviva new` and `visviva explain`.
#include <filesystem>
#include <ostream>
#include <system_error>

#include "visviva/app/cli/commands.h"
#include "visviva/base/catalogue.h"
#include "visviva/base/whole_file.h"

namespace visviva {
namespace {

constexpr const char* starting_model = R"( "A pendulum: a rod that swings about a pin"

parameter  m = 1 kg, L = 0.5 m, g = 9.81 m/s^2   # constants, each with its unit
coordinate theta = 30 deg                        # what describes the configuration, and its start value

frame    B = rotate(N, z, theta)                 # N is fixed; z is an axis of both frames
body     B at No - L/2*B.y, mass m, rod length L along y
gravity  -g*N.y

output theta, E_Z
study  until 10 s, every 0.01 s
)";

}  // namespace

int run_new(const std::string& name, std::ostream& out, std::ostream& err) {
  const std::filesystem::path given(name);
  const std::string stem =
      given.extension() == ".viva" ? given.stem().string() : given.filename().string();
  const bool good =
      !stem.empty() && !(stem[0] >= '0' && stem[0] <= '9') &&
      stem.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
          std::string::npos;
  if (!good) {
    err << "visviva: '" << name
        << "' is no name for a model: letters, digits and _, a letter first\n";
    return exit_wrong_command;
  }
  const std::filesystem::path file = given.parent_path() / (stem + ".viva");
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    err << "visviva: '" << file.string() << "' exists already and is left as it is\n";
    return exit_wrong_command;
  }
  const std::string problem = create_file(file.string(), "model " + stem + starting_model);
  if (!problem.empty()) {
    err << "visviva: cannot write '" << file.string() << "': " << problem << '\n';
    return exit_wrong_command;
  }
  out << "wrote " << file.string() << "; try: visviva check " << file.string() << '\n';
  return exit_good;
}

int run_explain(const std::string& code, std::ostream& out, std::ostream& err) {
  const std::string text = explain_code(code);
  if (find_in_catalogue(code) == nullptr) {
    err << text;
    return exit_wrong_command;
  }
  out << text;
  return exit_good;
}

}  // namespace visviva
