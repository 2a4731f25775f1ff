#include "oloid/io/mesh/gltf_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "oloid/base/version.h"
#include "oloid/io/files/base64.h"
#include "oloid/io/files/number_blob.h"

namespace oloid::io {
namespace {

using Json = nlohmann::ordered_json;

// Numeric codes of glTF (specification, sections 3.6.2 and 3.7.2).
enum ComponentType { kUint16 = 5123, kUint32 = 5125, kFloat = 5126 };
enum Target { kNoTarget = 0, kVertices = 34962, kIndices = 34963 };
enum PrimitiveMode { kLines = 1, kTriangles = 4 };
constexpr std::uint32_t kGlbMagic = 0x46546c67, kJsonChunk = 0x4e4f534a, kBinaryChunk = 0x004e4942;

// After Okabe and Ito, told apart by colour-blind eyes.
constexpr std::uint32_t kBodyColours[] = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                          0x56b4e9, 0xd55e00, 0xf0e442};
constexpr std::uint32_t kFixedColour = 0xb8bcc4, kMarkColour = 0xe02020, kLineColour = 0x303030;

// glTF uses linear colours; these are given in sRGB, as on a screen.
Json colour(std::uint32_t rgb) {
  Json factor = Json::array();
  for (const int shift : {16, 8, 0}) {
    const double c = (rgb >> shift & 255) / 255.0;
    const double linear = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    factor.push_back(std::round(linear * 1e5) / 1e5);
  }
  factor.push_back(1);
  return factor;
}

class Builder {
 public:
  Result<std::string> build(const GltfScene& scene, GltfFormat format) {
    json_["asset"] = {{"version", "2.0"}, {"generator", fmt::format("oloid {}", kVersion)}};
    json_["scene"] = 0;
    json_["scenes"] = Json::array({{{"name", scene.name}, {"nodes", {0}}}});
    // Our z axis points up, that of glTF is y.
    const double half = std::sqrt(0.5);
    json_["nodes"] = Json::array({{{"name", "z up"}, {"rotation", {-half, 0, 0, half}}}});
    for (const GltfNode& node : scene.nodes) add_node(node);
    if (scene.times.size() > 1) animate(scene);
    if (const std::size_t size = blob_.bytes().size(); size > 0)
      json_["buffers"] = Json::array({{{"byteLength", size}}});
    return format == GltfFormat::binary ? binary() : embedded();
  }

 private:
  template <class T>
  std::size_t add_view(std::span<const T> values, Target target) {
    Json view = {
        {"buffer", 0}, {"byteOffset", blob_.add(values)}, {"byteLength", values.size_bytes()}};
    if (target != kNoTarget) view["target"] = static_cast<int>(target);
    json_["bufferViews"].push_back(std::move(view));
    return json_["bufferViews"].size() - 1;
  }

  std::size_t add_floats(std::span<const float> values, std::size_t width, Target target,
                         bool bounds) {
    static constexpr const char* kTypes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    Json accessor = {{"bufferView", add_view(values, target)},
                     {"componentType", static_cast<int>(kFloat)},
                     {"count", values.size() / width},
                     {"type", kTypes[width]}};
    if (bounds) {
      std::vector<float> low(width, std::numeric_limits<float>::infinity()), high(width);
      std::transform(low.begin(), low.end(), high.begin(), [](float x) { return -x; });
      for (std::size_t i = 0; i < values.size(); ++i) {
        low[i % width] = std::min(low[i % width], values[i]);
        high[i % width] = std::max(high[i % width], values[i]);
      }
      accessor["min"] = low;
      accessor["max"] = high;
    }
    json_["accessors"].push_back(std::move(accessor));
    return json_["accessors"].size() - 1;
  }

  std::size_t add_indices(const std::vector<std::uint32_t>& indices, std::size_t vertices) {
    const bool small = vertices < 0xffff;  // the largest number is reserved
    Json accessor;
    if (small) {
      const std::vector<std::uint16_t> narrow(indices.begin(), indices.end());
      accessor["bufferView"] = add_view(std::span<const std::uint16_t>(narrow), kIndices);
    } else {
      accessor["bufferView"] = add_view(std::span<const std::uint32_t>(indices), kIndices);
    }
    accessor["componentType"] = static_cast<int>(small ? kUint16 : kUint32);
    accessor["count"] = indices.size();
    accessor["type"] = "SCALAR";
    json_["accessors"].push_back(std::move(accessor));
    return json_["accessors"].size() - 1;
  }

  std::size_t add_vectors(std::span<const Vec3<double>> vectors, bool bounds) {
    return add_floats(singles(vectors, single_or_zero), 3, kVertices, bounds);
  }

  std::size_t add_material(const std::string& name, std::uint32_t rgb) {
    json_["materials"].push_back(
        {{"name", name},
         {"pbrMetallicRoughness",
          {{"baseColorFactor", colour(rgb)}, {"metallicFactor", 0}, {"roughnessFactor", 0.45}}},
         {"doubleSided", true}});
    return json_["materials"].size() - 1;
  }

  // Leaves out triangles with a corner that is not finite; nothing if none is left.
  Json triangles(const GltfNode& node, std::uint32_t rgb) {
    const auto nowhere = [&](std::int32_t corner) {
      return !node.mesh.vertices[static_cast<std::size_t>(corner)].allFinite();
    };
    std::vector<std::uint32_t> indices;
    indices.reserve(3 * node.mesh.triangles.size());
    for (const auto& triangle : node.mesh.triangles) {
      if (std::any_of(triangle.begin(), triangle.end(), nowhere)) continue;
      for (const std::int32_t corner : triangle)
        indices.push_back(static_cast<std::uint32_t>(corner));
    }
    if (indices.empty()) return {};
    std::vector<Vec3<double>> normals = node.mesh.normals;
    for (Vec3<double>& n : normals) n.normalize();
    Json primitive;
    primitive["attributes"]["POSITION"] = add_vectors(node.mesh.vertices, true);
    primitive["attributes"]["NORMAL"] = add_vectors(normals, false);
    primitive["indices"] = add_indices(indices, node.mesh.vertices.size());
    primitive["material"] = add_material(node.name, rgb);
    primitive["mode"] = static_cast<int>(kTriangles);
    return primitive;
  }

  Json lines(const GltfNode& node) {
    std::vector<Vec3<double>> points;
    std::vector<std::uint32_t> indices;
    for (const Polyline& line : node.lines) {
      for (std::size_t i = 0; i < line.size(); ++i) {
        const auto at = static_cast<std::uint32_t>(points.size());
        if (i > 0) indices.insert(indices.end(), {at - 1, at});
        points.push_back(line[i]);
      }
    }
    Json primitive;
    primitive["attributes"]["POSITION"] = add_vectors(points, true);
    primitive["indices"] = add_indices(indices, points.size());
    primitive["material"] = add_material(node.name + " lines", kLineColour);
    primitive["mode"] = static_cast<int>(kLines);
    return primitive;
  }

  void add_node(const GltfNode& node) {
    const GltfTrack& track = node.track;
    Json entry = {{"name", node.name}};
    Json primitives = Json::array();
    if (!node.mesh.empty()) {
      if (Json surface = triangles(node, colour_of(node)); !surface.is_null())
        primitives.push_back(std::move(surface));
    }
    const bool has_lines = std::any_of(node.lines.begin(), node.lines.end(),
                                       [](const Polyline& line) { return line.size() > 1; });
    if (has_lines) primitives.push_back(lines(node));
    if (!primitives.empty()) {
      json_["meshes"].push_back({{"name", node.name}, {"primitives", std::move(primitives)}});
      entry["mesh"] = json_["meshes"].size() - 1;
    }
    const auto first = [](const std::vector<float>& values, std::size_t width) {
      return std::vector<float>(values.begin(), values.begin() + static_cast<long>(width));
    };
    if (!track.positions.empty()) entry["translation"] = first(track.positions, 3);
    if (!track.orientations.empty()) entry["rotation"] = first(track.orientations, 4);
    if (!track.sizes.empty()) entry["scale"] = std::vector<float>(3, track.sizes[0]);
    json_["nodes"].push_back(std::move(entry));
    json_["nodes"][0]["children"].push_back(json_["nodes"].size() - 1);
  }

  std::uint32_t colour_of(const GltfNode& node) {
    if (node.kind == GltfNode::Kind::fixed) return kFixedColour;
    if (node.kind == GltfNode::Kind::mark) return kMarkColour;
    return kBodyColours[bodies_++ % std::size(kBodyColours)];
  }

  // Nodes that do not move have no channels.
  void animate(const GltfScene& scene) {
    Json animation = {
        {"name", scene.name}, {"channels", Json::array()}, {"samplers", Json::array()}};
    std::optional<std::size_t> input;
    const auto add = [&](std::size_t node, const char* path, const char* interpolation,
                         const std::vector<float>& values, std::size_t width) {
      const bool moves =
          !std::equal(values.begin() + static_cast<long>(width), values.end(), values.begin());
      if (!moves) return;
      if (!input) input = add_floats(scene.times, 1, kNoTarget, true);
      animation["channels"].push_back({{"sampler", animation["samplers"].size()},
                                       {"target", {{"node", node}, {"path", path}}}});
      animation["samplers"].push_back({{"input", *input},
                                       {"interpolation", interpolation},
                                       {"output", add_floats(values, width, kNoTarget, false)}});
    };
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
      const GltfTrack& track = scene.nodes[i].track;
      if (!track.positions.empty()) add(i + 1, "translation", "LINEAR", track.positions, 3);
      if (!track.orientations.empty()) add(i + 1, "rotation", "LINEAR", track.orientations, 4);
      if (track.sizes.empty()) continue;
      std::vector<float> scales;
      for (const float size : track.sizes) scales.insert(scales.end(), 3, size);
      add(i + 1, "scale", "STEP", scales, 3);
    }
    if (input) json_["animations"] = Json::array({std::move(animation)});
  }

  Result<std::string> embedded() {
    if (!blob_.bytes().empty())
      json_["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(blob_.bytes());
    return json_text() + "\n";
  }

  // Header, then chunks, each a multiple of 4 bytes long: specification, section 4.4.
  Result<std::string> binary() {
    std::string text = json_text();
    text.append((4 - text.size() % 4) % 4, ' ');
    const std::string& bytes = blob_.bytes();
    const std::size_t length = 12 + 8 + text.size() + (bytes.empty() ? 0 : 8 + bytes.size());
    if (length > std::numeric_limits<std::uint32_t>::max()) {
      return refuse(
          fmt::format("the glTF file would have {} bytes, but a .glb file holds at most 4 GiB",
                      length),
          "record fewer frames: increase output.dt");
    }
    std::string file;
    file.reserve(length);
    const auto word = [&](std::size_t value) {
      const auto number = static_cast<std::uint32_t>(value);
      file.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    word(kGlbMagic), word(2), word(length);
    word(text.size()), word(kJsonChunk);
    file += text;
    if (!bytes.empty()) {
      word(bytes.size()), word(kBinaryChunk);
      file += bytes;
    }
    return file;
  }

  // Names may have been given in other encodings than UTF-8.
  std::string json_text() const {
    return json_.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  Json json_;
  NumberBlob blob_{4};
  std::size_t bodies_ = 0;  // coloured so far
};

}  // namespace

void GltfTrack::add(const Vec3<double>& position) {
  for (const double x : position) positions.push_back(single_or_zero(x));
}

void GltfTrack::add(const Quat<double>& orientation) {
  Quat<double> q = unit(orientation);
  if (const std::size_t n = orientations.size(); n >= 4) {
    const float* last = &orientations[n - 4];
    q = nearer_sign(q, {last[3], last[0], last[1], last[2]});
  }
  for (const double x : {q.x, q.y, q.z, q.w}) orientations.push_back(single_or_zero(x));
}

GltfFormat gltf_format(const std::string& path) {
  return path.ends_with(".gltf") ? GltfFormat::embedded : GltfFormat::binary;
}

Result<std::string> gltf_of(const GltfScene& scene, GltfFormat format) {
  return Builder().build(scene, format);
}

}  // namespace oloid::io
