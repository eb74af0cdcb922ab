// Tests of trajectory_h5: files are read back with the HDF5 library itself.
#include "visviva/report/trajectory/trajectory_h5.h"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "visviva/base/refusal_test.h"

namespace visviva {
namespace {

const TrajectoryOrigin origin = {"pendulum", "model pendulum\n", "0.1", "visviva simulate"};
const TrajectoryOutcome good_end = {"done", "", "{\"holds\": true}"};
const std::vector<TrajectoryColumn> two_columns = {{"t", "s"}, {"x", "m"}};

std::string scratch_file(const char* name) {
  return (std::filesystem::path(testing::TempDir()) / name).string();
}

// A file opened for reading; bad names give empty answers.
class Reader {
 public:
  explicit Reader(const std::string& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {}
  ~Reader() { H5Fclose(file_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  bool is_open() const { return file_ >= 0; }

  std::vector<double> column(const char* name) const {
    const hid_t dataset = H5Dopen2(file_, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Sclose(space);
    H5Dclose(dataset);
    return values;
  }

  std::string text(const char* object, const char* name) const {
    const hid_t attribute = H5Aopen_by_name(file_, object, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) return "no such attribute";
    const hid_t type = H5Aget_type(attribute);
    char* found = nullptr;
    H5Aread(attribute, type, static_cast<void*>(&found));
    const std::string result = found;
    H5free_memory(found);
    H5Tclose(type);
    H5Aclose(attribute);
    return result;
  }

 private:
  hid_t file_;
};

bool write_rows(TrajectoryH5& file, int count) {
  for (int i = 0; i < count; ++i) {
    const double row[] = {0.001 * i, 1.0 / (1.0 + i)};
    if (!file.write(row)) return false;
  }
  return true;
}

void expect_rows(const Reader& reader, std::size_t count) {
  const std::vector<double> t = reader.column("t"), x = reader.column("x");
  ASSERT_EQ(t.size(), count);
  ASSERT_EQ(x.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(t[i], 0.001 * static_cast<double>(i));
    ASSERT_EQ(x[i], 1.0 / (1.0 + static_cast<double>(i)));
  }
}

TEST(TrajectoryH5, columns_read_back_exactly_over_many_blocks) {
  const std::string path = scratch_file("columns.h5");
  TrajectoryH5 file;
  ASSERT_TRUE(file.open(path, two_columns, origin)) << file.problem();
  ASSERT_TRUE(write_rows(file, 5000)) << file.problem();
  ASSERT_TRUE(file.close(good_end)) << file.problem();
  expect_rows(Reader(path), 5000);
}

TEST(TrajectoryH5, the_file_says_where_it_comes_from_and_how_it_ended) {
  const std::string path = scratch_file("attributes.h5");
  TrajectoryH5 file;
  ASSERT_TRUE(file.open(path, two_columns, origin));
  ASSERT_TRUE(file.close({"stopped", "interrupted", "{}"}));
  const Reader reader(path);
  EXPECT_EQ(reader.text("/", "model"), "model pendulum\n");
  EXPECT_EQ(reader.text("/", "model_name"), "pendulum");
  EXPECT_EQ(reader.text("/", "version"), "0.1");
  EXPECT_EQ(reader.text("/", "command"), "visviva simulate");
  EXPECT_EQ(reader.text("/", "status"), "stopped");
  EXPECT_EQ(reader.text("/", "reason"), "interrupted");
  EXPECT_EQ(reader.text("/", "certificate"), "{}");
  EXPECT_EQ(reader.text("x", "unit"), "m");
}

TEST(TrajectoryH5, a_sample_that_lacks_a_value_is_refused) {
  TrajectoryH5 file;
  ASSERT_TRUE(file.open(scratch_file("short.h5"), two_columns, origin));
  const double t = 0.0;
  EXPECT_TRUE(says(refusal([&] {
                     file.write({&t, 1});
                   }),
                   "TrajectoryH5::write", "1 value, the file 2 columns"));
}

TEST(TrajectoryH5, a_slash_makes_no_group_and_equal_names_no_failure) {
  const std::string path = scratch_file("names.h5");
  TrajectoryH5 file;
  ASSERT_TRUE(file.open(path, {{"s/L", "1"}, {"s|L", "1"}, {"λ", "1"}}, origin));
  const double row[] = {1.0, 2.0, 3.0};
  ASSERT_TRUE(file.write(row));
  ASSERT_TRUE(file.close(good_end));
  const Reader reader(path);
  EXPECT_EQ(reader.text("s|L", "name"), "s/L");
  EXPECT_EQ(reader.column("s|L"), std::vector<double>{1.0});
  EXPECT_EQ(reader.text("s|L_", "name"), "s|L");
  EXPECT_EQ(reader.column("s|L_"), std::vector<double>{2.0});
  EXPECT_EQ(reader.column("λ"), std::vector<double>{3.0});
}

TEST(TrajectoryH5, the_same_samples_give_the_same_bytes) {
  const auto bytes = [](const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  for (const char* name : {"first.h5", "second.h5"}) {
    TrajectoryH5 file;
    ASSERT_TRUE(file.open(scratch_file(name), two_columns, origin));
    ASSERT_TRUE(write_rows(file, 3000));
    ASSERT_TRUE(file.close(good_end));
  }
  EXPECT_EQ(bytes(scratch_file("first.h5")), bytes(scratch_file("second.h5")));
}

TEST(TrajectoryH5, a_text_longer_than_an_attribute_may_be_is_kept) {
  const std::string path = scratch_file("long_text.h5"), text(300'000, 'x');
  TrajectoryH5 file;
  ASSERT_TRUE(file.open(path, two_columns, {"m", text, "", ""})) << file.problem();
  ASSERT_TRUE(file.close(good_end)) << file.problem();
  EXPECT_EQ(Reader(path).text("/", "model"), text);
}

// The limit stands for a full disk: both let a file grow no further.
TEST(TrajectoryH5, where_the_disk_is_full_the_file_is_valid_and_holds_all_that_was_written) {
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto signal_before = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {500'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string path = scratch_file("full.h5");
  TrajectoryH5 file;
  const bool is_open = file.open(path, two_columns, origin);
  std::size_t written = 0;
  for (; written < 100'000; ++written) {
    const double i = static_cast<double>(written);
    const double row[] = {0.001 * i, 1.0 / (1.0 + i)};
    if (!file.write(row)) break;
  }
  const bool is_closed = file.close({"stopped", "disk full", "{}"});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, signal_before);

  EXPECT_TRUE(is_open);
  EXPECT_FALSE(is_closed);
  EXPECT_EQ(file.problem(), "cannot write '" + path + "': File too large");
  ASSERT_GT(written, 1000U);
  ASSERT_LT(written, 100'000U);
  const Reader reader(path);
  ASSERT_TRUE(reader.is_open());
  expect_rows(reader, written + 1);  // the last one too: it was taken before room for more was
  EXPECT_EQ(reader.text("/", "status"), "stopped");
}

TEST(TrajectoryH5, what_is_no_file_is_refused_with_its_name) {
  TrajectoryH5 file;
  EXPECT_FALSE(file.open("/dev/full", two_columns, origin));
  EXPECT_EQ(file.problem(), "cannot write '/dev/full': it is not a regular file");
  EXPECT_FALSE(file.open("/no/such/folder/a.h5", two_columns, origin));
  EXPECT_EQ(file.problem(), "cannot write '/no/such/folder/a.h5': No such file or directory");
  EXPECT_FALSE(write_rows(file, 1));
}

}  // namespace
}  // namespace visviva
