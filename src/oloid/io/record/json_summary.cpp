#include "oloid/io/record/json_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "oloid/io/files/output_file.h"
#include "oloid/scene/contact_lives.h"

namespace oloid::io {
namespace {

using Json = nlohmann::ordered_json;  // non-finite numbers are written as null

Json components(const Vec3<double>& v) { return {v.x(), v.y(), v.z()}; }
Json components(const Quat<double>& q) { return {q.w, q.x, q.y, q.z}; }

Json json(const Counters& c) {
  return {{"steps", c.steps},
          {"rejected_steps", c.rejected_steps},
          {"rates_calls", c.rates_calls},
          {"events", c.events},
          {"chart_crossings", c.chart_crossings},
          {"reanchorings", c.reanchorings},
          {"closest_calls", c.closest_calls},
          {"witness_hits", c.witness_hits},
          {"witness_misses", c.witness_misses},
          {"witness_unknown", c.witness_unknown},
          {"witness_vanished", c.witness_vanished},
          {"witness_left", c.witness_left},
          {"newton_iterations", c.newton_iterations}};
}

// JSON numbers would lose digits.
Json json_hash(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

bool has_value(EventKind kind) {
  return kind != EventKind::take_off && kind != EventKind::output_failed &&
         kind != EventKind::interrupted && kind != EventKind::end;
}

// What is reported about a probe.
struct ProbeRange {
  double first = 0, last = 0, low = 0, high = 0;
  std::vector<double> zeros;  // [s]
};

class JsonSummary final : public Recorder {
 public:
  explicit JsonSummary(OutputFile file) : file_(std::move(file)) {}

  void begin(const Header& header) override {
    scene_ = header.scene_name;
    bodies_ = header.bodies;
    masses_ = header.masses;
    pairs_ = header.pairs;
    probes_ = header.probes;
    stops_ = header.stops;
    ranges_.resize(probes_.size());
  }

  EventDetail event_detail() const override {
    return probes_.empty() ? EventDetail::none : EventDetail::whole;
  }

  // NaN does not count for the smallest and largest value.
  void frame(const Frame& frame) override {
    for (std::size_t i = 0; i < std::min(ranges_.size(), frame.probes.size()); ++i) {
      const double x = frame.probes[i];
      ProbeRange& range = ranges_[i];
      if (!any_frame_) range = {x, x, x, x, std::move(range.zeros)};
      range.last = x;
      range.low = std::fmin(range.low, x);
      range.high = std::fmax(range.high, x);
    }
    any_frame_ = true;
  }

  void event(const Event& event) override {
    events_.push_back(event);
    contacts_.see(event);
    const auto probe = static_cast<std::size_t>(event.probe);
    if (event.kind == EventKind::probe && probe < ranges_.size())
      ranges_[probe].zeros.push_back(event.t);
  }

  void end(const Summary& s) override {
    Json events = Json::array();
    for (const Event& e : events_) events.push_back(json_event(e));
    const Json root = {{"scene", scene_},
                       {"t_end", s.t_end},
                       {"wall_s", s.wall_s},
                       {"steps", s.counters.steps},
                       {"rates_calls", s.counters.rates_calls},
                       {"energy",
                        {{"initial", s.energy.initial},
                         {"final", s.energy.final},
                         {"max_relative_drift", s.energy.max_relative_drift},
                         {"dissipated", s.energy.dissipated},
                         {"work", s.energy.work}}},
                       {"max_gap_error", s.max_gap_error},
                       {"hash", json_hash(s.hash)},
                       {"bodies", json_bodies(s)},
                       {"contacts", json_contacts()},
                       {"certified", json_certified(s.counters)},
                       {"events", events},
                       {"probes", json_probes()},
                       {"counters", json(s.counters)}};
    file_.write(root.dump(2, ' ', false, Json::error_handler_t::replace));
    file_.write("\n");
    file_.commit();
  }
  std::optional<Error> trouble() const override { return file_.trouble(); }

 private:
  std::string body_name(BodyId id) const {
    const auto i = static_cast<std::size_t>(id.index);
    return i < bodies_.size() ? bodies_[i] : "?";
  }

  // For which part of the time that a pair had to be watched no touch can have been missed.
  Json json_certified(const Counters& counters) const {
    Json list = Json::array();
    for (const WatchedTime& time : counters.watched) {
      const auto [A, B] = pairs_[static_cast<std::size_t>(time.pair)];
      list.push_back({{"bodies", {body_name(A), body_name(B)}},
                      {"watched", time.all},
                      {"share", time.all > 0 ? time.certified / time.all : 1.0}});
    }
    return list;
  }

  // Bodies that move have a hash.
  Json json_bodies(const Summary& s) const {
    Json bodies = Json::array();
    std::size_t moving = 0;
    for (std::size_t i = 0; i < s.bodies.size(); ++i) {
      bodies.push_back({{"name", body_name(BodyId{static_cast<std::int32_t>(i)})},
                        {"position", components(s.bodies[i].position)},
                        {"quaternion_wxyz", components(s.bodies[i].orientation)},
                        {"velocity", components(s.bodies[i].velocity)},
                        {"angular_velocity", components(s.bodies[i].angular_velocity)}});
      if (s.bodies[i].ended) bodies.back()["ended"] = true;
      if (i >= masses_.size() || !(masses_[i] > 0)) continue;
      if (moving < s.hashes.size()) bodies.back()["hash"] = json_hash(s.hashes[moving]);
      ++moving;
    }
    return bodies;
  }

  // In order of their numbers; one that lasts has no end.
  Json json_contacts() const {
    std::vector<ContactLife> lives = contacts_.all();
    std::sort(lives.begin(), lives.end(),
              [](const ContactLife& a, const ContactLife& b) { return a.id < b.id; });
    Json contacts = Json::array();
    for (const ContactLife& life : lives) {
      const auto [a, b] = pairs_[static_cast<std::size_t>(life.pair)];
      contacts.push_back({{"id", life.id.index},
                          {"pair", life.pair},
                          {"bodies", {body_name(a), body_name(b)}},
                          {"t0", life.t0},
                          {"t1", life.t1}});
    }
    return contacts;
  }

  Json json_probes() const {
    Json probes = Json::array();
    for (std::size_t i = 0; i < probes_.size(); ++i) {
      const ProbeRange& range = ranges_[i];
      probes.push_back({{"name", probes_[i].name},
                        {"unit", probes_[i].unit},
                        {"formula", probes_[i].formula},
                        {"first", range.first},
                        {"last", range.last},
                        {"min", range.low},
                        {"max", range.high},
                        {"zeros", range.zeros}});
    }
    return probes;
  }

  // The name of a probe, the formula of a stop condition.
  Json json_probe(const Event& e) const {
    const auto i = static_cast<std::size_t>(e.probe);
    if (e.kind == EventKind::stopped) return i < stops_.size() ? Json(stops_[i]) : Json(nullptr);
    return i < probes_.size() ? Json(probes_[i].name) : Json(nullptr);
  }

  Json json_event(const Event& e) const {
    Json names = Json::array();
    for (const BodyId id : e.bodies) {
      if (id.valid()) names.push_back(body_name(id));
    }
    Json event = {
        {"t", e.t},
        {"kind", name(e.kind)},
        {"bodies", names},
        {"pair", e.pair >= 0 ? Json(e.pair) : Json(nullptr)},
        {"contact", e.contact.valid() ? Json(e.contact.index) : Json(nullptr)},
        {"features", e.pair >= 0 ? Json::array({to_string(e.features[0]), to_string(e.features[1])})
                                 : Json::array()},
        {"before", name(e.before)},
        {"after", name(e.after)}};
    if (has_value(e.kind)) event["value"] = e.value;
    if (!e.note.empty()) event["note"] = e.note;
    if (e.probe >= 0) event["probe"] = json_probe(e);
    return event;
  }

  OutputFile file_;
  std::string scene_;
  std::vector<std::string> bodies_;
  std::vector<double> masses_;
  BodyPairs pairs_;
  std::vector<ProbeHeader> probes_;
  std::vector<std::string> stops_;
  std::vector<ProbeRange> ranges_;  // of the probes
  bool any_frame_ = false;
  std::vector<Event> events_;
  ContactLives contacts_;
};

}  // namespace

Result<std::unique_ptr<Recorder>> make_json_summary(const std::string& path) {
  auto file = OutputFile::make(path);
  if (!file) return Unexpected{file.error()};
  return std::unique_ptr<Recorder>(std::make_unique<JsonSummary>(std::move(*file)));
}

}  // namespace oloid::io
