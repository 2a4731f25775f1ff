// A made-up run with simple numbers, for testing recorders.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "oloid/scene/recorder.h"
#include "support/rooms.h"

namespace oloid::test {

// An empty folder of this test that disappears afterwards.
class TestFolder {
 public:
  TestFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "oloid_io_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline Header sample_header() {
  Header h;
  h.scene_name = "Kugel & <Tisch>";
  h.scene_text = "oloid = 1\n# Grüße\n";
  h.scene_file = "ball.toml";
  h.files = {{"shapes/ball.obj", "v 0 0 0\n"}};
  h.overrides = {"duration=2", "body.ball.velocity=[1, 0, 0]"};
  h.oloid_version = "0.1.0";
  h.build = "GNU 12";
  h.energy_scale = 0.75;
  h.probes = {{"twice", "s", "2 * t", true}, {"cosine", "", "cos(t) - 0.5", false}};
  h.stops = {"t - 3"};
  h.duration = 2;
  h.output_dt = 0.01;
  h.gravity = {0, 0, -10};
  h.bodies = {"table", "ball, \"red\""};
  h.masses = {0, 2};
  h.pairs = BodyPairs(std::vector<bool>{false, true});
  h.friction.set(BodyId{1}, BodyId{0}, {std::numeric_limits<double>::infinity(), 0.25});
  h.meshes = {{},
              {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
               {3, {0, 0, 1}},
               {{0, 1, 2}},
               {{{0, 0, 0}, {1, 0, 0}}, {{1, 0, 0}, {0.5, 0.5, 0}, {0, 1, 0}}},
               {{{0, 0.5, 0}, {0.5, 0.5, 0}}}}};
  return h;
}

struct SampleFrame {
  std::vector<BodyFrame> bodies{2};
  std::vector<ContactFrame> contacts{1};
  std::vector<double> probes;
  Frame frame;
};

// Frame number k of the run; sliding first, rolling from t = 1.
inline SampleFrame sample_frame(int k) {
  SampleFrame s;
  const double t = 0.01 * k;
  s.bodies[1].position = {t, 0.1 + 0.2, 1};
  s.bodies[1].orientation = {std::cos(t), 0, 0, std::sin(t)};
  s.bodies[1].velocity = {1, -1.0 * k, 0};
  s.bodies[1].angular_velocity = {0, 0, 5 * std::cos(3 * t)};
  ContactFrame& c = s.contacts[0];
  c.id = ContactId{0};
  c.mode = t < 1 ? Mode::sliding : Mode::rolling;
  c.normal = {0, 0, -1};
  c.slip = {std::max(0.0, 1 - t), 0, 0};
  c.normal_force = 20 + std::sin(10 * t);
  c.moment = {0.5 * t, 0, -t};
  c.chart_A = ChartId{3};
  c.location_A = {t, 2 * t, 0};
  c.psi = -t;
  s.probes = {2 * t, std::cos(t) - 0.5};
  s.frame = {
      t, 0, s.bodies, s.contacts, {2 + std::cos(t), 1 - std::cos(t), 0.01 * t, 0.02 * t}, s.probes};
  return s;
}

inline Event sample_event() {
  Event e{1.0,
          EventKind::mode_change,
          {BodyId{1}, BodyId{0}},
          ContactId{0},
          Mode::sliding,
          Mode::rolling,
          0.25,
          "grips"};
  e.pair = 0;
  return e;
}

// The second probe falls through 0.
inline Event sample_zero() {
  Event e;
  e.t = 1.0471975511965976;
  e.kind = EventKind::probe;
  e.value = -1;
  e.probe = 1;
  return e;
}

inline Summary sample_summary() {
  Summary s;
  s.t_end = 2;
  s.wall_s = 0.125;
  s.energy = {3, 3.02, 1e-12, 0.02, 0.04};
  s.max_gap_error = 1e-15;
  s.hash = 0xfedcba9876543210u;
  s.bodies = sample_frame(200).bodies;
  s.counters = {100, 2, 1300, 3, 1, 4, 5, 6, 7, 8, 0, 0, 0, {}};
  s.hashes = {0x0123456789abcdefu};
  return s;
}

// Plays frames 0 ... count − 1 with the events in between.
inline void play(Recorder& recorder, int count = 201) {
  recorder.begin(sample_header());
  for (int k = 0; k < count; ++k) {
    if (k == 100) recorder.event(sample_event());
    if (k == 105) recorder.event(sample_zero());
    recorder.frame(sample_frame(k).frame);
  }
  Event stop;
  stop.t = 1.5;
  stop.kind = EventKind::stopped;
  stop.probe = 0;
  recorder.event(stop);
  Event end;
  end.t = 2;
  recorder.event(end);
  recorder.end(sample_summary());
}

}  // namespace oloid::test
