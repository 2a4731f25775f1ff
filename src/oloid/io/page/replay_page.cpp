#include "oloid/io/page/replay_page.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unordered_map>

#include "oloid/base/contract.h"
#include "oloid/io/files/base64.h"
#include "oloid/io/files/number_blob.h"
#include "oloid/io/files/output_file.h"
#include "oloid/io/mesh/simplify_mesh.h"
#include "oloid/io/page/page_frames.h"
#include "oloid/io/page/replay_template.h"
#include "oloid/io/plot/mode_colours.h"
#include "oloid/io/record/record_layout.h"
#include "oloid/scene/describe_event.h"

namespace oloid::io {
namespace {

using Json = nlohmann::ordered_json;

// Columns of a contact that the page shows; `friction` is called friction_force there.
constexpr std::string_view kShown[] = {"mode", "gap",  "point_a",      "point_b",  "normal",
                                       "slip", "spin", "normal_force", "friction", "moment"};
constexpr std::size_t kFewContacts = 8;        // all are kept, whether they ever close or not
constexpr std::size_t kFewestVertices = 1500;  // of a body

bool is_shown(const FrameColumn<ContactFrame>& column) {
  return std::find(std::begin(kShown), std::end(kShown), column.name) != std::end(kShown);
}

bool is_shown(const FrameColumn<BodyFrame>& column) { return column.type == ColumnType::number; }

// Arrays of numbers in a page, each with its position; equal arrays are stored once.
class Blob {
 public:
  template <class T>
  Json add(const char* type, const std::vector<T>& values) {
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof(T));
    std::size_t& offset =
        known_.try_emplace(std::hash<std::string_view>{}(bytes), kNowhere).first->second;
    if (offset == kNowhere || std::string_view(blob_.bytes()).substr(offset, bytes.size()) != bytes)
      offset = blob_.add(std::span<const T>(values));
    return {{"type", type}, {"offset", offset}, {"count", values.size()}};
  }
  Json add(const std::vector<Vec3<double>>& points) { return add("f32", singles(points, single)); }
  std::string text() const { return base64(blob_.bytes()); }

 private:
  static constexpr std::size_t kNowhere = std::string::npos;
  NumberBlob blob_{8};
  std::unordered_map<std::size_t, std::size_t> known_;  // hash of an array to where it is
};

Json lines(Blob& blob, const std::vector<Polyline>& chains) {
  if (chains.empty()) return nullptr;
  Polyline points;
  std::vector<std::uint32_t> starts;
  for (const Polyline& chain : chains) {
    starts.push_back(static_cast<std::uint32_t>(points.size()));
    points.insert(points.end(), chain.begin(), chain.end());
  }
  starts.push_back(static_cast<std::uint32_t>(points.size()));
  return {{"points", blob.add(points)}, {"starts", blob.add("u32", starts)}};
}

Json mesh_of(Blob& blob, const SimplifiedMesh& simple) {
  const DisplayMesh& mesh = simple.mesh;
  if (mesh.empty()) return nullptr;
  std::vector<std::uint32_t> corners;
  for (const auto& triangle : mesh.triangles)
    for (const std::int32_t i : triangle) corners.push_back(static_cast<std::uint32_t>(i));
  return {{"vertices", blob.add(mesh.vertices)},
          {"normals", blob.add(mesh.normals)},
          {"triangles", blob.add("u32", corners)},
          {"moved", simple.moved}};
}

// A coefficient of friction; JSON has no infinite numbers.
Json coefficient(double mu) { return std::isinf(mu) ? Json("unlimited") : Json(mu); }

// What a scene says of itself: its first comment that is not just the name of a file.
std::string first_comment(const std::string& scene_text) {
  std::istringstream lines(scene_text);
  for (std::string line; std::getline(lines, line) && line.starts_with('#');) {
    const std::size_t start = line.find_first_not_of("# \t");
    const std::size_t end = line.find_last_not_of(" \t\r") + 1;
    if (start == std::string::npos || start >= end) continue;
    if (!line.substr(0, end).ends_with(".toml")) return line.substr(start, end - start);
  }
  return "";
}

// Half the extent of the smallest body that moves. [m]
double length_of(const Header& header) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < header.meshes.size(); ++i) {
    double extent = 0;
    for (const Vec3<double>& p : header.meshes[i].vertices) extent = std::max(extent, p.norm());
    if (header.masses[i] > 0 && extent > 0) least = std::min(least, extent);
  }
  return std::isfinite(least) ? least : 1;
}

bool ends_well(EventKind kind) {
  return kind == EventKind::end || kind == EventKind::stopped || kind == EventKind::open_border;
}

class ReplayPage final : public Recorder {
 public:
  ReplayPage(OutputFile file, const PageLimits& limits)
      : file_(std::move(file)), limits_(limits), frames_(limits.numbers) {}

  void begin(const Header& header) override {
    header_ = header;
    if (header.pairs.size() > kFewContacts) return;
    for (std::size_t i = 0; i < header.pairs.size(); ++i) show(i);
  }

  EventDetail event_detail() const override { return usual_detail(header_, EventDetail::none); }

  void frame(const Frame& frame) override {
    const EnergyFrame& e = frame.energy;
    if (frames_.seen() == 0) start_ = e;
    const double potential = e.potential - start_.potential;
    const double error = e.balance() - start_.balance();
    most_kinetic_ = std::max(most_kinetic_, e.kinetic);
    row_.clear();
    for (const BodyFrame& body : frame.bodies)
      for (const auto& column : kBodyColumns)
        if (is_shown(column)) put(column, body);
    for (const double x :
         {e.kinetic, potential, e.dissipated, e.work, e.kinetic + potential, std::abs(error)})
      row_.push_back(single(x));
    for (const double x : frame.probes) row_.push_back(single(x));
    for (const ContactFrame& c : frame.contacts)
      if (c.mode != Mode::separated) show(static_cast<std::size_t>(c.pair));
    for (const std::size_t i : shown_) put_contact(first_of(frame.contacts, static_cast<int>(i)));
    frames_.add(frame.t, frame.event_side, row_);
  }

  void event(const Event& event) override {
    ++events_seen_;
    complete_ = ends_well(event.kind);
    if (events_.size() >= std::max<std::size_t>(limits_.events, 1)) events_.pop_back();
    events_.emplace_back(event, event.note);
  }

  void end(const Summary& summary) override {
    frames_.finish();
    Blob blob;
    const std::string meta = meta_of(summary, blob);
    std::string_view page = kReplayTemplate;
    for (const auto& [mark, text] :
         {std::pair<std::string_view, std::string>{kMeta, meta}, {kNumbers, blob.text()}}) {
      const std::size_t at = page.find(mark);
      OLOID_EXPECT(at != std::string_view::npos);
      file_.write(page.substr(0, at));
      file_.write(text);
      page.remove_prefix(at + mark.size());
    }
    file_.write(page);
    file_.commit();
  }
  std::optional<Error> trouble() const override { return file_.trouble(); }

 private:
  static constexpr std::string_view kMeta = "<!--oloid:meta-->", kNumbers = "<!--oloid:blob-->";

  template <class T>
  void put(const FrameColumn<T>& column, const T& frame) {
    double x[kWidest];
    column.get(frame, x);
    for (std::size_t k = 0; k < column.width; ++k) row_.push_back(single(x[k]));
  }

  // The first contact of a pair; unknown while the bodies are far apart.
  void put_contact(const ContactFrame* contact) {
    static const ContactFrame far = [] {
      ContactFrame c;
      c.gap = c.spin = std::nan("");
      c.point_A = c.point_B = c.normal = c.slip = Vec3<double>::Constant(std::nan(""));
      return c;
    }();
    for (const auto& column : kContactColumns)
      if (is_shown(column)) put(column, contact ? *contact : far);
  }

  // Gives a pair a place in the page, after those that have one.
  void show(std::size_t pair) {
    if (shown_as_.emplace(pair, static_cast<int>(shown_.size())).second) shown_.push_back(pair);
  }

  Json json(Event e, const std::string& note) const {
    e.note = note;
    const auto shown = shown_as_.find(static_cast<std::size_t>(e.pair));
    const int contact = e.pair >= 0 && shown != shown_as_.end() ? shown->second : -1;
    return {{"t", e.t},
            {"kind", name(e.kind)},
            {"meaning", meaning(e.kind)},
            {"quiet", is_quiet(e.kind)},
            {"a", e.bodies[0].index},
            {"b", e.bodies[1].index},
            {"contact", contact},
            {"before", name(e.before)},
            {"after", name(e.after)},
            {"value", e.value},
            {"probe", e.probe},
            {"text", describe(e, header_)}};
  }

  // The next `width` columns of all frames.
  std::vector<float> take(std::size_t& column, std::size_t width) const {
    std::vector<float> values;
    values.reserve(width * frames_.size());
    for (std::size_t i = 0; i < frames_.size(); ++i)
      for (std::size_t k = 0; k < width; ++k) values.push_back(frames_.number(i, column + k));
    column += width;
    return values;
  }

  Json bodies(Blob& blob, std::size_t& column) const {
    Json list = Json::array();
    const std::size_t share = limits_.vertices / std::max<std::size_t>(header_.bodies.size(), 1);
    for (std::size_t i = 0; i < header_.bodies.size(); ++i) {
      Json& body =
          list.emplace_back(Json{{"name", header_.bodies[i]}, {"mass", header_.masses[i]}});
      for (const auto& c : kBodyColumns)
        if (is_shown(c)) body[c.name] = blob.add("f32", take(column, c.width));
      const SimplifiedMesh simple =
          simplified(i < header_.meshes.size() ? header_.meshes[i] : DisplayMesh{},
                     std::max(share, kFewestVertices));
      body["mesh"] = mesh_of(blob, simple);
      body["borders"] = lines(blob, simple.mesh.borders);
      body["lines"] = lines(blob, simple.mesh.parameter_lines);
    }
    return list;
  }

  Json contacts(Blob& blob, std::size_t& column) const {
    Json list = Json::array();
    for (const std::size_t i : shown_) {
      const auto [a, b] = header_.pairs[i];
      Json& contact = list.emplace_back(Json{{"a", a.index}, {"b", b.index}});
      const ContactFriction* friction = header_.friction.find(a, b);
      contact["friction"] = friction ? coefficient(friction->sliding) : Json();
      contact["static_friction"] = friction ? coefficient(friction->still) : Json();
      for (const auto& c : kContactColumns) {
        if (!is_shown(c)) continue;
        const std::vector<float> values = take(column, c.width);
        if (c.type == ColumnType::mode) {
          std::vector<std::int8_t> modes;
          modes.reserve(values.size());
          for (const float x : values)  // not a number: before it first closed
            modes.push_back(std::isnan(x) ? std::int8_t{0} : static_cast<std::int8_t>(x));
          contact[c.name] = blob.add("i8", modes);
        } else {
          const bool force = std::string_view(c.name) == "friction";
          contact[force ? "friction_force" : c.name] = blob.add("f32", values);
        }
      }
    }
    return list;
  }

  Json energy(Blob& blob, std::size_t& column) const {
    Json parts;
    for (const char* part : {"kinetic", "potential", "dissipated", "work", "total"})
      parts[part] = blob.add("f32", take(column, 1));
    std::vector<float> error = take(column, 1);
    // As docs/notation.md says, but at frames, and with the largest kinetic energy of all.
    const double reference = header_.energy_reference(most_kinetic_);
    for (float& x : error) x = reference > 0 ? static_cast<float>(x / reference) : 0;
    parts["error"] = blob.add("f32", error);
    return parts;
  }

  Json probes(Blob& blob, std::size_t& column) const {
    Json list = Json::array();
    for (const ProbeHeader& probe : header_.probes) {
      list.push_back({{"name", probe.name},
                      {"unit", probe.unit},
                      {"formula", probe.formula},
                      {"values", blob.add("f32", take(column, 1))}});
    }
    return list;
  }

  std::string meta_of(const Summary& summary, Blob& blob) const {
    const Vec3<double>& g = header_.gravity;
    Json meta{{"format", 1},
              {"scene", header_.scene_name},
              {"about", first_comment(header_.scene_text)},
              {"oloid", header_.oloid_version},
              {"duration", header_.duration},
              {"output_dt", header_.output_dt},
              {"gravity", {g.x(), g.y(), g.z()}},
              {"length", length_of(header_)},
              {"complete", complete_},
              {"frames", frames_.size()},
              {"frames_recorded", frames_.seen()},
              {"kept_every", frames_.kept_every()},
              {"event_frames_dropped", frames_.event_frames_dropped()},
              {"contacts_recorded", header_.pairs.size()},
              {"events_recorded", events_seen_}};
    std::vector<double> t;
    std::vector<std::int8_t> side;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      t.push_back(frames_.t(i));
      side.push_back(static_cast<std::int8_t>(frames_.side(i)));
    }
    meta["t"] = blob.add("f64", t);
    meta["event_side"] = blob.add("i8", side);
    std::size_t column = 0;  // in the order in which frame() puts them
    meta["bodies"] = bodies(blob, column);
    meta["energy"] = energy(blob, column);
    meta["probes"] = probes(blob, column);
    meta["contacts"] = contacts(blob, column);
    for (const Mode mode : kModes) {
      meta["modes"].push_back(name(mode));
      meta["mode_colours"]["light"].push_back(colours_of(mode).on_light);
      meta["mode_colours"]["dark"].push_back(colours_of(mode).on_dark);
    }
    meta["events"] = Json::array();
    for (const auto& [event, note] : events_) meta["events"].push_back(json(event, note));
    meta["summary"] = {{"t_end", summary.t_end},
                       {"wall_s", summary.wall_s},
                       {"energy_max_relative_drift", summary.energy.max_relative_drift},
                       {"max_gap_error", summary.max_gap_error},
                       {"steps", summary.counters.steps}};
    if (!complete_ && summary.counters.steps == 0) meta["summary"] = nullptr;  // not known
    // Text from a scene must not end the HTML element it is written into, nor be invalid UTF-8.
    std::string text = meta.dump(-1, ' ', false, Json::error_handler_t::replace);
    for (std::size_t i = 0; (i = text.find('<', i)) != std::string::npos;)
      text.replace(i, 1, "\\u003c");
    return text;
  }

  OutputFile file_;
  PageLimits limits_;
  Header header_;
  PageFrames frames_;
  std::vector<float> row_;
  std::vector<std::size_t> shown_;       // pairs in the page
  std::map<std::size_t, int> shown_as_;  // by pair: its place among them; of others: none
  std::vector<std::pair<Event, std::string>> events_;  // with their notes
  std::int64_t events_seen_ = 0;
  EnergyFrame start_;
  double most_kinetic_ = 0;
  bool complete_ = false;
};

}  // namespace

Result<std::unique_ptr<Recorder>> make_replay_page(const std::string& path,
                                                   const PageLimits& limits) {
  auto file = OutputFile::make(path);
  if (!file) return Unexpected{file.error()};
  return std::unique_ptr<Recorder>(std::make_unique<ReplayPage>(*std::move(file), limits));
}

}  // namespace oloid::io
