#include "visviva/text/build/load_model.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace visviva {
namespace {

constexpr const char* pendulum = R"(
model      pendulum
parameter  L = 1 m
coordinate theta = 30 deg
frame      B = rotate(N, z, theta)
particle   P at No - L*B.y, mass 1 kg
case       long: L = 2 m
)";

class LoadModel : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("visviva_load_model_" + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& text) const {
    const std::string path = (folder_ / "model.viva").string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static std::vector<Diagnostic> errors_of(const std::string& path,
                                           const ReadOptions& options = {}) {
    try {
      load_model(path, options);
    } catch (const ModelError& error) {
      return error.diagnostics();
    }
    ADD_FAILURE() << path << " was loaded";
    return {};
  }

  std::filesystem::path folder_;
};

TEST_F(LoadModel, gives_the_model_of_a_file) {
  const Model model = load_model(write(pendulum));
  EXPECT_EQ(model.name(), "pendulum");
  EXPECT_EQ(model.data().coordinates.size(), 1u);
  EXPECT_TRUE(model.find_point("P"));
}

TEST_F(LoadModel, applies_a_case_and_settings) {
  const Model model =
      load_model(write(pendulum), {.case_name = "long", .settings = {{"theta", "10 deg"}}});
  EXPECT_EQ(model.data().case_name, "long");
}

TEST_F(LoadModel, throws_every_error_with_its_place) {
  const std::string path = write("parameter a = 1 kgg\ncoordinate q\nforce F on X = b*N.x\n");
  const std::vector<Diagnostic> errors = errors_of(path);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].code, "E-unit-unknown");
  EXPECT_EQ(errors[0].span.file, path);
  EXPECT_EQ(errors[0].span.line, 1);
  EXPECT_EQ(errors[1].code, "E-name-unknown");
  EXPECT_EQ(errors[1].span.line, 3);
  EXPECT_EQ(errors[1].span.column, 12);
}

TEST_F(LoadModel, refuses_a_case_that_the_model_does_not_have) {
  const std::vector<Diagnostic> errors = errors_of(write(pendulum), {.case_name = "short"});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].code, "E-case-unknown");
}

TEST_F(LoadModel, refuses_what_is_no_file) {
  const std::vector<Diagnostic> missing = errors_of((folder_ / "none.viva").string());
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].code, "E-file-missing");
  EXPECT_EQ(missing[0].help, "check the path");
  const std::string path = write(pendulum);
  const std::vector<Diagnostic> cut = errors_of(path.substr(0, path.size() - 5));
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_EQ(cut[0].help, "did you mean '" + path + "'?");
  const std::vector<Diagnostic> folder = errors_of(folder_.string());
  ASSERT_EQ(folder.size(), 1u);
  EXPECT_EQ(folder[0].code, "E-file-unreadable");
}

TEST_F(LoadModel, is_not_stopped_by_a_warning) {
  const std::string path = write(std::string(pendulum) + "let unused = 2*L\n");
  EXPECT_EQ(load_model(path).name(), "pendulum");
  const ModelReading reading = try_load_model(path);
  EXPECT_TRUE(reading.model);
  ASSERT_EQ(reading.diagnostics.size(), 1u);
  EXPECT_EQ(reading.diagnostics[0].code, "W-unused-name");
  EXPECT_EQ(reading.diagnostics[0].severity, Severity::warning);
}

TEST_F(LoadModel, tells_the_same_without_throwing) {
  const std::string path = write("coordinate q = 1 kgg\n");
  const ModelReading reading = try_load_model(path);
  EXPECT_FALSE(reading.model);
  EXPECT_EQ(reading.source.text, "coordinate q = 1 kgg\n");
  const std::vector<Diagnostic> errors = errors_of(path);
  ASSERT_EQ(reading.diagnostics.size(), errors.size());
  EXPECT_EQ(reading.diagnostics[0].message, errors[0].message);
}

}  // namespace
}  // namespace visviva
