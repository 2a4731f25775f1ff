// Turns one value of a scene file into a number, vector, text, ..., or says why it cannot.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "oloid/base/linalg.h"
#include "oloid/io/scene_text/complaints.h"
#include "oloid/io/scene_text/document.h"
#include "oloid/io/scene_text/scene_schema.h"
#include "oloid/spatial/rotation.h"

namespace oloid::io {

using ControlNet = std::vector<std::vector<Vec3<double>>>;
// `friction = "unlimited"` and `spin = "stuck"` become infinity, `"free"` becomes 0; every other
// number is finite. Texts that are formulas of parameters become numbers, turns a Quat; formulas in
// other variables are texts with numbers in the place of parameters.
using SceneValue =
    std::variant<bool, double, std::string, Vec3<double>, Mat3<double>, Quat<double>,
                 std::vector<double>, std::vector<std::vector<double>>, std::vector<Vec2<double>>,
                 std::vector<Vec3<double>>, ControlNet, std::array<std::string, 2>,
                 std::array<Vec3<double>, 2>, std::vector<std::string>, std::array<std::string, 3>,
                 std::vector<Quat<double>>>;

// Empty after a complaint. Not for tables: these are read key by key.
std::optional<SceneValue> read_value(const SceneKey& key, const Node& node, const std::string& path,
                                     Complaints& complaints);

}  // namespace oloid::io
