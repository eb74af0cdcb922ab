#include "visviva/text/build/read_motion.h"

#include <algorithm>
#include <set>

#include "visviva/base/suggest.h"
#include "visviva/base/unit.h"
#include "visviva/base/words.h"
#include "visviva/text/build/csv.h"

namespace visviva {
namespace {

constexpr double half_turn = 3.14159265358979323846;
constexpr std::size_t most_names = 20;

class MotionReader {
 public:
  MotionReader(const std::string& path, const ModelData& model) : path_(path), model_(model) {}

  MotionFile read() {
    CsvHeader header = read_csv_header(path_);
    take(std::move(header.problems));
    if (motion_.ok() && has_times(header)) read_columns(header);
    if (!motion_.ok()) motion_ = {{}, {}, {}, std::move(motion_.problems)};
    return std::move(motion_);
  }

 private:
  // Places in the file are told in words: it is no part of the model's text.
  void take(std::vector<Diagnostic> problems) {
    for (Diagnostic& d : problems) {
      const bool names_file = d.message.find(path_) != std::string::npos;
      if (d.span.line > 0)
        d.message = (names_file ? "" : path_ + ", ") + ("line " + std::to_string(d.span.line)) +
                    ": " + d.message;
      d.span = {};
      const auto same = [&](const Diagnostic& other) { return other.message == d.message; };
      if (std::none_of(motion_.problems.begin(), motion_.problems.end(), same))
        motion_.problems.push_back(std::move(d));
    }
  }

  void refuse(const char* code, const std::string& message, const std::string& help) {
    motion_.problems.push_back({Severity::error, code, message, help, {}});
  }

  bool has_times(const CsvHeader& header) {
    const std::string help =
        "the first line names the columns: t, then coordinates, such as " + some_coordinate();
    if (header.names.empty()) {
      refuse("E-table-column", path_ + " has no header, so that nobody knows whose its columns are",
             help);
      return false;
    }
    std::string first = header.names[0];
    std::transform(first.begin(), first.end(), first.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (first != "t" && first != "time") {
      refuse("E-table-column",
             "the first column of " + path_ + " is '" + header.names[0] + "', not t", help);
      return false;
    }
    return true;
  }

  std::string some_coordinate() const {
    return model_.coordinates.empty() ? "q" : model_.coordinates[0].name;
  }

  const CoordinateData* find(const std::string& name) const {
    const auto found = std::find_if(model_.coordinates.begin(), model_.coordinates.end(),
                                    [&](const CoordinateData& c) { return c.name == name; });
    return found == model_.coordinates.end() ? nullptr : &*found;
  }

  void read_columns(const CsvHeader& header) {
    for (std::size_t i = 1; i < header.names.size(); ++i) {
      const CoordinateData* coordinate = find(header.names[i]);
      if (coordinate == nullptr)
        motion_.others.push_back(header.names[i]);
      else
        read_column(*coordinate);
    }
    if (!motion_.columns.empty() || !motion_.ok()) return;
    std::vector<std::string> known;
    for (const CoordinateData& c : model_.coordinates) known.push_back(c.name);
    std::string help = "the coordinates are " + list_some_words(known, most_names);
    if (known.empty()) help = "the model has no coordinates: all is given already";
    for (const std::string& other : motion_.others) {
      const std::string nearest = did_you_mean(other, known);
      if (!nearest.empty()) help = nearest;
    }
    refuse("E-table-column",
           "no column of " + path_ + " is a coordinate of this model; it has " +
               list_some_words(header.names, most_names),
           help);
  }

  void read_column(const CoordinateData& coordinate) {
    CsvColumn column = read_csv_column(path_, {.column = coordinate.name});
    take(std::move(column.problems));
    if (column.values.empty()) return;
    const Dimension time = Dimension::of(Dimension::time);
    if (motion_.times.empty() && scale(column.time_unit, time, "t", &column.times))
      motion_.times = std::move(column.times);
    if (scale(column.unit, coordinate.dimension, coordinate.name, &column.values))
      motion_.columns.push_back({coordinate.name, std::move(column.values)});
  }

  // Values into SI units; a column without a unit is in them.
  bool scale(const std::string& unit_text, const Dimension& wanted, const std::string& name,
             std::vector<double>* values) {
    const auto unit = unit_text.empty() ? std::nullopt : parse_unit(unit_text).unit;
    if (!unit) return true;
    if (unit->dimension != wanted) {
      refuse("E-dimension-table",
             "column '" + name + "' of " + path_ + " is in " + unit_text + ", but '" + name +
                 "' is " + describe_dimension(wanted),
             "write the unit that its numbers have");
      return false;
    }
    double factor = static_cast<double>(unit->num) / static_cast<double>(unit->den);
    for (int i = 0; i < unit->pi_power; ++i) factor *= half_turn;
    for (double& v : *values) v *= factor;
    return true;
  }

  const std::string& path_;
  const ModelData& model_;
  MotionFile motion_;
};

}  // namespace

MotionFile read_motion_file(const std::string& path, const ModelData& model) {
  return MotionReader(path, model).read();
}

}  // namespace visviva
