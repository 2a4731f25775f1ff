#include "oloid/io/mesh/obj_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "oloid/io/files/text_file.h"
#include "support/damaged.h"
#include "support/rooms.h"

namespace oloid::test::obj_reader_test {

// Every statement once.
constexpr const char* kGood = R"(# a pyramid
mtllib stone.mtl
o pyramid
v 0 0 0
v 1 0 0 1
v 1 1 0 0.5 0.5 0.5
v 0 1e0 0 1 0.5 0.5 0.5
vt 0 0
vn 0 0 1
g sides
s off
usemtl stone
f 4 3 2 1
f 1/1 2/1 \
  5/1   # the tip is still to come
f 2/1/1 3/1/1 5/1/1
f 3//1 4//1 5//1
l 1 2
p 1
v 0.5 0.5 1
f -2 -5 -1
t interpolateboundary 1/0/0 1
t facevaryinginterpolateboundary 1/0/0 1
t crease 2/1/0 0 1 2.5
t crease 4/1/0 1 2 3 0 12
t crease 3/2/0 1 4 2 1 0.5
)";

TEST(ObjReader, ReadsVerticesFacesAndCreases) {
  const auto cage = parse_obj(kGood, "pyramid.obj");
  ASSERT_TRUE(cage) << to_string(cage.error());
  ASSERT_EQ(cage->vertices.size(), 5U);
  EXPECT_EQ(cage->vertices[3], Vec3<double>(0, 1, 0));
  EXPECT_EQ(cage->vertices[4], Vec3<double>(0.5, 0.5, 1));
  const std::vector<std::vector<int>> faces = {
      {3, 2, 1, 0}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  EXPECT_EQ(cage->faces, faces);
  ASSERT_EQ(cage->creases.size(), 6U);
  const int ends[6][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 4}, {4, 2}};
  const double sharpness[6] = {2.5, 12, 12, 12, 1, 0.5};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(cage->creases[i].a, ends[i][0]);
    EXPECT_EQ(cage->creases[i].b, ends[i][1]);
    EXPECT_EQ(cage->creases[i].sharpness, sharpness[i]);
  }
}

// Objects and groups, also where a part is taken up again; each face knows its line.
TEST(ObjReader, DividesFacesIntoParts) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const auto plain = parse_obj(three + "f 1 2 3\nf 3 2 1\n", "a.obj");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->part_of_face, (std::vector<int>{0, 0}));
  EXPECT_EQ(plain->line_of_face, (std::vector<int>{4, 5}));
  EXPECT_EQ(plain->parts, std::vector<std::string>{""});
  const auto parts = parse_obj(three +
                                   "o box\ng top\nf 1 2 3\ng side  wall\nf 1 2 3\ng top\nf 1 2 3\n"
                                   "o lid\nf 1 2 3\ng\nf 1 2 3\n"
                                   "o a_very_long_name_of_one_part\nf 1 2 3\n"
                                   "o a_very_long_name_of_another\nf 1 2 3\n",
                               "a.obj");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->part_of_face, (std::vector<int>{0, 1, 0, 2, 3, 4, 5}));
  EXPECT_EQ(parts->parts,
            (std::vector<std::string>{"box, top", "box, side wall", "lid, top", "lid",
                                      "a_very_long_name_of_...", "a_very_long_name_of_..."}));
}

TEST(ObjReader, ReadsLineEndsOfAllSystems) {
  const auto cage = parse_obj("v 0 0 0\r\nv 1 0 0\r\nv\t0 1 0\r\n\r\n  f 1 2 3", "a.obj");
  ASSERT_TRUE(cage) << to_string(cage.error());
  EXPECT_EQ(cage->faces.size(), 1U);
}

std::string refusal(const std::string& text, const ObjLimits& limits = {}) {
  const auto cage = parse_obj(text, "a.obj", limits);
  EXPECT_FALSE(cage);
  if (cage) return "";
  const auto& [place, message, remedy] = cage.error();
  std::string where = place.file;
  if (place.line > 0)
    where += ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  return where + " " + message + " (" + remedy + ")";
}

TEST(ObjReader, NamesLineAndRemedy) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(refusal(""), "a.obj the file has no faces (add lines like f 1 2 3)");
  EXPECT_EQ(refusal("v 1 2\n"), "a.obj:1:1 this vertex has 2 numbers (a vertex has x, y and z)");
  EXPECT_EQ(refusal("v 1 2 x3\n"),
            "a.obj:1:7 \"x3\" is not a finite number (write it like 1.5 or -2e-3)");
  for (const char* bad : {"inf", "nan", "1e999", "0x10", "1,5", "1.5.", "--1", "e"})
    EXPECT_NE(refusal(std::string("v 1 2 ") + bad).find("is not a finite number"),
              std::string::npos);
  EXPECT_EQ(refusal(three + "f 1 2\n"),
            "a.obj:4:1 this face has 2 vertices (a face has at least 3)");
  EXPECT_EQ(refusal(three + "f 1 2 4\n"),
            "a.obj:4:1 vertex 4 does not exist (vertices are 1 to 3)");
  EXPECT_EQ(refusal(three + "f 1 2 -4\n"),
            "a.obj:4:7 vertex -4 does not exist (3 are defined so far; -1 is the last of them)");
  for (const char* bad :
       {"0", "3/", "3//", "/1", "3/1/", "3/1/1/1", "3/0", "3/x", "3.5", "x", "99999999999"}) {
    EXPECT_EQ(refusal(three + "f 1 2 " + bad + "\n"),
              std::string("a.obj:4:7 \"") + bad +
                  "\" is not a valid face vertex (write 3, 3/1, 3//2 or 3/1/2; vertices are "
                  "counted from 1)");
  }
  EXPECT_EQ(
      refusal("surf 1\n"),
      "a.obj:1:1 unknown statement \"surf\" (control cages consist of v, f and t crease lines)");
  EXPECT_EQ(refusal("t crease\n"),
            "a.obj:1:1 the tag has no name or no counts (write t crease 2/1/0, followed by two "
            "vertices and the sharpness)");
  EXPECT_EQ(refusal("t crease 2/1 0 1 2\n"),
            "a.obj:1:10 \"2/1\" is not a valid list of counts (write integers/floats/strings, like "
            "2/1/0)");
  EXPECT_EQ(refusal("t crease 2/1/0 0 1\n"),
            "a.obj:1:10 the tag has 2 values, but 2/1/0 are declared (make the counts "
            "integers/floats/strings match the values)");
  EXPECT_EQ(refusal("t crease 1/1/0 0 1\n"),
            "a.obj:1:10 the crease has 1 vertices and 1 sharpness values (specify at least two "
            "vertices, and one sharpness or one per edge)");
  EXPECT_EQ(refusal("t crease 2/1/0 -1 1 2\n"),
            "a.obj:1:16 \"-1\" is not a valid crease vertex (crease vertices are counted from 0)");
  EXPECT_EQ(refusal("t crease 2/1/0 0 1 -2\n"),
            "a.obj:1:20 the sharpness -2 is less than 0 (0 is smooth, 10 or more is sharp)");
  EXPECT_EQ(refusal("t crease 2/1/0 0 1 x\n"),
            "a.obj:1:20 \"x\" is not a finite number (write it like 1.5 or -2e-3)");
  EXPECT_EQ(refusal(three + "f 1 2 3\nt crease 2/1/0 0 3 1\n"),
            "a.obj:5:18 vertex 3 does not exist (vertices are 0 to 2)");
  EXPECT_EQ(refusal("t corner 1/1/0 0 1\n"),
            "a.obj:1:3 unknown tag \"corner\" (only creases are supported; for a corner, make "
            "three edges at a vertex sharp)");
  EXPECT_EQ(refusal("t interpolateboundary 1/0/0 2\n"),
            "a.obj:1:3 this kind of boundary smoothing is not supported (use interpolateboundary "
            "1, which keeps edges and corners)");
  EXPECT_EQ(refusal("f 1 2 3\n"), "a.obj:1:1 vertex 1 does not exist (the file has no vertices)");
  EXPECT_EQ(refusal("\x1b[2J\n"),
            "a.obj:1:1 unknown statement (control cages consist of v, f and t crease lines)");
}

TEST(ObjReader, RefusesMoreThanItIsToldToTake) {
  const std::string text = kGood;
  EXPECT_EQ(
      refusal(text, {100, 10, 10, 10}),
      "a.obj the file has more than 100 bytes (control cages are small; is this a scanned mesh?)");
  EXPECT_EQ(refusal(text, {10000, 3, 10, 10}),
            "a.obj:7:1 there are more than 3 vertices (control cages are small; is this a scanned "
            "mesh?)");
  EXPECT_EQ(
      refusal(text, {10000, 10, 2, 10}),
      "a.obj:16:1 there are more than 2 faces (control cages are small; is this a scanned mesh?)");
  EXPECT_EQ(refusal(text, {10000, 10, 10, 3}),
            "a.obj:13:1 this face has 4 vertices (a face has at most 3)");
}

TEST(ObjReader, ReadsTheShapesOfTheScenes) {
  struct Shape {
    const char* name;
    std::size_t vertices, faces;
  };
  for (const auto& [name, vertices, faces] :
       {Shape{"cube", 8, 6}, Shape{"octahedron", 6, 8}, Shape{"icosahedron", 12, 20},
        Shape{"bowl", 9, 14}, Shape{"table", 32, 60}, Shape{"can", 8, 6}}) {
    const std::string path = std::string(OLOID_SCENES) + "/shapes/" + name + ".obj";
    const auto cage = parse_obj(read_text_file(path, ObjLimits{}.bytes).value(), path);
    ASSERT_TRUE(cage) << to_string(cage.error());
    EXPECT_EQ(cage->vertices.size(), vertices) << name;
    EXPECT_EQ(cage->faces.size(), faces) << name;
  }
}

TEST(ObjReader, NeverCrashesOnDamagedFiles) {
  const std::string good = kGood;
  std::mt19937 random(20240301);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::string text = test::damaged(good, random);
    const auto cage = parse_obj(text, "damaged.obj");
    if (cage) {
      for (const auto& face : cage->faces)
        for (int v : face) ASSERT_TRUE(v >= 0 && v < static_cast<int>(cage->vertices.size()));
      continue;
    }
    ++refused;
    ASSERT_FALSE(cage.error().message.empty());
    ASSERT_FALSE(cage.error().remedy.empty());
  }
  EXPECT_GT(refused, 5000);
}

}  // namespace oloid::test::obj_reader_test
