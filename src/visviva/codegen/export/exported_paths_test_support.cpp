// ExportedPaths, defined once for all tests.
#include "visviva/codegen/export/exported_paths_test.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace visviva::paths {
namespace {

// A line for each state: time; state; inputs; parameters. The answer: rates, then energies.
constexpr const char* python_driver = R"(
import sys
sys.path.insert(0, sys.argv[1])
import model
with open(sys.argv[1] + "/states") as lines, open(sys.argv[1] + "/answers", "w") as answers:
    for line in lines:
        t, *rest = [[float(x) for x in part.split()] for part in line.split(";")]
        numbers = list(model.rates(t[0], *rest))
        if hasattr(model, "energies"):
            numbers += model.energies(t[0], *rest).values()
        print(*("%.17g" % x for x in numbers), file=answers)
)";

constexpr const char* octave_driver = R"(
folder = argv(){end};
addpath(folder);
lines = fopen([folder "/states"]);
answers = fopen([folder "/answers"], "w");
while ischar(line = fgetl(lines))
  rest = cellfun(@(part) sscanf(part, "%f"), strsplit(line, ";"), "UniformOutput", false);
  fprintf(answers, " %.17g", m.rates(rest{:}));
  if isfield(m, "energies"), fprintf(answers, " %.17g", struct2cell(m.energies(rest{:})){:}); end
  fprintf(answers, "\n");
end
fclose(answers);
)";

}  // namespace

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "visviva_paths_XXXXXX").string();
  if (mkdtemp(name.data()) != nullptr) path_ = name;
}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty()) std::filesystem::remove_all(path_);
}

std::vector<PathValues> ExportedPaths::run_c() const {
  using Function = int (*)(double, const double*, const double*, const double*, double*);
  const ScratchFolder folder;
  const std::string source = folder / "model.c", library = folder / "model.so";
  std::ofstream(source) << write_export(system_, ExportLanguage::c);
  const std::string command =
      "cc -std=c99 -O1 -shared -fPIC '" + source + "' -o '" + library + "' -lm";
  EXPECT_EQ(std::system(command.c_str()), 0);
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr);
  if (handle == nullptr) return {};
  const auto find = [&](const char* name) {
    return reinterpret_cast<Function>(dlsym(handle, (system_.identifier + name).c_str()));
  };
  const Function rates = find("_rates"), energies = find("_energies");
  std::vector<PathValues> found;
  for (const ExportedState& s : states_) {
    Numbers y_rates(s.y.size()), e(std::size(exported_energies));
    const int status = rates(s.t, s.y.data(), s.inputs.data(), s.parameters.data(), y_rates.data());
    PathValues values{"exported C", status >= 0, speed_part(y_rates)};
    if (energies != nullptr &&
        energies(s.t, s.y.data(), s.inputs.data(), s.parameters.data(), e.data()) == 0)
      values.energies = e;
    found.push_back(std::move(values));
  }
  dlclose(handle);
  return found;
}

std::vector<PathValues> ExportedPaths::run_python() const {
  const ScratchFolder folder;
  std::ofstream(folder / "model.py") << write_export(system_, ExportLanguage::python);
  std::ofstream(folder / "driver.py") << python_driver;
  return run_driver("exported Python", VISVIVA_PYTHON " -B", folder, "driver.py");
}

std::vector<PathValues> ExportedPaths::run_octave() const {
  const ScratchFolder folder;
  std::ofstream(folder / (system_.identifier + ".m"))
      << write_export(system_, ExportLanguage::matlab);
  std::string driver = octave_driver;
  driver.insert(driver.find("lines ="), "m = " + system_.identifier + "();\n");
  std::ofstream(folder / "driver.m") << driver;
  return run_driver("exported MATLAB", "octave-cli --no-init-file --quiet", folder, "driver.m");
}

std::vector<PathValues> ExportedPaths::run_driver(const std::string& path,
                                                  const std::string& program,
                                                  const ScratchFolder& folder,
                                                  const std::string& driver) const {
  {
    std::ofstream file(folder / "states");
    file.precision(17);
    for (const ExportedState& s : states_) {
      file << s.t;
      for (const Numbers* list : {&s.y, &s.inputs, &s.parameters}) {
        file << " ;";
        for (const double x : *list) file << ' ' << x;
      }
      file << '\n';
    }
  }
  const std::string command = program + " '" + (folder / driver) + "' '" + (folder / "") + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << path;
  std::ifstream answers(folder / "answers");
  std::vector<PathValues> found;
  for (std::string line; std::getline(answers, line);) {
    const Numbers numbers = read_numbers(line);
    EXPECT_GE(numbers.size(), system_.states.size()) << path;
    if (numbers.size() < system_.states.size()) return found;
    const auto rates_end = numbers.begin() + static_cast<long>(system_.states.size());
    const Numbers accelerations = speed_part({numbers.begin(), rates_end});
    found.push_back(
        {path, is_all_finite(accelerations), accelerations, Numbers(rates_end, numbers.end())});
  }
  EXPECT_EQ(found.size(), states_.size()) << path;
  return found;
}

Numbers ExportedPaths::read_numbers(const std::string& line) {
  Numbers numbers;
  const char* at = line.c_str();
  for (char* end = nullptr;; at = end) {
    const double x = std::strtod(at, &end);
    if (end == at) return numbers;
    numbers.push_back(x);
  }
}

bool ExportedPaths::is_all_finite(const Numbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

Numbers ExportedPaths::speed_part(const Numbers& rates) const {
  return {rates.end() - static_cast<long>(system_.speed_count), rates.end()};
}

}  // namespace visviva::paths
