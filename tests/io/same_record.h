// What is recorded is what comes back.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "io/sample_run.h"
#include "oloid/io/record/record_file.h"
#include "support/rooms.h"

namespace oloid::test {

inline void record(const std::string& path, int count = 201) {
  const auto recorder = make_record_file(path);
  ASSERT_TRUE(recorder);
  play(**recorder, count);
  ASSERT_FALSE((*recorder)->trouble());
}

inline void expect_same(const Frame& a, const Frame& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.event_side, b.event_side);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].position, b.bodies[i].position);
    EXPECT_EQ(a.bodies[i].orientation.w, b.bodies[i].orientation.w);
    EXPECT_EQ(a.bodies[i].orientation.x, b.bodies[i].orientation.x);
    EXPECT_EQ(a.bodies[i].orientation.z, b.bodies[i].orientation.z);
    EXPECT_EQ(a.bodies[i].velocity, b.bodies[i].velocity);
    EXPECT_EQ(a.bodies[i].angular_velocity, b.bodies[i].angular_velocity);
    EXPECT_EQ(a.bodies[i].ended, b.bodies[i].ended);
  }
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    const ContactFrame &x = a.contacts[i], &y = b.contacts[i];
    EXPECT_EQ(x.id, y.id);
    EXPECT_EQ(x.pair, y.pair);
    EXPECT_EQ(x.ordinal, y.ordinal);
    EXPECT_EQ(x.features, y.features);
    EXPECT_EQ(x.mode, y.mode);
    EXPECT_EQ(x.gap, y.gap);
    EXPECT_EQ(x.point_A, y.point_A);
    EXPECT_EQ(x.point_B, y.point_B);
    EXPECT_EQ(x.normal, y.normal);
    EXPECT_EQ(x.slip, y.slip);
    EXPECT_EQ(x.spin, y.spin);
    EXPECT_EQ(x.normal_force, y.normal_force);
    EXPECT_EQ(x.friction, y.friction);
    EXPECT_EQ(x.moment, y.moment);
    EXPECT_EQ(x.chart_A, y.chart_A);
    EXPECT_EQ(x.chart_B, y.chart_B);
    EXPECT_EQ(x.location_A, y.location_A);
    EXPECT_EQ(x.location_B, y.location_B);
    EXPECT_EQ(x.psi, y.psi);
  }
  EXPECT_EQ(a.energy.kinetic, b.energy.kinetic);
  EXPECT_EQ(a.energy.potential, b.energy.potential);
  EXPECT_EQ(a.energy.dissipated, b.energy.dissipated);
  EXPECT_EQ(a.energy.work, b.energy.work);
  EXPECT_TRUE(std::equal(a.probes.begin(), a.probes.end(), b.probes.begin(), b.probes.end()));
}

inline void expect_same(const Header& a, const Header& b) {
  EXPECT_EQ(a.scene_name, b.scene_name);
  EXPECT_EQ(a.scene_text, b.scene_text);
  EXPECT_EQ(a.scene_file, b.scene_file);
  EXPECT_EQ(a.oloid_version, b.oloid_version);
  EXPECT_EQ(a.build, b.build);
  EXPECT_EQ(a.duration, b.duration);
  EXPECT_EQ(a.output_dt, b.output_dt);
  EXPECT_EQ(a.gravity, b.gravity);
  EXPECT_EQ(a.energy_scale, b.energy_scale);
  EXPECT_EQ(a.bodies, b.bodies);
  EXPECT_EQ(a.masses, b.masses);
  EXPECT_EQ(a.pairs, b.pairs);
  EXPECT_EQ(a.chart_crossings, b.chart_crossings);
  EXPECT_EQ(a.stops, b.stops);
  ASSERT_EQ(a.files.size(), b.files.size());
  for (std::size_t i = 0; i < a.files.size(); ++i) {
    EXPECT_EQ(a.files[i].name, b.files[i].name);
    EXPECT_EQ(a.files[i].text, b.files[i].text);
  }
  ASSERT_EQ(a.probes.size(), b.probes.size());
  for (std::size_t i = 0; i < a.probes.size(); ++i) {
    EXPECT_EQ(a.probes[i].name, b.probes[i].name);
    EXPECT_EQ(a.probes[i].unit, b.probes[i].unit);
    EXPECT_EQ(a.probes[i].formula, b.probes[i].formula);
    EXPECT_EQ(a.probes[i].event, b.probes[i].event);
  }
  for (std::size_t i = 0; i < a.pairs.size(); ++i) {
    const auto [A, B] = a.pairs[i];
    const ContactFriction *x = a.friction.find(A, B), *y = b.friction.find(A, B);
    ASSERT_EQ(x == nullptr, y == nullptr);
    if (!x) continue;
    EXPECT_EQ(x->still, y->still);
    EXPECT_EQ(x->sliding, y->sliding);
  }
  ASSERT_EQ(a.meshes.size(), b.meshes.size());
  for (std::size_t i = 0; i < a.meshes.size(); ++i) {
    EXPECT_EQ(a.meshes[i].vertices, b.meshes[i].vertices);
    EXPECT_EQ(a.meshes[i].normals, b.meshes[i].normals);
    EXPECT_EQ(a.meshes[i].triangles, b.meshes[i].triangles);
    EXPECT_EQ(a.meshes[i].borders, b.meshes[i].borders);
    EXPECT_EQ(a.meshes[i].parameter_lines, b.meshes[i].parameter_lines);
  }
}

inline void expect_same(const Event& a, const Event& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.bodies, b.bodies);
  EXPECT_EQ(a.contact, b.contact);
  EXPECT_EQ(a.pair, b.pair);
  EXPECT_EQ(a.ordinal, b.ordinal);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.before, b.before);
  EXPECT_EQ(a.after, b.after);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.note, b.note);
  EXPECT_EQ(a.probe, b.probe);
}

inline void expect_same(const Summary& a, const Summary& b) {
  EXPECT_EQ(a.t_end, b.t_end);
  EXPECT_EQ(a.wall_s, b.wall_s);
  EXPECT_EQ(a.hash, b.hash);
  EXPECT_EQ(a.hashes, b.hashes);
  EXPECT_EQ(a.max_gap_error, b.max_gap_error);
  EXPECT_EQ(a.bodies.size(), b.bodies.size());
  EXPECT_EQ(std::memcmp(&a.energy, &b.energy, sizeof a.energy), 0);
  EXPECT_EQ(std::memcmp(&a.counters, &b.counters, sizeof a.counters), 0);
}

}  // namespace oloid::test
