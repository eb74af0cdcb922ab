// Files that commands write: what may be replaced without being asked, and what keeps others out.
#pragma once

#include <string>

namespace visviva {

/// What a command writes. A file of the same kind that we wrote may be replaced; anything else that is in
/// the way is somebody's work.
enum class OutputKind { page, plot, source, model, trajectory_csv, trajectory_h5 };

/// A file that a command is to write.
struct OutputFile {
  std::string path;
  OutputKind kind = OutputKind::page;
  std::string option;  ///< the one that names it, for messages: "--out"
  std::string model;   ///< the model's file, which is never overwritten
  bool force = false;  ///< replace what we did not write, too
  std::string lock{};  ///< another file that whoever writes this one has locked; may be empty
};

/// WrongCommand, before the work rather than after it, when this file cannot or may not be written: no
/// folder, no right to, a folder itself, a FIFO, the model, or something that we did not write, unless
/// `force`. It is not touched.
void require_writable(const OutputFile& file);

/// WrongCommand when the file is there and may not be replaced, as in require_writable(); its folder may be missing.
void require_replaceable(const OutputFile& file);

/// Writes a file as a whole, as replace_file() does; WrongCommand when it cannot be.
void write_output(const std::string& path, const std::string& text);

/// A lock on a file, made where there is none, whose contents stay as they are. Held until its end, even when
/// the file is opened and closed meanwhile; it ends with the process in any case.
class FileClaim {
 public:
  FileClaim() = default;
  ~FileClaim();
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

  /// Takes the lock; false when another process has it or the file cannot be opened: problem() says which.
  bool take(const std::string& path);
  bool is_held() const { return descriptor_ >= 0; }
  /// "cannot write 'FILE': REASON"; empty when all is well.
  const std::string& problem() const { return problem_; }

 private:
  int descriptor_ = -1;
  std::string problem_;
};

}  // namespace visviva
