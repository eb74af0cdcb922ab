// ExportedPaths: what an exported file computes when its language runs it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "visviva/codegen/export/export.h"

namespace visviva::paths {

using Numbers = std::vector<double>;

/// What one path says about one state. Energies are in the order of exported_energies; a path may
/// have none.
struct PathValues {
  std::string path;
  bool is_determined = true;
  std::vector<double> accelerations{}, energies{};
};

/// A folder that is gone with this value.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string operator/(const std::string& file) const { return path_ + "/" + file; }

 private:
  std::string path_;
};

struct ExportedState {
  double t;
  Numbers y, inputs, parameters;  ///< in the file's order
};

class ExportedPaths {
 public:
  /// The system must outlive this.
  ExportedPaths(const ExportedSystem& system, std::vector<ExportedState> states)
      : system_(system), states_(std::move(states)) {}

  std::vector<PathValues> run_c() const;

  std::vector<PathValues> run_python() const;

  // A MATLAB function has the name of its file.
  std::vector<PathValues> run_octave() const;

 private:
  // The program reads `states` in the folder and writes `answers`.
  std::vector<PathValues> run_driver(const std::string& path, const std::string& program,
                                     const ScratchFolder& folder, const std::string& driver) const;
  static Numbers read_numbers(const std::string& line);
  static bool is_all_finite(const Numbers& numbers);
  Numbers speed_part(const Numbers& rates) const;

  const ExportedSystem& system_;
  std::vector<ExportedState> states_;
};

}  // namespace visviva::paths
