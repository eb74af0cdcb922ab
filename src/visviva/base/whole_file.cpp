#include "visviva/base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace visviva {
namespace {

namespace fs = std::filesystem;

std::string message_of(int number) { return std::generic_category().message(number); }

// The number of the error, or 0. The descriptor is closed in any case.
int write_and_close(int descriptor, const std::string& text) {
  int problem = 0;
  for (std::size_t done = 0; problem == 0 && done < text.size();) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count >= 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      problem = errno;
  }
  if (::close(descriptor) != 0 && problem == 0) problem = errno;
  return problem;
}

int write_directly(const std::string& path, const std::string& text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return descriptor < 0 ? errno : write_and_close(descriptor, text);
}

// A new file beside another one, with the permissions that a new file has; the name is set. -1: errno says why.
int open_beside(const fs::path& target, std::string* name) {
  static std::atomic<unsigned> count = 0;
  int descriptor = -1;
  do {
    const std::string own = std::to_string(::getpid()) + "-" + std::to_string(++count);
    *name = (target.parent_path() / (".visviva-" + own)).string();
    descriptor = ::open(name->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST);
  return descriptor;
}

// Whether a folder is not to be changed, which says nothing of the files in it.
bool is_forbidden(int problem) { return problem == EACCES || problem == EPERM || problem == EROFS; }

// What the file is in the end, links followed: one that is not there yet, too.
fs::path find_target(const std::string& path) {
  fs::path target = path;
  std::error_code problem;
  for (int i = 0; i < 40 && fs::is_symlink(target, problem); ++i) {
    const fs::path next = fs::read_symlink(target, problem);
    if (problem) break;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

}  // namespace

std::string replace_file(const std::string& path, const std::string& text) {
  const fs::path target = find_target(path);
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && ::access(target.c_str(), W_OK) != 0) return message_of(errno);
  const auto finish = [](int problem) {
    return problem == 0 ? std::string() : message_of(problem);
  };
  if (exists && !S_ISREG(old.st_mode)) return finish(write_directly(path, text));
  std::string beside;
  const int descriptor = open_beside(target, &beside);
  if (descriptor < 0)
    return finish(exists && is_forbidden(errno) ? write_directly(path, text) : errno);
  // Where this fails the file is ours alone, and no less whole.
  if (exists) [[maybe_unused]]
    const int ignored = ::fchmod(descriptor, old.st_mode & 07777);
  int problem = write_and_close(descriptor, text);
  if (problem == 0 && ::rename(beside.c_str(), target.c_str()) != 0) problem = errno;
  if (problem != 0) ::unlink(beside.c_str());
  return finish(problem);
}

std::string create_file(const std::string& path, const std::string& text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return message_of(errno);
  const int problem = write_and_close(descriptor, text);
  if (problem != 0) ::unlink(path.c_str());
  return problem == 0 ? "" : message_of(problem);
}

}  // namespace visviva
