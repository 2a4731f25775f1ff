#include "oloid/io/mesh/gltf_recorder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "oloid/io/files/output_file.h"
#include "oloid/io/mesh/gltf_writer.h"

namespace oloid::io {
namespace {

// A ball about the origin.
DisplayMesh ball(double radius) {
  constexpr int kRings = 8, kSides = 16;
  DisplayMesh mesh;
  for (int i = 0; i <= kRings; ++i) {
    for (int j = 0; j < kSides; ++j) {
      const double theta = std::numbers::pi * i / kRings, phi = 2 * std::numbers::pi * j / kSides;
      const Vec3<double> n(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi),
                           std::cos(theta));
      mesh.normals.push_back(n);
      mesh.vertices.push_back(radius * n);
    }
  }
  for (int i = 0; i < kRings; ++i) {
    for (int j = 0; j < kSides; ++j) {
      const int a = i * kSides + j, b = i * kSides + (j + 1) % kSides, down = kSides;
      if (i > 0) mesh.triangles.push_back({a, a + down, b});
      if (i + 1 < kRings) mesh.triangles.push_back({b, a + down, b + down});
    }
  }
  return mesh;
}

// Of the smallest body with a mesh [m].
double smallest_size(const std::vector<DisplayMesh>& meshes) {
  std::optional<double> least;
  for (const DisplayMesh& mesh : meshes) {
    double size = 0;
    for (const Vec3<double>& p : mesh.vertices) size = std::max(size, p.norm());
    if (size > 0) least = std::min(least.value_or(size), size);
  }
  return least.value_or(1);
}

bool fits_float(double x) { return std::abs(x) <= std::numeric_limits<float>::max(); }
bool fits_float(const Vec3<double>& v) {
  return fits_float(v.x()) && fits_float(v.y()) && fits_float(v.z());
}

class SceneRecorder final : public GltfRecorder {
 public:
  SceneRecorder(OutputFile file, std::string path, GltfFormat format, GltfOptions options)
      : file_(std::move(file)), path_(std::move(path)), format_(format), options_(options) {}

  void begin(const Header& header) override {
    scene_.name = header.scene_name;
    for (std::size_t i = 0; i < header.bodies.size(); ++i) {
      const bool moves = i < header.masses.size() && header.masses[i] > 0;
      scene_.nodes.push_back({header.bodies[i],
                              moves ? GltfNode::Kind::body : GltfNode::Kind::fixed,
                              i < header.meshes.size() ? header.meshes[i] : DisplayMesh{}});
    }
    bodies_ = scene_.nodes.size();
    if (!options_.contacts) return;
    constexpr double kRadius = 0.03;  // of the smallest body
    mark_ = ball(kRadius * smallest_size(header.meshes));
    marks_.resize(header.pairs.size());
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      const auto body = [&](std::size_t k) {
        return header.bodies[static_cast<std::size_t>(header.pairs[i][k].index)];
      };
      marks_[i].name = "contact " + body(0) + "-" + body(1);
    }
  }

  EventDetail event_detail() const override {
    return bodies_ > kManyBodies ? EventDetail::none : EventDetail::whole;
  }

  // The frames before and after an event have the same time: the later one is kept.
  void frame(const Frame& frame) override {
    if (!fits(frame)) {
      ++left_out_;
      return;
    }
    if (scene_.times.empty()) t_first_ = frame.t;
    t_last_ = frame.t;
    const auto t = static_cast<float>(frame.t - t_first_);
    if (!scene_.times.empty() && t <= scene_.times.back()) drop_last();
    scene_.times.push_back(t);
    for (std::size_t i = 0; i < std::min(bodies_, frame.bodies.size()); ++i) {
      scene_.nodes[i].track.add(frame.bodies[i].position);
      scene_.nodes[i].track.add(frame.bodies[i].orientation);
    }
    for (std::size_t i = 0; i < marks_.size(); ++i)
      add_mark(marks_[i].track, first_of(frame.contacts, static_cast<int>(i)));
  }

  void event(const Event&) override {}

  void end(const Summary&) override {
    if (left_out_ > 0 && scene_.times.empty()) {
      trouble_ =
          Error{{path_, "", 0, 0},
                "no frame can be written: every frame has a time or pose that is not a number",
                "export a record with valid frames"};
      return;
    }
    for (GltfNode& node : marks_) {
      const std::vector<float>& sizes = node.track.sizes;
      if (std::find(sizes.begin(), sizes.end(), 1.0f) == sizes.end()) continue;  // never closed
      node.kind = GltfNode::Kind::mark;
      node.mesh = mark_;
      scene_.nodes.push_back(std::move(node));
    }
    const auto bytes = gltf_of(scene_, format_);
    if (!bytes) {
      trouble_ = bytes.error();
      return;
    }
    file_.write(*bytes);
    file_.commit();
  }

  std::optional<Error> trouble() const override { return trouble_ ? trouble_ : file_.trouble(); }
  std::size_t key_frames() const override { return scene_.times.size(); }
  std::size_t left_out() const override { return left_out_; }

 private:
  bool fits(const Frame& frame) const {
    const bool later = scene_.times.empty() ? std::isfinite(frame.t)
                                            : frame.t >= t_last_ && fits_float(frame.t - t_first_);
    return later &&
           std::all_of(frame.bodies.begin(), frame.bodies.end(), [](const BodyFrame& body) {
             const Quat<double>& q = body.orientation;
             const double norm = std::hypot(std::hypot(q.w, q.x), std::hypot(q.y, q.z));
             return fits_float(body.position) && norm > 0 && std::isfinite(norm);
           });
  }

  void drop_last() {
    scene_.times.pop_back();
    const auto shorten = [](std::vector<float>& values, std::size_t width) {
      values.resize(values.size() - std::min(values.size(), width));
    };
    for (GltfNode& node : scene_.nodes) {
      shorten(node.track.positions, 3);
      shorten(node.track.orientations, 4);
    }
    for (GltfNode& node : marks_) {
      shorten(node.track.positions, 3);
      shorten(node.track.sizes, 1);
    }
  }

  // Before it first closes, a contact has no points: its mark waits, hidden, at the first one.
  void add_mark(GltfTrack& track, const ContactFrame* contact) {
    const bool closed = contact && contact->mode != Mode::separated && fits_float(contact->point_A);
    if (!closed && track.sizes.empty()) return;
    if (closed) {
      while (track.sizes.size() + 1 < scene_.times.size()) {
        track.sizes.push_back(0);
        track.add(contact->point_A);
      }
      track.add(contact->point_A);
    } else {
      const float* last = &track.positions[track.positions.size() - 3];
      track.positions.insert(track.positions.end(), {last[0], last[1], last[2]});
    }
    track.sizes.push_back(closed ? 1.0f : 0.0f);
  }

  OutputFile file_;
  std::string path_;
  GltfFormat format_;
  GltfOptions options_;
  GltfScene scene_;
  std::size_t bodies_ = 0;
  DisplayMesh mark_;
  std::vector<GltfNode> marks_;      // of all pairs
  double t_first_ = 0, t_last_ = 0;  // of frames that are keys [s]
  std::size_t left_out_ = 0;
  std::optional<Error> trouble_;
};

}  // namespace

Result<std::unique_ptr<GltfRecorder>> make_gltf_recorder(const std::string& path,
                                                         const GltfOptions& options) {
  auto file = OutputFile::make(path);
  if (!file) return Unexpected{file.error()};
  return std::unique_ptr<GltfRecorder>(
      std::make_unique<SceneRecorder>(std::move(*file), path, gltf_format(path), options));
}

}  // namespace oloid::io
