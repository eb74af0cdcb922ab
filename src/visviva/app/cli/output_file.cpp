#include "visviva/app/cli/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "visviva/app/cli/answer.h"
#include "visviva/base/whole_file.h"
#include "visviva/report/plot/figure.h"
#include "visviva/report/trajectory/trajectory_csv.h"
#include "visviva/report/trajectory/trajectory_h5.h"

namespace visviva {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const OutputFile& file, const std::string& why) {
  throw WrongCommand{"cannot write '" + file.path + "': " + why};
}

// Every page, plot and source file says near its beginning who wrote it.
bool has_mark(const std::string& path, std::string_view mark) {
  std::string head(1 << 14, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head.find(mark) != std::string::npos;
}

bool is_ours(const OutputFile& file) {
  switch (file.kind) {
    case OutputKind::page:
      return has_mark(file.path, "name=\"generator\" content=\"Visviva");
    case OutputKind::plot:
      return has_mark(file.path, plot_mark);
    case OutputKind::source:
      return has_mark(file.path, "written by visviva export");
    case OutputKind::model:
      return has_mark(file.path, "written by visviva convert");
    case OutputKind::trajectory_csv:
      return is_trajectory_csv(file.path);
    case OutputKind::trajectory_h5:
      return is_trajectory_h5(file.path);
  }
  return false;
}

const char* name_of(OutputKind kind) {
  switch (kind) {
    case OutputKind::page:
      return "a report";
    case OutputKind::plot:
      return "a plot";
    case OutputKind::source:
      return "an exported model";
    case OutputKind::model:
      return "a converted robot";
    case OutputKind::trajectory_csv:
    case OutputKind::trajectory_h5:
      break;
  }
  return "a trajectory";
}

constexpr const char* being_written = "another run is writing it";

// Whether another process has claimed the file.
bool is_being_written(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  const bool is_locked = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return is_locked;
}

}  // namespace

void require_replaceable(const OutputFile& file) {
  std::error_code ignored;
  const fs::file_status status = fs::status(file.path, ignored);
  if (!fs::exists(status)) return;
  if (fs::is_directory(status)) refuse(file, "it is a folder; give " + file.option + " a file");
  if (fs::is_fifo(status) || fs::is_socket(status) || fs::is_block_file(status))
    refuse(file, "it is not a regular file");
  if (fs::equivalent(file.path, file.model, ignored)) refuse(file, "it is the model");
  if (access(file.path.c_str(), W_OK) != 0) refuse(file, "it may not be changed");
  if (file.force || !fs::is_regular_file(status) || fs::file_size(file.path, ignored) == 0) return;
  // One that is being written may look like nothing in particular, and may be whole a moment later.
  const auto require_nobody = [&] {
    if (is_being_written(file.path) || (!file.lock.empty() && is_being_written(file.lock)))
      refuse(file, being_written);
  };
  require_nobody();
  if (is_ours(file)) return;
  require_nobody();
  if (!is_ours(file))
    refuse(file, std::string("it exists, and is not ") + name_of(file.kind) +
                     " that visviva wrote; --force replaces it");
}

void require_writable(const OutputFile& file) {
  const fs::path path(file.path);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    refuse(file, "there is no folder '" + folder.string() + "'");
  require_replaceable(file);
  if (!fs::exists(path, ignored) && access(folder.c_str(), W_OK) != 0)
    refuse(file, "the folder '" + folder.string() + "' may not be changed");
}

void write_output(const std::string& path, const std::string& text) {
  const std::string problem = replace_file(path, text);
  if (!problem.empty()) throw WrongCommand{"cannot write '" + path + "': " + problem};
}

FileClaim::~FileClaim() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileClaim::take(const std::string& path) {
  const auto fail = [&](const std::string& why) {
    problem_ = "cannot write '" + path + "': " + why;
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    return false;
  };
  // Not blocking: a FIFO would wait for a reader.
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor_ < 0) return fail(std::generic_category().message(errno));
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) return fail(std::generic_category().message(errno));
  if (S_ISFIFO(status.st_mode)) return fail("it is not a regular file");
  // A file system without locks has to do without.
  if (S_ISREG(status.st_mode) && flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return fail(being_written);
  problem_.clear();
  return true;
}

}  // namespace visviva
