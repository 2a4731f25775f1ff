// Runs a scene file through the program, as a user would, and reads back what it has written.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/rooms.h"

namespace oloid::test {

using nlohmann::json;
using Vector = Eigen::Vector3d;
using Matrix = Eigen::Matrix3d;
using Numbers = std::vector<double>;

inline std::string program() {
  if (const char* path = std::getenv("OLOID_BIN")) return path;
#ifdef OLOID_BIN
  return OLOID_BIN;
#else
  return "oloid";
#endif
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << "cannot open " << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A directory that lives as long as this object.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "oloid_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary directory";
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// One row of the CSV table.
struct Row {
  const std::map<std::string, std::size_t>* columns = nullptr;
  std::vector<std::string> cells;
  std::string body, contact;  // names of the moving body and of its contact in the titles

  const std::string& text(const std::string& title) const {
    static const std::string kNone = "nan";
    const auto found = columns->find(title);
    if (found == columns->end()) {
      ADD_FAILURE() << "no column " << title;
      return kNone;
    }
    return cells[found->second];
  }
  double number(const std::string& title) const { return std::stod(text(title)); }
  Vector vector(const std::string& what, const std::string& unit) const {
    const auto part = [&](const char* axis) { return number(what + axis + " [" + unit + "]"); };
    return {part(".x"), part(".y"), part(".z")};
  }

  double t() const { return number("t [s]"); }
  int event_side() const { return std::stoi(text("event_side")); }
  double energy() const { return number("kinetic [J]") + number("potential [J]"); }
  Vector position() const { return vector(body + ".position", "m"); }
  Vector velocity() const { return vector(body + ".velocity", "m/s"); }
  Vector angular_velocity() const { return vector(body + ".angular_velocity", "rad/s"); }
  Eigen::Quaterniond orientation() const {
    const auto part = [&](const char* axis) {
      return number(body + ".orientation" + axis + " [1]");
    };
    return {part(".w"), part(".x"), part(".y"), part(".z")};
  }
  Matrix R() const { return orientation().toRotationMatrix(); }
  Vector point() const { return vector(contact + ".point_b", "m"); }
  Vector normal() const { return vector(contact + ".normal", "1"); }  // outward from the body
  double normal_force() const { return number(contact + ".normal_force [N]"); }
  Vector friction() const { return vector(contact + ".friction", "N"); }
};

// A quantity over time, at equal intervals, interpolated by polynomials of degree 9.
class Series {
 public:
  Series(Numbers t, Numbers x) : t_(std::move(t)), x_(std::move(x)) {}

  double operator()(double t) const {
    constexpr std::size_t kPoints = 10;
    if (t_.size() < kPoints) return NAN;
    std::size_t first = 0;
    while (first + kPoints < t_.size() && t_[first + kPoints / 2] <= t) ++first;
    double sum = 0;
    for (std::size_t i = first; i < first + kPoints; ++i) {
      double weight = 1;
      for (std::size_t j = first; j < first + kPoints; ++j) {
        if (j != i) weight *= (t - t_[j]) / (t_[i] - t_[j]);
      }
      sum += weight * x_[i];
    }
    return sum;
  }

  // Times after `from` at which the quantity passes zero, in order.
  Numbers roots(double from = 0) const {
    Numbers result;
    for (std::size_t i = 0; i + 1 < t_.size(); ++i) {
      if (t_[i] <= from || x_[i] * x_[i + 1] > 0) continue;
      double low = t_[i], high = t_[i + 1];
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        ((*this)(middle)*x_[i] > 0 ? low : high) = middle;
      }
      result.push_back(0.5 * (low + high));
    }
    return result;
  }

  double least() const {
    std::size_t k = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (x_[i] < x_[k]) k = i;
    }
    if (k == 0 || k + 1 == x_.size()) return x_[k];
    double low = t_[k - 1], high = t_[k + 1];
    for (int i = 0; i < 100; ++i) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      ((*this)(a) > (*this)(b) ? low : high) = (*this)(a) > (*this)(b) ? a : b;
    }
    return (*this)(0.5 * (low + high));
  }

  // Angles given modulo a turn, made continuous.
  Series unwrapped() const {
    Series result = *this;
    for (std::size_t i = 1; i < x_.size(); ++i) {
      result.x_[i] =
          result.x_[i - 1] + std::remainder(x_[i] - result.x_[i - 1], 2 * std::acos(-1.0));
    }
    return result;
  }

 private:
  Numbers t_, x_;
};

// What a run has left behind.
struct CaseRun {
  json summary;
  std::map<std::string, std::size_t> columns;
  std::vector<Row> rows;

  CaseRun() = default;
  CaseRun(const CaseRun&) = delete;  // rows refer to columns
  CaseRun& operator=(const CaseRun&) = delete;

  const Row& start() const { return rows.front(); }
  const Row& at(double t) const {
    for (const Row& row : rows) {
      if (row.event_side() == 0 && std::abs(row.t() - t) < 1e-9) return row;
    }
    ADD_FAILURE() << "no frame at t = " << t;
    return rows.back();
  }
  // The frame just before (-1) or after (+1) the first event of this kind.
  const Row& at_event(const std::string& kind, int side) const {
    for (const Row& row : rows) {
      if (row.event_side() == side && row.t() == event_time(kind)) return row;
    }
    ADD_FAILURE() << "no frame at the event " << kind;
    return rows.back();
  }
  double event_time(const std::string& kind) const {
    for (const json& event : summary["events"]) {
      if (event["kind"] == kind) return event["t"];
    }
    ADD_FAILURE() << "no event " << kind;
    return NAN;
  }
  // What happened besides the start, the end and changes of coordinates.
  std::vector<std::string> events() const {
    std::vector<std::string> result;
    for (const json& event : summary["events"]) {
      const std::string kind = event["kind"];
      if (kind != "contact_start" && kind != "chart_crossing" && kind != "end")
        result.push_back(kind);
    }
    return result;
  }
  // A quantity at all regular frames later than `from`.
  Series series(const std::function<double(const Row&)>& quantity, double from = -1) const {
    Numbers t, x;
    for (const Row& row : rows) {
      if (row.event_side() != 0 || row.t() <= from) continue;
      t.push_back(row.t());
      x.push_back(quantity(row));
    }
    return {t, x};
  }
};

inline void read_table(const std::string& text, CaseRun& run) {
  std::istringstream lines(text);
  std::string line;
  const auto cells = [](const std::string& from) {
    std::vector<std::string> result;
    std::istringstream stream(from);
    std::string cell;
    while (std::getline(stream, cell, ',')) result.push_back(cell);
    return result;
  };
  std::getline(lines, line);
  std::string contact;
  for (const std::string& title : cells(line)) {
    const std::size_t mode = title.rfind(".mode");
    if (mode != std::string::npos) contact = title.substr(0, mode);
    run.columns.emplace(title, run.columns.size());
  }
  const std::string body = contact.substr(0, contact.find('-'));
  while (std::getline(lines, line)) run.rows.push_back({&run.columns, cells(line), body, contact});
}

// The text of a scene, to be read from another folder.
inline std::string scene_text(const std::string& file) {
  std::string text = read_text(std::string(OLOID_SCENES) + "/" + file);
  const std::string shapes = "\"../shapes/";
  for (std::size_t at; (at = text.find(shapes)) != std::string::npos;)
    text.replace(at, shapes.size(), "\"" + std::string(OLOID_SCENES) + "/shapes/");
  return text;
}

// Runs scenes/<scene> with `more` appended to its text.
inline std::unique_ptr<CaseRun> run_scene(const std::string& scene, const std::string& more = "",
                                          int exit_code = 0) {
  const WorkFolder folder;
  auto run = std::make_unique<CaseRun>();
  std::ofstream(folder / "scene.toml") << scene_text(scene) << more;
  const auto place = [&](const std::string& file) {
    std::string text(1, '\'');
    text.append((folder / file).string()).append("'");
    return text;
  };
  std::ostringstream command;
  command << "'" << program() << "' run " << place("scene.toml") << " --json " << place("run.json")
          << " --event-rows --csv " << place("run.csv") << " > " << place("log") << " 2>&1";
  const int status = std::system(command.str().c_str());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == exit_code)
      << command.str() << "\nended with status " << status << "\n"
      << read_text(folder / "log");
  run->summary = json::parse(read_text(folder / "run.json"), nullptr, false);
  if (run->summary.is_discarded()) ADD_FAILURE() << "no summary";
  read_table(read_text(folder / "run.csv"), *run);
  if (run->rows.empty()) {
    ADD_FAILURE() << "no frames";
    run->rows.emplace_back(Row{&run->columns, {}, "", ""});
  }
  return run;
}

inline std::unique_ptr<CaseRun> run_case(const std::string& name, const std::string& more = "",
                                         int exit_code = 0) {
  return run_scene("cases/" + name + ".toml", more, exit_code);
}

// What `oloid distance` says of scenes/apart/<name>.toml: one entry for each two bodies.
inline json distances_in(const std::string& name) {
  const WorkFolder folder;
  const std::string out = (folder / "distances.json").string();
  const std::string command = "'" + program() + "' distance '" + std::string(OLOID_SCENES) +
                              "/apart/" + name + ".toml' --json '" + out + "' > /dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const json root = json::parse(read_text(out), nullptr, false);
  EXPECT_FALSE(root.is_discarded()) << command;
  return root.is_discarded() ? json::array() : root["distances"];
}

}  // namespace oloid::test
