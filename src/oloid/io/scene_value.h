// Turns one value of a scene file into a number, vector, text, ..., or says why it cannot.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "oloid/base/linalg.h"
#include "oloid/io/document.h"
#include "oloid/io/scene_schema.h"
#include "oloid/spatial/rotation.h"

namespace oloid {

using ControlNet = std::vector<std::vector<Vec3<double>>>;
// `friction = "unlimited"` and `spin = "stuck"` become infinity, `"free"` becomes 0; every other
// number is finite. Turns become a Quat, formulas that are numbers texts.
using SceneValue =
    std::variant<bool, double, std::string, Vec3<double>, Mat3<double>, Quat<double>,
                 std::vector<double>, std::vector<std::vector<double>>, std::vector<Vec2<double>>,
                 std::vector<Vec3<double>>, ControlNet, std::array<std::string, 2>,
                 std::array<Vec3<double>, 2>, std::vector<std::string>, std::array<std::string, 3>,
                 std::vector<Quat<double>>>;

// Collects what is wrong with one file.
class Complaints {
 public:
  explicit Complaints(std::string file) : file_(std::move(file)) {}

  Place place(Spot spot, std::string path) const {
    return {file_, std::move(path), spot.line, spot.column};
  }
  void add(Spot spot, const std::string& path, std::string message, std::string remedy);
  bool empty() const { return errors_.empty(); }
  // In the order of the file; a long list is cut and says so.
  Errors take();

 private:
  std::string file_;
  Errors errors_;
};

// Empty after a complaint. Not for tables: these are read key by key.
std::optional<SceneValue> read_value(const SceneKey& key, const Node& node, const std::string& path,
                                     Complaints& complaints);

}  // namespace oloid
