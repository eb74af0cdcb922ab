// Tests of trajectory_csv: the file is read back by the rules of RFC 4180, not by code of ours.
#include "visviva/report/trajectory/trajectory_csv.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "visviva/base/refusal_test.h"

namespace visviva {
namespace {

std::string scratch_file(const char* name) {
  return (std::filesystem::path(testing::TempDir()) / name).string();
}

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(TrajectoryCsv, units_stand_in_a_comment_directly_above_the_names) {
  const std::string path = scratch_file("units.csv");
  TrajectoryCsv csv;
  ASSERT_TRUE(csv.open(path, {{"t", "s"}, {"theta", "1"}, {"theta'", "1/s"}, {"E_Z", "J"}}));
  ASSERT_TRUE(csv.close());
  EXPECT_EQ(read_lines(path), (std::vector<std::string>{"# s,1,1/s,J", "t,theta,theta',E_Z"}));
}

TEST(TrajectoryCsv, a_name_with_commas_or_quotes_is_quoted_as_in_rfc_4180) {
  const std::string path = scratch_file("quotes.csv");
  TrajectoryCsv csv;
  ASSERT_TRUE(csv.open(path, {{"t", "s"}, {"velocity(P, A).x", "m/s"}, {"say \"a\"", "1"}}));
  ASSERT_TRUE(csv.close());
  EXPECT_EQ(read_lines(path)[1], "t,\"velocity(P, A).x\",\"say \"\"a\"\"\"");
}

TEST(TrajectoryCsv, every_number_reads_back_to_the_same_bits) {
  using Limits = std::numeric_limits<double>;
  const std::vector<double> numbers = {0.1,
                                       1.0 / 3.0,
                                       -0.0,
                                       1e22,
                                       123456789012345680.0,
                                       Limits::max(),
                                       Limits::min(),
                                       Limits::denorm_min(),
                                       std::nextafter(1.0, 2.0),
                                       -2.5e-7};
  const std::string path = scratch_file("numbers.csv");
  TrajectoryCsv csv;
  ASSERT_TRUE(csv.open(path, {{"x", "1"}}));
  for (const double& x : numbers) ASSERT_TRUE(csv.write({&x, 1}));
  ASSERT_TRUE(csv.close());
  const std::vector<std::string> lines = read_lines(path);
  ASSERT_EQ(lines.size(), numbers.size() + 2);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double found = std::strtod(lines[i + 2].c_str(), nullptr);
    EXPECT_EQ(found, numbers[i]) << lines[i + 2];
    EXPECT_EQ(std::signbit(found), std::signbit(numbers[i])) << lines[i + 2];
  }
}

TEST(TrajectoryCsv, what_does_not_fit_into_memory_goes_to_the_file_as_it_comes) {
  const std::string path = scratch_file("long.csv");
  TrajectoryCsv csv;
  ASSERT_TRUE(csv.open(path, {{"t", "s"}, {"x", "m"}}));
  const double row[] = {1.0 / 3.0, 2.0 / 3.0};
  for (int i = 0; i < 100000; ++i) ASSERT_TRUE(csv.write(row));
  const auto written = std::filesystem::file_size(path);
  ASSERT_TRUE(csv.close());
  EXPECT_LT(std::filesystem::file_size(path) - written, 100'000U);  // what was still in memory
  EXPECT_EQ(read_lines(path).size(), 100002U);
}

TEST(TrajectoryCsv, a_sample_that_lacks_a_value_is_refused) {
  TrajectoryCsv csv;
  ASSERT_TRUE(csv.open(scratch_file("short.csv"), {{"t", "s"}, {"x", "m"}}));
  const double t = 0.0;
  EXPECT_TRUE(says(refusal([&] {
                     csv.write({&t, 1});
                   }),
                   "TrajectoryCsv::write", "1 value, the file 2 columns"));
}

TEST(TrajectoryCsv, a_full_disk_is_a_problem_with_file_and_reason) {
  TrajectoryCsv csv;
  ASSERT_TRUE(csv.open("/dev/full", {{"t", "s"}}));
  EXPECT_FALSE(csv.close());
  EXPECT_EQ(csv.problem(), "cannot write '/dev/full': No space left on device");
}

// The limit stands for a full disk: both let a file grow no further.
TEST(TrajectoryCsv, where_the_disk_is_full_the_last_line_is_whole) {
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto signal_before = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {100'001, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string path = scratch_file("full.csv");
  TrajectoryCsv csv;
  const bool is_open = csv.open(path, {{"t", "s"}, {"x", "m"}});
  const double row[] = {1.0 / 3.0, 2.0 / 3.0};
  for (int i = 0; i < 10'000 && csv.write(row); ++i) {
  }
  const bool is_closed = csv.close();
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, signal_before);

  EXPECT_TRUE(is_open);
  EXPECT_FALSE(is_closed);
  EXPECT_EQ(csv.problem(), "cannot write '" + path + "': File too large");
  const std::vector<std::string> lines = read_lines(path);
  ASSERT_GT(lines.size(), 1000U);
  EXPECT_EQ(lines.back(), lines[2]);
  std::ifstream file(path);
  file.seekg(-1, std::ios::end);
  EXPECT_EQ(file.get(), '\n');
}

TEST(TrajectoryCsv, a_missing_folder_is_a_problem_with_file_and_reason) {
  TrajectoryCsv csv;
  EXPECT_FALSE(csv.open("/no/such/folder/a.csv", {{"t", "s"}}));
  EXPECT_EQ(csv.problem(), "cannot write '/no/such/folder/a.csv': No such file or directory");
  const double t = 0.0;
  EXPECT_FALSE(csv.write({&t, 1}));
  EXPECT_FALSE(csv.close());
}

}  // namespace
}  // namespace visviva
