#include "visviva/report/trajectory/trajectory_h5.h"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <set>
#include <system_error>
#include <utility>

#include "visviva/report/trajectory/flush_clock.h"

namespace visviva {
namespace {

constexpr std::size_t block_rows = 1024;            // samples of one write and of one chunk
constexpr hsize_t block_overhead = 4096;            // of a column: what its chunk index may grow by
constexpr hsize_t closing_room = hsize_t(1) << 16;  // attributes and what HDF5 writes at the end

// HDF5 prints what goes wrong unless told otherwise, once for the whole process.
class QuietErrors {
 public:
  QuietErrors() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// An HDF5 identifier that is closed with the scope.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }

  hid_t id() const { return id_; }
  bool is_good() const { return id_ >= 0; }
  bool close() {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    return id < 0 || close_(id) >= 0;
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
  herr_t (*close_)(hid_t) = nullptr;
};

// UTF-8 of any length.
Handle make_text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

bool write_attribute(hid_t where, const char* name, const Handle& space, const void* texts) {
  const Handle type = make_text_type();
  const Handle attribute(H5Acreate2(where, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  return attribute.is_good() && H5Awrite(attribute.id(), type.id(), texts) >= 0;
}

bool write_attribute(hid_t where, const char* name, const std::string& text) {
  const char* c = text.c_str();
  return write_attribute(where, name, Handle(H5Screate(H5S_SCALAR), H5Sclose), &c);
}

bool write_names(hid_t where, const std::vector<TrajectoryColumn>& columns) {
  std::vector<const char*> names;
  for (const TrajectoryColumn& c : columns) names.push_back(c.name.c_str());
  const hsize_t count = names.size();
  // An attribute has at most 64 KiB.
  if (count == 0 || count > 4000) return true;
  return write_attribute(where, "columns", Handle(H5Screate_simple(1, &count, nullptr), H5Sclose),
                         names.data());
}

}  // namespace

class TrajectoryH5::File {
 public:
  File(std::string path, const std::vector<TrajectoryColumn>& columns)
      : path_(std::move(path)), columns_(columns), column_count_(columns.size()) {}
  ~File() {
    const QuietErrors quiet;
    close_all();
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::string& path() const { return path_; }

  // Empty, or what is wrong.
  std::string open(const std::vector<TrajectoryColumn>& columns, const TrajectoryOrigin& origin) {
    // At the end of the process HDF5 would crash over a file that it could not close.
    H5dont_atexit();
    const QuietErrors quiet;
    if (const std::string problem = claim(); !problem.empty()) return problem;
    const std::string problem = fill(columns, origin);
    if (!problem.empty() && file_.is_good()) discard();
    return problem;
  }

  std::string write(std::span<const double> values) {
    require_whole_sample(values, column_count_, "TrajectoryH5::write");
    for (std::size_t i = 0; i < column_count_; ++i) buffers_[i].push_back(values[i]);
    if (buffers_.empty()) return {};
    return buffers_[0].size() < block_rows ? flush_when_due() : write_block();
  }

  std::string flush_when_due() {
    if (!file_.is_good() || buffers_.empty() || buffers_[0].empty() || !clock_.is_due()) return {};
    return clock_.measure([this] { return write_block(); });
  }

  std::string close(const TrajectoryOutcome& outcome) {
    const QuietErrors quiet;
    std::string problem;
    if (!buffers_.empty() && !buffers_[0].empty()) problem = write_rows();
    errno = 0;
    bool good = write_attribute(file_.id(), "status", outcome.status) &&
                write_attribute(file_.id(), "reason", outcome.reason) &&
                write_attribute(file_.id(), "certificate", outcome.certificate);
    if (good && !outcome.events.empty()) good = write_events(outcome.events);
    if (!(close_all() && good) && problem.empty()) problem = reason(errno);
    return problem;
  }

 private:
  static std::string reason(int number) {
    return number == 0 ? "HDF5 refused" : std::generic_category().message(number);
  }

  // Opens the file as it is, and makes sure that nobody else has it: HDF5 would empty it first and ask then.
  std::string claim() {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (descriptor_ < 0) return reason(errno);
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) return reason(errno);
    if (!S_ISREG(status.st_mode)) return "it is not a regular file";
    const bool is_taken = flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (is_taken) return "another program has it open";
    flock(descriptor_, LOCK_UN);  // HDF5 takes a lock of its own
    return {};
  }

  hsize_t block_size() const {
    return column_count_ * (block_rows * sizeof(double) + block_overhead);
  }

  // Everything but rows, and room for these; empty, or what is wrong.
  std::string fill(const std::vector<TrajectoryColumn>& columns, const TrajectoryOrigin& origin) {
    errno = 0;
    if (!create()) return reason(errno);
    const hsize_t texts = origin.model_text.size() + origin.command.size();
    if (const int problem = reserve(closing_room + texts + block_size())) return reason(problem);
    bool good = write_attribute(file_.id(), "model_name", origin.model_name) &&
                write_attribute(file_.id(), "model", origin.model_text) &&
                write_attribute(file_.id(), "version", origin.version) &&
                write_attribute(file_.id(), "command", origin.command) &&
                write_names(file_.id(), columns);
    std::set<std::string> used;
    for (const TrajectoryColumn& c : columns) good = good && add_dataset(c, &used);
    return good ? finish_block() : reason(errno);
  }

  // Half a file could not be told from somebody else's.
  void discard() {
    close_all();
    [[maybe_unused]] const int ignored = ftruncate(descriptor_, 0);
  }

  bool create() {
    // Datasets are listed in the order of the columns, and no file holds the time it was made.
    const Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_link_creation_order(properties.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(properties.id(), false);
    file_ = Handle(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, properties.id(), H5P_DEFAULT), H5Fclose);
    return file_.is_good();
  }

  bool add_dataset(const TrajectoryColumn& column, std::set<std::string>* used) {
    std::string name = column.name;
    std::replace(name.begin(), name.end(), '/', '|');
    while (!used->insert(name).second) name += "_";
    const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = block_rows;
    const Handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose);
    const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(layout.id(), 1, &chunk);
    H5Pset_obj_track_times(layout.id(), false);
    // Whole chunks are written once: by default each dataset would keep a megabyte of them.
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    H5Pset_chunk_cache(access.id(), 1, block_rows * sizeof(double), 1.0);
    Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_char_encoding(links.id(), H5T_CSET_UTF8);
    datasets_.emplace_back(H5Dcreate2(file_.id(), name.c_str(), H5T_IEEE_F64LE, space.id(),
                                      links.id(), layout.id(), access.id()),
                           H5Dclose);
    buffers_.emplace_back();
    const Handle& dataset = datasets_.back();
    return dataset.is_good() && write_attribute(dataset.id(), "name", column.name) &&
           write_attribute(dataset.id(), "unit", column.unit);
  }

  // ---- Events

  bool write_events(const std::vector<EventRecord>& events) {
    const hsize_t count = events.size();
    const hsize_t bytes = (column_count_ + 4) * (count * sizeof(double) + block_overhead);
    if (const int problem = reserve(closing_room + 2 * bytes); problem != 0) {
      errno = problem;
      return false;
    }
    Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_char_encoding(links.id(), H5T_CSET_UTF8);
    const Handle group(
        H5Gcreate2(file_.id(), free_name("events").c_str(), links.id(), H5P_DEFAULT, H5P_DEFAULT),
        H5Gclose);
    if (!group.is_good()) return false;
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    std::vector<const char*> names;
    for (const EventRecord& e : events) names.push_back(e.name.c_str());
    const Handle type = make_text_type();
    const Handle dataset(H5Dcreate2(group.id(), "event", type.id(), space.id(), H5P_DEFAULT,
                                    H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    bool good = dataset.is_good() &&
                H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, names.data()) >= 0;
    std::set<std::string> used = {"event", "rising", "touching", "stop"};
    const auto add = [&](std::string name, const std::string& unit, const auto& value) {
      std::vector<double> values;
      for (const EventRecord& e : events) values.push_back(value(e));
      good = good && write_values(group, name, unit, space, values);
    };
    add("rising", "1", [](const EventRecord& e) { return e.is_rising ? 1.0 : 0.0; });
    add("touching", "1", [](const EventRecord& e) { return e.is_touch ? 1.0 : 0.0; });
    add("stop", "1", [](const EventRecord& e) { return e.is_stop ? 1.0 : 0.0; });
    for (std::size_t i = 0; i < column_count_; ++i) {
      std::string name = columns_[i].name;
      std::replace(name.begin(), name.end(), '/', '|');
      while (!used.insert(name).second) name += "_";
      add(name, columns_[i].unit, [&](const EventRecord& e) {
        return i == 0 ? e.time : i < e.row.size() ? e.row[i] : std::nan("");
      });
    }
    return good;
  }

  // No column has this name: an output may have any.
  std::string free_name(std::string name) const {
    while (std::any_of(columns_.begin(), columns_.end(),
                       [&](const TrajectoryColumn& c) { return c.name == name; }))
      name += "_";
    return name;
  }

  static bool write_values(const Handle& group, const std::string& name, const std::string& unit,
                           const Handle& space, const std::vector<double>& values) {
    Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_char_encoding(links.id(), H5T_CSET_UTF8);
    const Handle dataset(H5Dcreate2(group.id(), name.c_str(), H5T_IEEE_F64LE, space.id(),
                                    links.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    return dataset.is_good() &&
           H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                    values.data()) >= 0 &&
           write_attribute(dataset.id(), "unit", unit);
  }

  std::string write_block() {
    const QuietErrors quiet;
    const std::string problem = write_rows();
    return problem.empty() ? finish_block() : problem;
  }

  // What is in the buffers goes to the end of each dataset.
  std::string write_rows() {
    const hsize_t count = buffers_[0].size(), total = row_count_ + count;
    errno = 0;
    for (std::size_t i = 0; i < column_count_; ++i) {
      if (H5Dset_extent(datasets_[i].id(), &total) < 0) return reason(errno);
      const Handle place(H5Dget_space(datasets_[i].id()), H5Sclose);
      const Handle block(H5Screate_simple(1, &count, nullptr), H5Sclose);
      H5Sselect_hyperslab(place.id(), H5S_SELECT_SET, &row_count_, nullptr, &count, nullptr);
      if (H5Dwrite(datasets_[i].id(), H5T_NATIVE_DOUBLE, block.id(), place.id(), H5P_DEFAULT,
                   buffers_[i].data()) < 0)
        return reason(errno);
      buffers_[i].clear();
    }
    row_count_ = total;
    return {};
  }

  // All of it on disk, so that the file can be read even after a crash, and room for the next.
  std::string finish_block() {
    errno = 0;
    if (H5Fflush(file_.id(), H5F_SCOPE_LOCAL) < 0) return reason(errno);
    const int problem = reserve(block_size() + closing_room);
    if (problem == 0) return {};
    reserve(closing_room);
    return reason(problem);
  }

  // Sets so many bytes aside behind the end of the file; what is wrong, or 0. HDF5 itself does not
  // see them, and cuts off what it did not use.
  int reserve(hsize_t bytes) const {
    hsize_t size = 0;
    if (H5Fget_filesize(file_.id(), &size) < 0) return EIO;
    const int problem =
        posix_fallocate(descriptor_, static_cast<off_t>(size), static_cast<off_t>(bytes));
    return problem == EINVAL || problem == EOPNOTSUPP ? 0 : problem;
  }

  bool close_all() {
    if (!file_.is_good()) return true;
    bool good = true;
    for (Handle& d : datasets_) good = d.close() && good;
    datasets_.clear();
    hsize_t size = 0;
    good = H5Fflush(file_.id(), H5F_SCOPE_LOCAL) >= 0 && good;
    good = H5Fget_filesize(file_.id(), &size) >= 0 && good;
    good = file_.close() && good;
    return good && ftruncate(descriptor_, static_cast<off_t>(size)) == 0;
  }

  std::string path_;
  std::vector<TrajectoryColumn> columns_;
  std::size_t column_count_;
  int descriptor_ = -1;
  Handle file_;
  std::vector<Handle> datasets_;
  std::vector<std::vector<double>> buffers_;
  hsize_t row_count_ = 0;
  FlushClock clock_;
};

TrajectoryH5::TrajectoryH5() = default;
TrajectoryH5::~TrajectoryH5() = default;

bool TrajectoryH5::open(const std::string& path, const std::vector<TrajectoryColumn>& columns,
                        const TrajectoryOrigin& origin) {
  file_.reset();  // closes one that was open
  file_ = std::make_unique<File>(path, columns);
  problem_.clear();
  return take(file_->open(columns, origin));
}

bool TrajectoryH5::write(std::span<const double> values) {
  return file_ && problem_.empty() && take(file_->write(values));
}

bool TrajectoryH5::flush_when_due() {
  if (!file_ || !problem_.empty()) return problem_.empty();
  return take(file_->flush_when_due());
}

bool TrajectoryH5::take(const std::string& problem) {
  if (!problem.empty()) problem_ = "cannot write '" + file_->path() + "': " + problem;
  return problem.empty();
}

bool TrajectoryH5::close(const TrajectoryOutcome& outcome) {
  if (!file_) return problem_.empty();
  const std::string problem = file_->close(outcome);
  if (problem_.empty() && !problem.empty())
    problem_ = "cannot write '" + file_->path() + "': " + problem;
  file_.reset();
  return problem_.empty();
}

const std::string& TrajectoryH5::problem() const { return problem_; }

bool is_trajectory_h5(const std::string& path) {
  H5dont_atexit();
  const QuietErrors quiet;
  // A run that is still going on has its file locked.
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.id(), false, true);
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  return file.is_good() && H5Aexists(file.id(), "model_name") > 0 &&
         H5Aexists(file.id(), "command") > 0;
}

}  // namespace visviva
