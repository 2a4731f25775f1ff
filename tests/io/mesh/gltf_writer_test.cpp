#include "oloid/io/mesh/gltf_writer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/parsed_glb.h"
#include "support/rooms.h"

namespace oloid::test::gltf_writer_test {

Glb written(const GltfScene& scene) {
  const auto file = gltf_of(scene, GltfFormat::binary);
  EXPECT_TRUE(file);
  return parsed(*file);
}

DisplayMesh triangle() {
  return {{{0, 0, 0}, {2, 0, 0}, {0, 3, 0.5}}, {{0, 0, 2}, {0, 0, 1}, {0, 0, 1}}, {{0, 1, 2}}};
}

// A ball of two poses, and a floor.
GltfScene two_poses() {
  GltfScene scene{"two", {0, 0.5f}, {}};
  GltfNode ball{"ball", GltfNode::Kind::body, triangle()};
  ball.track.add(Vec3<double>(1, 2, 3));
  ball.track.add(Quat<double>{1, 0, 0, 0});
  ball.track.add(Vec3<double>(4, 5, 6));
  ball.track.add(Quat<double>{-2, 0, 0, 0.02});  // the other sign, not unit
  GltfNode floor{"floor", GltfNode::Kind::fixed, triangle()};
  for (int i = 0; i < 2; ++i) {
    floor.track.add(Vec3<double>(0, 0, -1));
    floor.track.add(Quat<double>{});
  }
  scene.nodes = {ball, floor};
  return scene;
}

TEST(GltfWriter, WritesMeshesWithBounds) {
  const Glb glb = written(two_poses());
  EXPECT_EQ(glb.json["asset"]["version"], "2.0");
  EXPECT_EQ(glb.json["nodes"].size(), 3u);
  EXPECT_EQ(glb.json["nodes"][0]["children"], Json({1, 2}));
  EXPECT_EQ(glb.json["nodes"][1]["name"], "ball");
  const Json& primitive =
      glb.json["meshes"][glb.json["nodes"][1]["mesh"].get<std::size_t>()]["primitives"][0];
  const std::size_t position = primitive["attributes"]["POSITION"];
  EXPECT_EQ(glb.floats(position), (std::vector<float>{0, 0, 0, 2, 0, 0, 0, 3, 0.5}));
  EXPECT_EQ(glb.json["accessors"][position]["min"], Json({0.0, 0.0, 0.0}));
  EXPECT_EQ(glb.json["accessors"][position]["max"], Json({2.0, 3.0, 0.5}));
  const auto normals = glb.floats(primitive["attributes"]["NORMAL"]);
  EXPECT_EQ(normals[2], 1);  // made unit
  const Json& indices = glb.json["accessors"][primitive["indices"].get<std::size_t>()];
  EXPECT_EQ(indices["componentType"], 5123);
  EXPECT_EQ(indices["count"], 3);
}

// The root turns z to y: it takes (0, 0, 1) to (0, 1, 0), as glTF wants it.
TEST(GltfWriter, TurnsUpToUp) {
  const Json root = written(two_poses()).json["nodes"][0]["rotation"];
  const Mat3<double> R = rotation_matrix(Quat<double>{root[3], root[0], root[1], root[2]});
  EXPECT_LT((R * Vec3<double>(0, 0, 1) - Vec3<double>(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((R * Vec3<double>(1, 0, 0) - Vec3<double>(1, 0, 0)).norm(), 1e-15);
}

TEST(GltfWriter, AnimatesWhatMoves) {
  const Glb glb = written(two_poses());
  ASSERT_EQ(glb.json["animations"].size(), 1u);
  const Json& animation = glb.json["animations"][0];
  ASSERT_EQ(animation["channels"].size(), 2u);  // the floor has none
  for (const Json& channel : animation["channels"]) {
    EXPECT_EQ(channel["target"]["node"], 1);
    const Json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
    EXPECT_EQ(sampler["interpolation"], "LINEAR");
    EXPECT_EQ(glb.floats(sampler["input"]), (std::vector<float>{0, 0.5f}));
    const Json& input = glb.json["accessors"][sampler["input"].get<std::size_t>()];
    EXPECT_EQ(input["min"], Json({0.0}));
    EXPECT_EQ(input["max"], Json({0.5}));
    const auto values = glb.floats(sampler["output"]);
    if (channel["target"]["path"] == "translation") {
      EXPECT_EQ(values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
    } else {
      ASSERT_EQ(values.size(), 8u);
      EXPECT_EQ(values[3], 1);       // w is the last
      EXPECT_GT(values[7], 0.9999);  // and on the same side
      EXPECT_NEAR(values[6], -0.01, 1e-5);
      EXPECT_NEAR(std::hypot(values[6], values[7]), 1, 1e-7);
    }
  }
  EXPECT_EQ(glb.json["nodes"][1]["translation"], Json({1.0, 2.0, 3.0}));
}

TEST(GltfWriter, OnePoseIsNoAnimation) {
  GltfScene scene = two_poses();
  scene.times = {0};
  for (GltfNode& node : scene.nodes) {
    node.track.positions.resize(3);
    node.track.orientations.resize(4);
  }
  EXPECT_FALSE(written(scene).json.contains("animations"));
}

TEST(GltfWriter, ManyVerticesHaveLongIndices) {
  GltfScene scene{"large", {0}, {{"large", GltfNode::Kind::body, {}}}};
  DisplayMesh& mesh = scene.nodes[0].mesh;
  for (int i = 0; i < 70'000; ++i) {
    mesh.vertices.push_back({0.1 * i, std::sin(i), 0});
    mesh.normals.push_back({0, 0, 1});
  }
  mesh.triangles = {{0, 1, 69'999}};
  const Glb glb = written(scene);
  const Json& a = glb.json["accessors"][2];
  EXPECT_EQ(a["componentType"], 5125);
  const Json& view = glb.json["bufferViews"][a["bufferView"].get<std::size_t>()];
  EXPECT_EQ(word(glb.bytes, view["byteOffset"].get<std::size_t>() + 8), 69'999u);
}

// Numbers in the file are finite, whatever a mesh has; triangles that are nowhere are left out.
TEST(GltfWriter, WritesFiniteNumbersOnly) {
  GltfScene scene = two_poses();
  DisplayMesh& mesh = scene.nodes[0].mesh;
  mesh.vertices.insert(mesh.vertices.end(), {{NAN, 0, 0}, {1e300, 0, -1e300}});
  mesh.normals.insert(mesh.normals.end(), {{NAN, NAN, NAN}, {0, 0, 1}});
  mesh.triangles.push_back({0, 1, 3});
  scene.nodes[1].mesh.vertices[0].x() = INFINITY;
  const Glb glb = written(scene);
  const Json& primitive = glb.json["meshes"][0]["primitives"][0];
  EXPECT_EQ(glb.json["accessors"][primitive["indices"].get<std::size_t>()]["count"], 3);
  for (const char* attribute : {"POSITION", "NORMAL"}) {
    for (const float x : glb.floats(primitive["attributes"][attribute]))
      EXPECT_TRUE(std::isfinite(x));
  }
  EXPECT_EQ(glb.json["meshes"].size(), 1u);  // no triangle of the floor is left
  EXPECT_FALSE(glb.json["nodes"][2].contains("mesh"));
}

TEST(GltfWriter, WiresAreLines) {
  GltfScene scene{
      "wire", {0}, {{"wire", GltfNode::Kind::body, {}, {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}}}}};
  const Glb glb = written(scene);
  const Json& primitive = glb.json["meshes"][0]["primitives"][0];
  EXPECT_EQ(primitive["mode"], 1);
  EXPECT_EQ(glb.json["accessors"][primitive["indices"].get<std::size_t>()]["count"], 4);
}

// The text has the same content, with the bytes in it.
TEST(GltfWriter, TextHoldsTheSame) {
  const auto text = gltf_of(two_poses(), GltfFormat::embedded);
  ASSERT_TRUE(text);
  Json json = Json::parse(*text);
  const std::string uri = json["buffers"][0]["uri"];
  EXPECT_EQ(uri.find("data:application/octet-stream;base64,"), 0u);
  const std::size_t bytes = json["buffers"][0]["byteLength"];
  EXPECT_EQ(uri.size() - uri.find(',') - 1, (bytes + 2) / 3 * 4);
  json["buffers"][0].erase("uri");
  EXPECT_EQ(json, written(two_poses()).json);
  EXPECT_EQ(gltf_format("a.gltf"), GltfFormat::embedded);
  EXPECT_EQ(gltf_format("a.glb"), GltfFormat::binary);
}

}  // namespace oloid::test::gltf_writer_test
