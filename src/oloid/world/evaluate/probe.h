// Formulas of a scene that are evaluated along its run: probes and stop conditions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oloid/formula/expression.h"
#include "oloid/scene/frame.h"

namespace oloid::world {

struct Model;

// What a name in a formula stands for: "t", "energy.kinetic", "ball.z", "ball.table.gap".
struct ProbeVariable {
  enum class Of { time, energy, body, pair };
  Of of = Of::time;
  std::int32_t item = 0;  // body or pair
  std::int32_t part = 0;  // place in the list of names below
};
// Orientations are given by where the body's own axes point: unlike a quaternion's, these numbers
// do not jump.
inline constexpr std::array<std::string_view, 4> kEnergyParts{"kinetic", "potential", "dissipated",
                                                              "work"};
inline constexpr std::array<std::string_view, 20> kBodyParts{
    "x",  "y",  "z",  "vx", "vy", "vz", "wx", "wy", "wz",    "xx",
    "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz", "speed", "kinetic"};
inline constexpr std::array<std::string_view, 5> kPairParts{"gap", "normal_force", "friction",
                                                            "slip", "spin"};

struct Probe {
  static constexpr std::size_t kMostVariables = 64;

  std::string name, unit;
  Expression formula;
  std::vector<ProbeVariable> variables;  // of the formula, in its order
  bool event = true;                     // whether its zeros are events
};

// The pairs whose gap, forces or slip the probes and stops of a model use, in order.
std::vector<int> pairs_asked_for(const Model& model);

// One value for each of `probes`, which are those of the model or its stops. Bodies are in the
// scene's order; contacts are sorted by pair and have a row for each pair that the formulas use.
// Allocates only if `values` is too small.
void evaluate(const Model& model, std::span<const Probe> probes, double t,
              std::span<const BodyFrame> bodies, std::span<const ContactFrame> contacts,
              const EnergyFrame& energy, std::vector<double>& values);

}  // namespace oloid::world
