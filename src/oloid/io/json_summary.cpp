#include "oloid/io/json_summary.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "oloid/io/output_file.h"

namespace oloid {
namespace {

using Json = nlohmann::ordered_json;  // non-finite numbers are written as null

Json json(const Vec3<double>& v) { return {v.x(), v.y(), v.z()}; }
Json json(const Quat<double>& q) { return {q.w, q.x, q.y, q.z}; }

Json json(const Counters& c) {
  return {{"steps", c.steps},
          {"rejected_steps", c.rejected_steps},
          {"rates_calls", c.rates_calls},
          {"events", c.events},
          {"chart_crossings", c.chart_crossings},
          {"reanchorings", c.reanchorings},
          {"closest_calls", c.closest_calls}};
}

class JsonSummary final : public Recorder {
 public:
  explicit JsonSummary(OutputFile file) : file_(std::move(file)) {}

  void begin(const Header& header) override {
    scene_ = header.scene_name;
    bodies_ = header.bodies;
  }
  void frame(const Frame&) override {}
  void event(const Event& event) override { events_.push_back(event); }

  void end(const Summary& s) override {
    Json bodies = Json::array();
    for (std::size_t i = 0; i < s.bodies.size(); ++i) {
      bodies.push_back({{"name", body_name(i)},
                        {"position", json(s.bodies[i].position)},
                        {"quaternion_wxyz", json(s.bodies[i].orientation)},
                        {"velocity", json(s.bodies[i].velocity)},
                        {"angular_velocity", json(s.bodies[i].angular_velocity)}});
    }
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
                       {"bodies", bodies},
                       {"events", events},
                       {"probes", Json::object()},
                       {"counters", json(s.counters)}};
    file_.write(root.dump(2, ' ', false, Json::error_handler_t::replace));
    file_.write("\n");
    file_.commit();
  }
  std::optional<Error> trouble() const override { return file_.trouble(); }

 private:
  std::string body_name(std::size_t i) const { return i < bodies_.size() ? bodies_[i] : "?"; }

  Json json_event(const Event& e) const {
    Json names = Json::array();
    for (const BodyId id : e.bodies) {
      if (id.valid()) names.push_back(body_name(static_cast<std::size_t>(id.index)));
    }
    const Json contact = e.contact.valid() ? Json(e.contact.index) : Json(nullptr);
    return {{"t", e.t},           {"kind", name(e.kind)},     {"bodies", names},
            {"contact", contact}, {"before", name(e.before)}, {"after", name(e.after)}};
  }

  OutputFile file_;
  std::string scene_;
  std::vector<std::string> bodies_;
  std::vector<Event> events_;
};

}  // namespace

Result<std::unique_ptr<Recorder>> make_json_summary(const std::string& path) {
  auto file = OutputFile::make(path);
  if (!file) return Unexpected{file.error()};
  return std::unique_ptr<Recorder>(std::make_unique<JsonSummary>(std::move(*file)));
}

}  // namespace oloid
