// A file that is replaced is whole at any moment.
#include "visviva/base/whole_file.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace visviva {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  WholeFile() {
    std::string name = (fs::temp_directory_path() / "visviva-whole-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~WholeFile() override { fs::remove_all(folder_); }

  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(WholeFile, is_made_and_replaced_and_nothing_is_left_beside_it) {
  EXPECT_EQ(replace_file(at("a"), "one"), "");
  EXPECT_EQ(replace_file(at("a"), "two"), "");
  EXPECT_EQ(read("a"), "two");
  EXPECT_EQ(count(), 1u);
}

TEST_F(WholeFile, a_link_goes_on_pointing_where_it_did) {
  fs::create_symlink("b", folder_ / "a");
  EXPECT_EQ(replace_file(at("a"), "one"), "");
  fs::create_symlink("a", folder_ / "c");
  EXPECT_EQ(replace_file(at("c"), "two"), "");
  EXPECT_TRUE(fs::is_symlink(folder_ / "a"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "c"));
  EXPECT_EQ(read("b"), "two");
}

TEST_F(WholeFile, permissions_stay) {
  EXPECT_EQ(replace_file(at("a"), "one"), "");
  fs::permissions(at("a"), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(replace_file(at("a"), "two"), "");
  EXPECT_EQ(fs::status(at("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WholeFile, a_device_is_written_to) {
  EXPECT_EQ(replace_file("/dev/null", "one"), "");
  EXPECT_NE(replace_file("/dev/full", "one"), "");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(WholeFile, where_no_file_can_be_the_reason_is_told) {
  EXPECT_EQ(replace_file(at("nowhere/a"), "one"), "No such file or directory");
  EXPECT_EQ(create_file(at("nowhere/a"), "one"), "No such file or directory");
}

TEST_F(WholeFile, one_that_is_there_is_not_made_again) {
  EXPECT_EQ(create_file(at("a"), "one"), "");
  EXPECT_EQ(create_file(at("a"), "two"), "File exists");
  EXPECT_EQ(read("a"), "one");
  fs::create_symlink("nothing", folder_ / "link");
  EXPECT_EQ(create_file(at("link"), "two"), "File exists");
}

TEST_F(WholeFile, of_two_writers_at_once_one_wins_whole) {
  const std::string first(1 << 20, 'a'), second(1 << 20, 'b');
  ASSERT_EQ(replace_file(at("a"), first), "");
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    while (!is_over) replace_file(at("a"), second);
  });
  for (int i = 0; i < 30; ++i) {
    replace_file(at("a"), first);
    const std::string found = read("a");
    EXPECT_TRUE(found == first || found == second);
  }
  is_over = true;
  other.join();
  EXPECT_EQ(count(), 1u);
}

}  // namespace
}  // namespace visviva
