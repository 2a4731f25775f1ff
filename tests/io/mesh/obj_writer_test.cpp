#include "oloid/io/mesh/obj_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "support/rooms.h"

namespace oloid::test::obj_writer_test {

std::string text_of(const std::vector<ObjObject>& objects) {
  std::string text;
  write_obj(objects, [&](std::string_view piece) {
    if (piece.empty() || piece.back() != '\n') ADD_FAILURE() << "a piece ends within a line";
    text += piece;
  });
  return text;
}

// Lines come after the triangles of their object and do not disturb the numbers of normals.
TEST(ObjWriter, WritesLines) {
  DisplayMesh triangle{
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, {{0, 1, 2}}};
  const std::string text = text_of({{"a", triangle, {{{0, 0, 0}, {1, 0, 0}}}},
                                    {"b", triangle, {}},
                                    {"c", {}, {{{0, 0, 0}, {2, 0, 0}, {3, 0, 0}}}}});
  EXPECT_NE(text.find("f 1//1 2//2 3//3\nv 0 0 0\nv 1 0 0\nl 4 5\no b\n"), text.npos) << text;
  EXPECT_NE(text.find("f 6//4 7//5 8//6\no c\nv 0 0 0\nv 2 0 0\nv 3 0 0\nl 9 10 11\n"), text.npos)
      << text;
}

// What any reader makes of it: indices from 1, through all objects, back to those of each object.
std::vector<ObjObject> parsed(const std::string& text) {
  std::vector<ObjObject> objects;
  std::istringstream lines(text);
  int vertices = 0, vertices_before = 0, normals = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "#") continue;
    if (kind == "o") {
      objects.emplace_back();
      words >> objects.back().name;
      vertices_before = vertices;
    } else if (kind == "v" || kind == "vn") {
      Vec3<double> p;
      for (double& x : p) {
        std::string number;
        words >> number;
        x = std::stod(number);
      }
      DisplayMesh& mesh = objects.back().mesh;
      (kind == "v" ? mesh.vertices : mesh.normals).push_back(p);
      ++(kind == "v" ? vertices : normals);
    } else if (kind == "f") {
      std::array<std::int32_t, 3> triangle{};
      for (std::int32_t& corner : triangle) {
        std::string pair;
        words >> pair;
        const int v = std::stoi(pair), n = std::stoi(pair.substr(pair.find("//") + 2));
        EXPECT_EQ(v, n);
        EXPECT_LE(v, vertices);
        EXPECT_LE(n, normals);
        corner = v - 1 - vertices_before;
      }
      objects.back().mesh.triangles.push_back(triangle);
    } else {
      ADD_FAILURE() << "unknown line: " << line;
    }
    std::string rest;
    EXPECT_FALSE(words >> rest) << line;
  }
  return objects;
}

DisplayMesh tetrahedron(double size) {
  DisplayMesh mesh;
  for (const Vec3<double>& d : {Vec3<double>(1, 1, 1), Vec3<double>(1, -1, -1),
                                Vec3<double>(-1, 1, -1), Vec3<double>(-1, -1, 1)}) {
    mesh.normals.push_back(d.normalized());
    mesh.vertices.push_back(size * d.normalized());
  }
  mesh.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  return mesh;
}

TEST(ObjWriter, ReadsBackAsItWas) {
  const std::vector<ObjObject> objects{{"ball", tetrahedron(1.0 / 3)},
                                       {"speck", tetrahedron(1e-7 / 3)},
                                       {"world", tetrahedron(1e12 / 3)}};
  const auto back = parsed(text_of(objects));
  ASSERT_EQ(back.size(), objects.size());
  for (std::size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].name, objects[i].name);
    EXPECT_EQ(back[i].mesh.vertices, objects[i].mesh.vertices);  // to the last bit
    EXPECT_EQ(back[i].mesh.triangles, objects[i].mesh.triangles);
    ASSERT_EQ(back[i].mesh.normals.size(), objects[i].mesh.normals.size());
    for (std::size_t k = 0; k < back[i].mesh.normals.size(); ++k)
      EXPECT_LE((back[i].mesh.normals[k] - objects[i].mesh.normals[k]).norm(), 2e-9);
  }
}

TEST(ObjWriter, WritesPlainLines) {
  DisplayMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 0.5, 0}}, {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, {}};
  mesh.triangles = {{0, 1, 2}};
  const std::string text = text_of({{"a", mesh}, {"b", mesh}});
  EXPECT_NE(text.find("\no a\nv 0 0 0\nv 1 0 0\nv 0 0.5 0\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\n"
                      "f 1//1 2//2 3//3\no b\nv 0 0 0\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nf 4//4 5//5 6//6\n"), std::string::npos) << text;
  EXPECT_EQ(text.front(), '#');
}

TEST(ObjWriter, ReplacesWhatWouldBeMisread) {
  const std::vector<ObjObject> objects{{"my ball", {}},    {"my_ball", {}}, {"my\tball", {}},
                                       {"a\nv 1 2 3", {}}, {"#1\\", {}},    {"", {}},
                                       {"Größe", {}}};
  const auto back = parsed(text_of(objects));
  ASSERT_EQ(back.size(), objects.size());
  const char* expected[] = {"my_ball", "my_ball_2", "my_ball_3", "a_v_1_2_3", "_1_", "_", "Größe"};
  for (std::size_t i = 0; i < back.size(); ++i) EXPECT_EQ(back[i].name, expected[i]);
}

TEST(ObjWriter, HandsOutLargeMeshesInPieces) {
  ObjObject object{"many", {}};
  for (int i = 0; i < 30'000; ++i) {
    object.mesh.vertices.push_back({std::sin(i), std::cos(i), 0.1 * i});
    object.mesh.normals.push_back({0, 0, 1});
  }
  for (int i = 0; i + 2 < 30'000; ++i) object.mesh.triangles.push_back({i, i + 1, i + 2});
  std::string text;
  std::size_t largest = 0;
  write_obj({&object, 1}, [&](std::string_view piece) {
    largest = std::max(largest, piece.size());
    text += piece;
  });
  EXPECT_LE(largest, 70'000u);
  EXPECT_EQ(parsed(text)[0].mesh.vertices, object.mesh.vertices);
  EXPECT_EQ(parsed(text)[0].mesh.triangles, object.mesh.triangles);
}

}  // namespace oloid::test::obj_writer_test
