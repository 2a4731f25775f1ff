#include "distance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "find_scene.h"
#include "oloid/io/files/output_file.h"
#include "oloid/io/record/json_distances.h"
#include "oloid/world/tools/distances.h"
#include "output_files.h"
#include "refuse.h"

namespace oloid::app {
namespace {

std::string vector(const Vec3<double>& v, double noise) {
  const auto part = [noise](double x) { return std::abs(x) < noise ? 0.0 : x; };
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", part(v.x()), part(v.y()), part(v.z()));
}

// Lines of words, each column as wide as its widest word.
class Table {
 public:
  explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print() const {
    std::vector<std::size_t> widths(rows_.front().size(), 0);
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line += fmt::format("{:<{}}  ", row[i], widths[i]);
      line.erase(line.find_last_not_of(' ') + 1);
      fmt::print("{}\n", line);
    }
  }
  bool empty() const { return rows_.size() == 1; }

 private:
  std::vector<std::vector<std::string>> rows_;
};

void print_tables(const std::vector<BodyDistance>& all) {
  Table where({"#", "bodies A, B", "gap [m]", "status", "on", "point of A [m]", "point of B [m]",
               "normal"});
  Table how(
      {"#", "conformity", "relative curvatures [1/m]", "iterations", "residual", "condition"});
  int number = 0;
  for (const BodyDistance& distance : all) {
    const double noise = 1e-14 * distance.length;
    for (const NearPair& pair : distance.pairs) {
      const std::string count = fmt::format("{}", ++number);
      where.add({count, fmt::format("{}, {}", distance.bodies[0], distance.bodies[1]),
                 fmt::format("{:.12g}", std::abs(pair.gap) < noise ? 0.0 : pair.gap), pair.status,
                 fmt::format("{}, {}", pair.on[0].feature, pair.on[1].feature),
                 vector(pair.on[0].point, noise), vector(pair.on[1].point, noise),
                 vector(pair.normal, 1e-14)});
      how.add({count, fmt::format("{:.3g}", pair.conformity),
               pair.relative_curvatures
                   ? fmt::format("{:.6g}, {:.6g}", pair.relative_curvatures->x(),
                                 pair.relative_curvatures->y())
                   : "-",
               fmt::format("{}", pair.iterations), fmt::format("{:.1e}", pair.residual),
               fmt::format("{:.3g}", pair.condition)});
    }
  }
  if (where.empty()) return;
  where.print();
  fmt::print("\n");
  how.print();
  fmt::print("\n");
}

// Whether an overlap is told by a pair.
bool has_depth(const BodyDistance& distance) {
  return (!distance.pairs.empty() && distance.pairs.front().gap < 0) ||
         (distance.farther && *distance.farther < 0);
}

bool is_whole(const BodyDistance& distance) {
  return !distance.tried && (!distance.overlap || has_depth(distance));
}

// What the table cannot say, in sentences.
void print_notes(const BodyDistance& distance) {
  const std::string names = fmt::format("{}, {}", distance.bodies[0], distance.bodies[1]);
  if (distance.tried) {
    fmt::print("{}: no nearest pair found; the best attempt ended with {}, residual {:.1e}\n",
               names, distance.tried->status, distance.tried->residual);
  } else if (distance.farther) {
    fmt::print("{}: nothing within {:g} m; the smallest gap is {:.12g} m\n", names,
               distance.threshold, *distance.farther);
  }
  if (distance.overlap && !distance.pairs.empty() && distance.pairs.front().gap < 0) {
    fmt::print(
        "{}: the bodies overlap; moving A by {:.6g} m along the normal separates them there\n",
        names, -distance.pairs.front().gap);
  } else if (distance.overlap && !has_depth(distance)) {
    fmt::print("{}: the bodies interpenetrate; no motion that separates them was found\n", names);
  }
  for (const NearPair& pair : distance.pairs) {
    if (pair.status == "conforming") {
      fmt::print("{}: nearly flat against each other along {}\n", names, vector(pair.soft, 1e-14));
    } else if (pair.status == "continuum") {
      fmt::print("{}: one of infinitely many equally near pairs, which continue along {}\n", names,
                 vector(pair.soft, 1e-14));
    }
  }
}

}  // namespace

ExitCode tell_distances(const DistanceRequest& request) {
  if (request.within && !std::isfinite(*request.within)) {
    return refused({{{"--within", "", 0, 0},
                     fmt::format("the threshold is {}", *request.within),
                     "specify a length in metres"}},
                   kUsage);
  }
  const auto scene = find_scene(request.scene_file, request.options);
  if (!scene) return refused(scene.error(), kBadInput);
  if (const auto error = named_twice(inputs_of(scene->spec, scene->file), {request.json}))
    return refused({*error}, kUsage);
  DistanceOptions options{request.within};
  if (!request.pair.empty()) options.bodies = {request.pair[0], request.pair[1]};
  const auto found = distances(scene->spec, options);
  if (!found) return refused(found.error(), kBadInput);
  if (!request.json.empty()) {
    auto file = OutputFile::make(request.json);
    if (!file) return refused({file.error()}, kOutputFailed);
    file->write(json_distances(scene->spec.name, *found));
    file->commit();
    if (const auto& error = file->trouble()) return refused({*error}, kOutputFailed);
  }
  print_tables(*found);
  for (const BodyDistance& distance : *found) print_notes(distance);
  const auto certain = [](const BodyDistance& distance) { return distance.certified; };
  if (std::all_of(found->begin(), found->end(), certain)) {
    fmt::print("certified by bounds: no pair is missing\n");
  } else {
    for (const BodyDistance& distance : *found) {
      if (certain(distance)) continue;
      fmt::print(
          "{}, {}: searched from many starting points, not certified: a pair may be missing\n",
          distance.bodies[0], distance.bodies[1]);
    }
  }
  if (!request.json.empty()) fmt::print("wrote {}\n", request.json);
  const bool whole = std::all_of(found->begin(), found->end(), is_whole);
  return whole ? kOk : kStoppedEarly;
}

}  // namespace oloid::app
