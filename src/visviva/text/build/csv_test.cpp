#include "visviva/text/build/csv.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>

#include "visviva/base/refusal_test.h"

namespace visviva {
namespace {

using Numbers = std::vector<double>;

CsvColumn parse(std::string_view text, const CsvOptions& options = {}) {
  return parse_csv_column(text, "force.csv", options);
}

/// "code line:column length: message (help)", a line for each problem.
std::string problems(const CsvColumn& column) {
  std::string text;
  for (const Diagnostic& d : column.problems) {
    text += d.code + " " + std::to_string(d.span.line) + ":" + std::to_string(d.span.column) + " " +
            std::to_string(d.span.length) + ": " + d.message + " (" + d.help + ")\n";
  }
  return text;
}

std::string problems_of(std::string_view text, const CsvOptions& options = {}) {
  return problems(parse(text, options));
}

/// The text gives F(0) = 1.5, F(1) = -2e3.
void expect_two_samples(std::string_view text, const CsvOptions& options = {}) {
  const CsvColumn column = parse(text, options);
  EXPECT_EQ(problems(column), "") << text;
  EXPECT_EQ(column.times, (Numbers{0.0, 1.0})) << text;
  EXPECT_EQ(column.values, (Numbers{1.5, -2000.0})) << text;
}

/// A file that goes away with the test.
class File {
 public:
  explicit File(const std::string& content) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = testing::TempDir() + "visviva_csv_" + test->name() + ".csv";
    std::ofstream(path_, std::ios::binary) << content;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// ---- What is understood

TEST(CsvTest, the_second_column_over_the_first_is_read) {
  expect_two_samples("0,1.5\n1,-2e3\n");
  expect_two_samples("0,1.5,7\n1,-2e3,8");
}

TEST(CsvTest, separators_are_found) {
  expect_two_samples("0;1.5\n1;-2e3\n");
  expect_two_samples("0\t1.5\n1\t-2e3\n");
  expect_two_samples("0 1.5\n1 -2e3\n");
  expect_two_samples("  0   1.5  \n\t1 \t -2e3\n");
  expect_two_samples("0 , 1.5\n 1  ,  -2e3  \n");
  expect_two_samples("0,\t1.5\n1,\t-2e3\n");
  expect_two_samples("t, s;F, N\n0;1.5\n1;-2e3\n");
  expect_two_samples("0,1.5,ok; all good\n1,-2e3,ok; all good\n");
}

TEST(CsvTest, comments_blank_lines_line_ends_and_byte_order_marks_do_not_matter) {
  expect_two_samples("# a comment, with a comma\n\n0,1.5\n  # another\n   \n1,-2e3\n\n");
  expect_two_samples("0,1.5\r\n1,-2e3\r\n");
  expect_two_samples("0,1.5\r1,-2e3\r");
  expect_two_samples(
      "\xEF\xBB\xBF"
      "0,1.5\n1,-2e3\n");
  expect_two_samples(
      "\xEF\xBB\xBF"
      "t,F\r\n\r\n0,1.5\r\n1,-2e3");
}

TEST(CsvTest, a_header_is_found_by_its_time_column) {
  expect_two_samples("t,F\n0,1.5\n1,-2e3\n");
  expect_two_samples("t,2\n0,1.5\n1,-2e3\n");
  expect_two_samples(",F\n0,1.5\n1,-2e3\n");
  expect_two_samples("time force\n0 1.5\n1 -2e3\n");
  expect_two_samples("0,1.5,text\n1,-2e3,text\n");
}

TEST(CsvTest, our_own_trajectory_files_can_be_read) {
  expect_two_samples("# s,rad,N\nt,theta,F\n0,9,1.5\n1,9,-2e3\n", {.column = "F"});
}

TEST(CsvTest, columns_are_chosen_by_number_or_name) {
  const std::string text = "F;note;t\n1.5;a;0\n-2e3;b;1\n";
  expect_two_samples(text, {.column = 1, .time_column = 3});
  expect_two_samples(text, {.column = "F", .time_column = 3});
  EXPECT_EQ(parse(text, {.column = 1, .time_column = 3}).name, "F");
  EXPECT_EQ(parse("0,1\n1,2\n").name, "");
}

TEST(CsvTest, header_names_and_cells_may_be_quoted) {
  const std::string text = "\"t\" , \"force, \"\"net\"\" [N]\"\n\"0\",\"1.5\"\n1,\" -2e3\"\n";
  const CsvColumn column = parse(text, {.column = "force, \"net\" [N]"});
  EXPECT_EQ(column.name, "force, \"net\"");
  EXPECT_EQ(column.unit, "N");
  EXPECT_TRUE(says(problems(column), "E-table-number 3:4", "\" -2e3\" is not a number"));
  expect_two_samples("\"t\",\"F, N\"\n\"0\",\"1.5\"\n\"1\",\"-2e3\"\n", {.column = "F, N"});
  expect_two_samples("\"time s\" \"force N\"\n0 1.5\n1 -2e3\n", {.column = "force N"});
}

TEST(CsvTest, numbers_are_read_to_the_last_bit_in_every_usual_form) {
  const CsvColumn column =
      parse("-.5,+1\n0.,1E2\n1e-1,0.1\n2,-0\n3,5e-324\n4,1.7976931348623157e308\n");
  EXPECT_EQ(problems(column), "");
  EXPECT_EQ(column.times, (Numbers{-0.5, 0.0, 0.1, 2.0, 3.0, 4.0}));
  EXPECT_EQ(column.values, (Numbers{1.0, 100.0, 0.1, 0.0, 5e-324, 1.7976931348623157e308}));
}

TEST(CsvTest, a_separator_may_end_each_line) {
  expect_two_samples("t,F,\n0,1.5,\n1,-2e3,\n", {.column = "F"});
  expect_two_samples("t,F\n0,1.5,\n1,-2e3,\n", {.column = "F"});
}

// ---- What is refused

TEST(CsvTest, a_missing_column_is_answered_with_those_that_exist) {
  EXPECT_EQ(problems_of("t,F\n0,1\n1,2\n", {.column = 3}),
            "E-table-column 1:1 3: \"force.csv\" has no column 3; it has 2 columns: 1 \"t\", 2 "
            "\"F\" ()\n");
  EXPECT_TRUE(says(problems_of("0\n1\n"), "no column 2", "it has 1 column "));
  EXPECT_TRUE(
      says(problems_of("0,1\n1,2\n", {.time_column = 4}), "no column 4", "it has 2 columns"));
  EXPECT_TRUE(says(problems_of("t,F\n0,1\n1,2\n", {.column = "G"}), "no column \"G\"", "2 \"F\""));
  EXPECT_TRUE(says(problems_of("0,1\n1,2\n", {.column = "G"}), "E-table-column", "no header"));
}

TEST(CsvTest, columns_that_cannot_be_meant_are_refused) {
  EXPECT_TRUE(says(problems_of("0,1\n1,2\n", {.column = 0}), "E-table-column", "count from 1"));
  EXPECT_TRUE(says(problems_of("0,1\n1,2\n", {.time_column = -1}), "E-table-column", "column -1"));
  EXPECT_TRUE(says(problems_of("0,1\n1,2\n", {.column = 1}), "column 1", "is the time"));
  EXPECT_TRUE(
      says(problems_of("t,F,F\n0,1,2\n1,2,3\n", {.column = "F"}), "2 columns", "called \"F\""));
  EXPECT_TRUE(says(problems_of("time [s] F [N]\n0 1\n1 2\n", {.column = "[s]"}), "names 4 columns",
                   "line 2 has 2"));
}

TEST(CsvTest, a_cell_that_is_no_number_is_shown_with_its_place) {
  EXPECT_EQ(
      problems_of("t,F\n0,1\n1,  abc \n2,3\n"),
      "E-table-number 3:5 3: \"abc\" is not a number (a line that is not data begins with #)\n");
  EXPECT_TRUE(says(problems_of("t,F\ns,N\n0,1\n1,2\n"), "2:1 1: \"s\"", "2:3 1: \"N\""));
  for (const char* cell : {"1.5.2", "1e", "0x10", "1 2", "--1", "+-1", "1_000", "\"1", "e5", "."}) {
    EXPECT_TRUE(says(problems_of(std::string("0,1\n1,") + cell + "\n"), "E-table-number 2:"))
        << cell;
  }
  EXPECT_TRUE(says(problems_of("0,1\n1,\n"), "E-table-number 2:3 0", "empty"));
}

TEST(CsvTest, a_misspelt_first_time_is_a_problem_not_a_header) {
  EXPECT_TRUE(says(problems_of("0..5,1\n1,2\n2,3\n"), "E-table-number 1:1", "\"0..5\""));
  EXPECT_TRUE(says(problems_of("nan,1\n1,2\n2,3\n"), "E-table-number 1:1", "finite"));
}

TEST(CsvTest, decimal_commas_are_recognised_and_refused) {
  EXPECT_TRUE(says(problems_of("t;F\n0,5;1,5\n0,6;1,7\n"), "2:1 3: \"0,5\"", "decimal point"));
  EXPECT_TRUE(says(problems_of("0,5\t1,5\n0,6\t1,7\n"), "1:1 3: \"0,5\"", "decimal point"));
}

TEST(CsvTest, numbers_that_are_not_finite_or_do_not_fit_are_refused) {
  for (const char* cell : {"nan", "NaN", "inf", "-Infinity"}) {
    EXPECT_TRUE(says(problems_of(std::string("0,1\n1,") + cell), "E-table-number 2:3", "finite"))
        << cell;
  }
  EXPECT_TRUE(says(problems_of("0,1\n1,1e999"), "too large or too small"));
}

TEST(CsvTest, a_row_that_is_too_short_is_named) {
  EXPECT_EQ(problems_of("0,1,2\n1,2\n2,3,4\n", {.column = 3}),
            "E-table-column 2:1 3: this row has only 2 columns; column 3 is needed ()\n");
}

TEST(CsvTest, times_must_increase) {
  EXPECT_EQ(problems_of("0,1\n# c\n0.5,1\n0.25,1\n1,1\n"),
            "E-table-time 4:1 4: time 0.25 follows 0.5 in line 3; times must increase (sort the "
            "rows by time)\n");
  EXPECT_TRUE(
      says(problems_of("0,1\n0,1\n"), "time 0 follows 0 in line 1", "one row for each time"));
}

TEST(CsvTest, fewer_than_two_rows_are_no_table) {
  EXPECT_EQ(
      problems_of("t,F\n0,1\n"),
      "E-table-rows 0:0 0: a table needs at least 2 rows of numbers; \"force.csv\" has 1 ()\n");
  EXPECT_TRUE(says(problems_of("t,F\n"), "E-table-rows", "has 0"));
  EXPECT_TRUE(says(problems_of(""), "E-table-rows", "has 0"));
  EXPECT_TRUE(says(problems_of("# only\n\n# comments"), "E-table-rows", "has 0"));
}

TEST(CsvTest, nothing_is_quoted_from_what_is_no_table) {
  for (const CsvOptions& options :
       {CsvOptions{}, CsvOptions{.column = "secret"}, CsvOptions{.column = 7}}) {
    const std::string passwords =
        "root:$6$secret:19000:0:99999\nbin:*:19000:0:99999\nme:secret:1:0:9\n";
    EXPECT_EQ(problems_of(passwords, options),
              "E-table-file 0:0 0: \"force.csv\" is not a table: its column 1 holds no numbers (a "
              "table is a "
              "CSV file with a column of times and columns of numbers)\n");
    EXPECT_EQ(
        problems_of("a secret\n", options),
        "E-table-rows 0:0 0: a table needs at least 2 rows of numbers; \"force.csv\" has 0 ()\n");
  }
}

TEST(CsvTest, all_problems_are_collected_and_many_are_counted) {
  const CsvColumn column = parse("0,1\nx,y\n2\n1,1\n0,1\n");
  EXPECT_EQ(column.problems.size(), 4u);
  EXPECT_TRUE(column.times.empty());
  EXPECT_TRUE(column.values.empty());
  EXPECT_EQ(column.problems[0].span.file, "force.csv");

  std::string text = "0,1\n";
  for (int i = 1; i <= 100; ++i) text += std::to_string(i) + ",x\n";
  EXPECT_EQ(parse(text).problems.size(), 11u);
  EXPECT_TRUE(says(problems_of(text), "E-table-number 12:", "from here on 90 more problems"));
  EXPECT_EQ(parse(text, {.max_problems = 99}).problems.size(), 100u);
  EXPECT_EQ(parse(text, {.max_problems = std::size_t(-1)}).problems.size(), 100u);
}

TEST(CsvTest, messages_stay_short_and_valid_whatever_a_cell_holds) {
  const std::string message = problems_of("0,1\n1," + std::string(1000, 'x') + "\n");
  EXPECT_TRUE(says(message, "xxx...\""));
  EXPECT_LT(message.size(), 200u);
  EXPECT_TRUE(says(problems_of("0,1\n1,\xFFz\n"), "\"?z\""));
  EXPECT_TRUE(says(problems_of("t,\xC3\xA4\n0,1\n1,2\n", {.column = 3}), "2 \"\xC3\xA4\""));
}

TEST(CsvTest, what_is_not_text_is_refused) {
  using namespace std::string_literals;
  EXPECT_TRUE(says(problems_of("PK\x03\x04\0\0junk"s), "E-table-file", "not text"));
  EXPECT_TRUE(says(problems_of("\xFF\xFE\x30\0,\0"s), "E-table-file", "UTF-16"));
}

TEST(CsvTest, no_text_throws) {
  std::mt19937 random(7);
  const std::string_view alphabet = "0123456789.,;\t \"\r\n#+-eEtFxnaif\xC3\xA4\xFF";
  std::uniform_int_distribution<std::size_t> letter(0, alphabet.size() - 1), length(0, 60);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t n = length(random); n > 0; --n) text += alphabet[letter(random)];
    for (const CsvOptions& options : {CsvOptions{}, CsvOptions{.column = "F", .time_column = 2}}) {
      CsvColumn column;
      ASSERT_NO_THROW(column = parse(text, options)) << text;
      ASSERT_EQ(column.times.size(), column.values.size()) << text;
      ASSERT_EQ(column.ok(), column.times.size() >= 2) << text;
    }
  }
}

// ---- Files

TEST(CsvTest, a_file_is_read) {
  const File file("t,F\n0,1.5\n1,-2e3\n");
  const CsvColumn column = read_csv_column(file.path());
  EXPECT_EQ(problems(column), "");
  EXPECT_EQ(column.values, (Numbers{1.5, -2000.0}));
}

TEST(CsvTest, a_file_that_cannot_be_read_says_why) {
  const auto message = [](const std::string& path) { return problems(read_csv_column(path)); };
  EXPECT_TRUE(says(message("no/such.csv"), "E-table-file 0:0", "there is no file \"no/such.csv\""));
  EXPECT_TRUE(says(message(""), "E-table-file", "there is no file"));
  EXPECT_TRUE(says(message(testing::TempDir()), "E-table-file", "is a directory"));
  EXPECT_TRUE(says(message("/dev/zero"), "E-table-file", "not an ordinary file"));
  EXPECT_TRUE(says(message(std::string(5000, 'x')), "E-table-file", "cannot be opened"));
  EXPECT_EQ(read_csv_column("no/such.csv").problems[0].span.file, "no/such.csv");
}

TEST(CsvTest, a_file_without_permission_says_so) {
  const File file("0,1\n1,2\n");
  std::filesystem::permissions(file.path(), std::filesystem::perms::none);
  if (std::ifstream(file.path())) GTEST_SKIP() << "this user may read everything";
  EXPECT_TRUE(says(problems(read_csv_column(file.path())), "E-table-file", "cannot be opened"));
}

TEST(CsvTest, a_file_over_the_limit_is_refused) {
  const File file("0,1\n1,2\n");
  EXPECT_TRUE(read_csv_column(file.path(), {.max_bytes = 8}).ok());
  EXPECT_TRUE(says(problems(read_csv_column(file.path(), {.max_bytes = 7})), "E-table-file",
                   "8 bytes", "limit is 7 bytes"));
}

TEST(CsvTest, a_line_of_separators_only_is_no_trouble) {
  EXPECT_TRUE(says(problems_of(std::string(10'000'000, ',')), "E-table-file", "is not a table"));
  EXPECT_TRUE(says(problems_of(std::string(10'000'000, '"')), "E-table-rows", "has 0"));
}

TEST(CsvTest, a_million_rows_take_little_time) {
  const double limit_s = 10.0;  // about 0.2 s; sanitizers and busy machines are slower
  std::string text = "t,F,G\n";
  for (int i = 0; i < 1'000'000; ++i) text += std::to_string(i) + ".25,0.123456789,-1e-3\n";
  const File file(text);

  const auto start = std::chrono::steady_clock::now();
  const CsvColumn column = read_csv_column(file.path(), {.column = 3});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(problems(column), "");
  ASSERT_EQ(column.times.size(), 1'000'000u);
  EXPECT_EQ(column.times.back(), 999'999.25);
  EXPECT_EQ(column.values.back(), -1e-3);
  EXPECT_LT(elapsed.count(), limit_s);
}

}  // namespace
}  // namespace visviva
