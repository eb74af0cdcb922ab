#include "visviva/report/trajectory/trajectory_csv.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>

#include "visviva/base/whole_file.h"

namespace visviva {
namespace {

constexpr std::size_t buffer_size = 1 << 16;

// RFC 4180: in quotes, with inner quotes doubled, where it could be misread.
std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string result = "\"";
  for (const char c : cell) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

}  // namespace

bool TrajectoryCsv::open(const std::string& path, const std::vector<TrajectoryColumn>& columns) {
  close();
  path_ = path;
  problem_.clear();
  column_count_ = columns.size();
  written_ = 0;
  file_ = std::fopen(path.c_str(), "wb");
  if (file_ == nullptr) return fail();
  // The buffer here is the only one, so that an error shows at once.
  std::setvbuf(file_, nullptr, _IONBF, 0);
  std::string units, names;
  for (const TrajectoryColumn& c : columns) {
    units += (units.empty() ? "# " : ",") + quoted(c.unit);
    names += (&c == &columns.front() ? "" : ",") + quoted(c.name);
  }
  buffer_ = units + "\n" + names + "\n";
  clock_ = {};
  return true;
}

bool TrajectoryCsv::write(std::span<const double> values) {
  if (file_ == nullptr) return false;
  require_whole_sample(values, column_count_, "TrajectoryCsv::write");
  for (const double x : values) fmt::format_to(std::back_inserter(buffer_), "{},", x);
  buffer_.back() = '\n';
  return buffer_.size() < buffer_size ? flush_when_due() : flush();
}

bool TrajectoryCsv::flush_when_due() {
  if (file_ == nullptr) return problem_.empty();
  return buffer_.empty() || !clock_.is_due() || clock_.measure([this] { return flush(); });
}

bool TrajectoryCsv::close() {
  if (file_ == nullptr) return problem_.empty();
  bool good = flush();
  if (file_ == nullptr) return false;
  errno = 0;
  good = std::fclose(file_) == 0 && good;
  file_ = nullptr;
  return good || fail();
}

bool TrajectoryCsv::flush() {
  errno = 0;
  const std::size_t count = std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
  if (count < buffer_.size()) {
    const int reason = errno;
    cut_to_whole_lines(count);
    errno = reason;
    return fail();
  }
  written_ += count;
  buffer_.clear();
  return true;
}

// Half a line would be a wrong number.
void TrajectoryCsv::cut_to_whole_lines(std::size_t count) {
  const std::size_t end = buffer_.substr(0, count).rfind('\n');
  const std::size_t whole = end == std::string::npos ? 0 : end + 1;
  // Where this fails, as on a device, there is nothing to cut.
  [[maybe_unused]] const int ignored =
      ftruncate(fileno(file_), static_cast<off_t>(written_ + whole));
}

bool TrajectoryCsv::fail() {
  const int reason = errno;
  if (file_ != nullptr) std::fclose(file_);
  file_ = nullptr;
  problem_ = "cannot write '" + path_ + "': " + std::generic_category().message(reason);
  return false;
}

const char* direction_of(const EventRecord& e) {
  if (e.is_touch) return "touching";
  return e.is_rising ? "rising" : "falling";
}

std::string write_events_csv(const std::string& path, const std::vector<EventRecord>& events,
                             const std::vector<TrajectoryColumn>& columns) {
  std::string text = "# s,1,1,1", names = "t,event,direction,stop";
  for (std::size_t i = 1; i < columns.size(); ++i) {
    text += "," + quoted(columns[i].unit);
    names += "," + quoted(columns[i].name);
  }
  text += "\n" + names + "\n";
  for (const EventRecord& e : events) {
    text += fmt::format("{},{},{},{}", e.time, quoted(e.name), direction_of(e), e.is_stop ? 1 : 0);
    for (std::size_t i = 1; i < columns.size(); ++i)
      text += fmt::format(",{}", i < e.row.size() ? e.row[i] : std::nan(""));
    text += '\n';
  }
  return replace_file(path, text);
}

bool is_trajectory_csv(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string units, names;
  return std::getline(in, units) && std::getline(in, names) &&
         (units == "# s" || units.starts_with("# s,")) && (names == "t" || names.starts_with("t,"));
}

}  // namespace visviva
