#include "oloid/io/scene_text/shape_reader.h"

#include <gtest/gtest.h>

#include "io/sample_run.h"
#include "oloid/io/scene_text/scene_reader.h"
#include "support/rooms.h"

namespace oloid::test::shape_reader_test {

// Shapes from files: found beside the scene, read once, their text kept; errors name both places.
TEST(ShapeReader, ReadsTheFilesThatShapesName) {
  const TestFolder folder;
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::filesystem::create_directory(folder / "parts");
  write_file(folder / "parts/a.obj", obj);
  write_file(folder / "parts/bad.obj", obj + "f 1 2 9\n");
  const auto scene = [&](const std::string& first, const std::string& second) {
    std::string text = "oloid = 1\nduration = 1\n";
    for (const std::string& file : {first, second})
      text += "[[body]]\nname = \"" + std::string(text.size() > 30 ? "b" : "a") +
              "\"\nshape = { type = \"polyhedron\", file = \"" + file +
              "\", hull = true, tolerance = 1e-6 }\n";
    write_file(folder / "scene.toml", text);
    return read_scene(folder / "scene.toml");
  };
  const auto good = scene("parts/a.obj", "parts/a.obj");
  ASSERT_TRUE(good) << to_string(good.error()[0]);
  const auto& a = std::get<PolyhedronSpec>(good->bodies[0].shape.value);
  const auto& b = std::get<PolyhedronSpec>(good->bodies[1].shape.value);
  EXPECT_EQ(a.mesh.file.value, "parts/a.obj");
  EXPECT_EQ(a.mesh.cage, b.mesh.cage);
  EXPECT_EQ(a.mesh.cage->faces.size(), 1U);
  EXPECT_TRUE(a.hull);
  EXPECT_EQ(a.tolerance.value, 1e-6);
  ASSERT_EQ(good->files.size(), 1U);
  EXPECT_EQ(good->files[0].name, "parts/a.obj");
  EXPECT_EQ(good->files[0].text, obj);
  EXPECT_TRUE(scene(folder / "parts/a.obj", "parts/a.obj"));  // absolute paths, too

  const auto bad = scene("parts/bad.obj", "none.obj");
  ASSERT_FALSE(bad);
  ASSERT_EQ(bad.error().size(), 2U);
  EXPECT_EQ(to_string(bad.error()[0]),
            folder / "scene.toml:5:39 body[0].shape.file: " + (folder / "parts/bad.obj") +
                ":5:1: vertex 9 does not exist (vertices are 1 to 3)");
  EXPECT_EQ(bad.error()[1].place.line, 8);
  EXPECT_EQ(bad.error()[1].message,
            (folder / "none.obj") + ": cannot open the file: No such file or directory");
}

TEST(ShapeReader, ReadsPointsOfSpace) {
  const auto scene = parse_scene(
      "oloid = 1\nduration = 1\n[[body]]\nname = \"a\"\nshape = { type = \"polyhedron\", points = "
      "[[0, 0, 0], [1, 0, 0.5]] }\n[[body]]\nname = \"b\"\nshape = { type = \"box\", size = [1, 2, "
      "3] }\n",
      "good.toml");
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  const auto& hull = std::get<PolyhedronSpec>(scene->bodies[0].shape.value);
  ASSERT_EQ(hull.points.value.size(), 2U);
  EXPECT_EQ(hull.points.value[1], Vec3<double>(1, 0, 0.5));
  EXPECT_FALSE(hull.mesh.cage);
  EXPECT_EQ(std::get<BoxSpec>(scene->bodies[1].shape.value).size.value, Vec3<double>(1, 2, 3));
}

TEST(ShapeReader, ReadsHullsOfCircles) {
  const auto scene = parse_scene(R"(oloid = 1
duration = 1
[[body]]
name = "a"
shape = { type = "oloid", radius = 0.5, distance = 0.6 }
[[body]]
name = "b"
shape = { type = "two_circles", radius_1 = 1, radius_2 = 2, centre_2 = [0, 0, 3], axis_2 = [1, 0, 0] }
[[body]]
name = "c"
shape = { type = "sphericon", radius = 0.7 }
)",
                                 "hulls.toml");
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  const auto& oloid = std::get<OloidSpec>(scene->bodies[0].shape.value);
  EXPECT_EQ(oloid.radius.value, 0.5);
  EXPECT_EQ(oloid.distance->value, 0.6);
  const auto& circles = std::get<TwoCirclesSpec>(scene->bodies[1].shape.value);
  EXPECT_EQ(circles.radius[0].value, 1);
  EXPECT_EQ(circles.radius[1].value, 2);
  EXPECT_EQ(circles.centre[0].value, Vec3<double>(0, 0, 0));
  EXPECT_EQ(circles.centre[1].value, Vec3<double>(0, 0, 3));
  EXPECT_EQ(circles.axis[0].value, Vec3<double>(0, 0, 1));
  EXPECT_EQ(circles.axis[1].value, Vec3<double>(1, 0, 0));
  EXPECT_EQ(std::get<SphericonSpec>(scene->bodies[2].shape.value).radius.value, 0.7);
}

TEST(ShapeReader, ReadsWires) {
  const auto curve = [](const std::string& text) {
    const auto scene = parse_scene(
        "oloid = 1\nduration = 1\n[[body]]\nname = \"a\"\nshape = { type = \"wire\", "
        "curve = { kind = " +
            text + " } }\n",
        "wire.toml");
    EXPECT_TRUE(scene) << to_string(scene.error()[0]);
    return std::get<WireSpec>(scene->bodies[0].shape.value).curve.value;
  };
  EXPECT_EQ(std::get<CircleCurveSpec>(curve("\"circle\", radius = 2")).radius.value, 2);
  const auto ellipse =
      std::get<EllipseCurveSpec>(curve("\"ellipse\", semi_axes = [2, 1], to = 3.5"));
  EXPECT_EQ(ellipse.semi_axes.value, (std::vector<double>{2, 1}));
  EXPECT_EQ(ellipse.from.value, 0);
  EXPECT_EQ(ellipse.to.value, 3.5);
  const auto helix = std::get<HelixCurveSpec>(curve("\"helix\", radius = 2, pitch = -0.5"));
  EXPECT_EQ(helix.pitch.value, -0.5);
  EXPECT_EQ(helix.turns.value, 1);
  const auto chain = std::get<PolylineSpec>(
      curve("\"polyline\", points = [[0, 0, 0], [1, 0, 0], [1, 1, 0]], closed = true"));
  EXPECT_TRUE(chain.closed);
  EXPECT_EQ(chain.points.value.size(), 3U);
  EXPECT_FALSE(std::get<SplineSpec>(curve("\"bezier\", points = [[0, 0, 0], [1, 0, 0]]")).degree);
  const auto nurbs = std::get<SplineSpec>(
      curve("\"nurbs\", degree = 1, points = [[0, 0, 0], [1, 0, 0]], knots = [0, 0, 1, 1]"));
  EXPECT_EQ(nurbs.degree->value, 1);
  EXPECT_EQ(nurbs.knots.value.size(), 4U);
}

}  // namespace oloid::test::shape_reader_test
