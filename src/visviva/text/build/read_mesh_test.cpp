#include "visviva/text/build/read_mesh.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "visviva/text/build/find_mesh.h"
#include "visviva/text/build/load_model.h"

namespace visviva {
namespace {

using Triangle = std::array<std::array<float, 3>, 3>;

std::string write_binary_stl(const std::vector<Triangle>& triangles) {
  std::string bytes(80, ' ');
  const auto put = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(static_cast<std::uint32_t>(triangles.size()));
  for (const Triangle& t : triangles) {
    put(std::array<float, 3>{});
    put(t);
    bytes.append(2, 0);
  }
  return bytes;
}

const std::vector<Triangle> two = {{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
                                   {{{1, 0, 0}, {1, 1, 0}, {0, 1, 0}}}};

void expect_two(const Result<Mesh, std::string>& mesh) {
  ASSERT_TRUE(mesh) << mesh.why();
  EXPECT_EQ(mesh->corners.size(), 4u);  // corners at one place are one
  ASSERT_EQ(mesh->triangles.size(), 2u);
  for (std::size_t t = 0; t < 2; ++t)
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(mesh->corners[mesh->triangles[t][i]], two[t][i]);
}

TEST(read_mesh, reads_the_same_surface_from_every_format) {
  expect_two(read_mesh(write_binary_stl(two), "a.STL"));
  expect_two(
      read_mesh("solid a b\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1e0 0 0\nvertex 0 "
                "+1 0\nendloop\nendfacet\n"
                "facet normal 0 0 1 outer loop vertex 1 0 0 vertex 1 1 0 vertex 0 1 0 endloop "
                "endfacet endsolid a\n",
                "a.stl"));
  expect_two(
      read_mesh("# OBJ\no a\nv 0 0 0 1\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1/1/1 2/2/1 3//1\nv 1 1 0\nf "
                "-3 -1 -2\r\n",
                "a.obj"));
}

// A square, as a fan.
TEST(read_mesh, takes_faces_of_more_corners_apart) {
  const auto mesh = read_mesh("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", "a.obj");
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->triangles.size(), 2u);
}

TEST(read_mesh, says_why_there_is_none) {
  EXPECT_EQ(read_mesh("", "a.stl").why(), "is no STL file");
  EXPECT_EQ(read_mesh("solid a endsolid", "a.stl").why(), "has no triangles");
  EXPECT_EQ(read_mesh("solid a vertex 1 2 nan", "a.stl").why(), "has a corner that is no number");
  EXPECT_EQ(read_mesh("v 1 2 x\n", "a.obj").why(), "has a corner that is no number");
  EXPECT_EQ(read_mesh("v 0 0 0\nf 1 2 3\n", "a.obj").why(),
            "has a face with a corner that is not there");
  EXPECT_EQ(read_mesh("", "a.dae").why(), "is neither an STL nor an OBJ file");
  std::string cut = write_binary_stl(two);
  cut.pop_back();
  EXPECT_FALSE(read_mesh(cut, "a.stl"));
}

class MeshFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "robot/meshes");
    write(folder_ / "robot/meshes/a.stl", write_binary_stl(two));
    write(folder_ / "outside.stl", write_binary_stl(two));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  static void write(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ModelReading load(const std::string& picture) {
    write(folder_ / "robot/m.viva",
          "model m\ncoordinate q\nframe A = rotate(N, z, q)\nbody A at No, mass 1 kg, sphere "
          "radius 1 m\n" +
              picture + "\n");
    return try_load_model((folder_ / "robot/m.viva").string());
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("visviva_mesh_" + std::to_string(::getpid()));
};

TEST_F(MeshFolder, finds_meshes_below_the_folder_and_nowhere_else) {
  const auto find = make_robot_files(folder_ / "robot", folder_).find_mesh;
  EXPECT_EQ(find("meshes/a.stl"), "robot/meshes/a.stl");
  EXPECT_EQ(find("package://arm/meshes/a.stl"), "robot/meshes/a.stl");
  EXPECT_EQ(find("http://arm/meshes/a.stl"), "");
  EXPECT_EQ(find("../outside.stl"), "");
  EXPECT_EQ(find((folder_ / "outside.stl").string()), "");
  EXPECT_EQ(find("meshes/b.stl"), "");
  EXPECT_EQ(find("meshes"), "");
  std::filesystem::create_symlink(folder_ / "outside.stl", folder_ / "robot/meshes/link.stl");
  EXPECT_EQ(find("meshes/link.stl"), "");
}

TEST_F(MeshFolder, is_drawn_by_a_picture_that_scales_and_mirrors_it) {
  const ModelReading reading = load(
      "picture P of A at No + 1 m*A.x, mesh \"meshes/a.stl\", scale 2, 1, -1, turned 0, 0, 90 deg");
  ASSERT_TRUE(reading.model);
  ASSERT_EQ(reading.model->data().pictures.size(), 1u);
  const PictureData& picture = reading.model->data().pictures[0];
  ASSERT_NE(picture.mesh, nullptr);
  EXPECT_EQ(picture.mesh->corners[1][0], 2);
  EXPECT_EQ(picture.mesh->triangles[0],
            (std::array<std::uint32_t, 3>{0, 2, 1}));  // seen from the other side
}

TEST_F(MeshFolder, leaves_a_model_without_a_picture_that_is_missing) {
  const ModelReading reading = load("picture P of A at No, mesh \"meshes/b.stl\"");
  ASSERT_TRUE(reading.model);
  ASSERT_EQ(reading.diagnostics.size(), 1u);
  EXPECT_EQ(reading.diagnostics[0].code, "W-picture-file");
}

TEST_F(MeshFolder, tells_mistakes_in_pictures) {
  const auto code = [&](const std::string& picture) {
    const ModelReading reading = load(picture);
    return reading.diagnostics.empty() ? std::string() : reading.diagnostics[0].code;
  };
  EXPECT_EQ(code("picture P of A at No, mesh \"../outside.stl\""), "E-picture-file");
  EXPECT_EQ(code("picture P of A at No"), "E-clause-missing");
  EXPECT_EQ(code("picture P of A at No, sphere radius 1 m, mesh \"meshes/a.stl\""),
            "E-clause-conflict");
  EXPECT_EQ(code("picture P of A at No, sphere radius 1 m, scale 2"), "E-clause-conflict");
  EXPECT_EQ(code("picture P of A at No, mesh \"meshes/a.stl\", scale 1, 2"), "E-syntax-expected");
  EXPECT_EQ(code("picture P of A at No, sphere radius 1 m, turned 90 deg"), "E-syntax-expected");
  EXPECT_EQ(code("picture P of A at No, sphere radius 1 kg"), "E-dimension-solid");
  EXPECT_EQ(code("picture P of A at No + q*1 m*A.x, sphere radius 1 m"), "E-point-expected");
  EXPECT_EQ(code("picture P of A at No, mesh meshes"), "E-syntax-expected");
  EXPECT_EQ(
      code("picture P of A at No, sphere radius 1 m\npicture P of A at No, sphere radius 1 m"),
      "E-name-twice");
}

}  // namespace
}  // namespace visviva
