// The way out: whoever wants to keep frames and events of a run implements Recorder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/scene/body_pairs.h"
#include "oloid/scene/display_mesh.h"
#include "oloid/scene/event.h"
#include "oloid/scene/frame.h"
#include "oloid/scene/pair_table.h"
#include "oloid/scene/scene_file.h"

namespace oloid::scene {

// A formula that is recorded along the run.
struct ProbeHeader {
  std::string name, unit, formula;
  bool event = true;  // whether its zeros are events
};

// What a contact resists sliding with. Infinite: it never slides; 0: without friction.
struct ContactFriction {
  double still = 0;    // [1], coefficient while it does not slide
  double sliding = 0;  // [1]
};

struct Header {
  std::string scene_name;
  std::string scene_text;
  std::string scene_file;
  std::vector<SceneFile> files;        // that the scene names
  std::vector<std::string> overrides;  // "PATH=VALUE", applied to the scene: --set
  std::string oloid_version;
  std::string build;             // compiler and kind of build: others may round differently
  double duration = 0;           // [s]
  double output_dt = 0;          // [s]
  bool chart_crossings = false;  // whether they are events; they are always counted
  Vec3<double> gravity{0, 0, 0};
  double energy_scale = 0;  // [J], m g ℓ
  std::vector<std::string> bodies;
  std::vector<double> masses;           // [kg]; 0: fixed
  BodyPairs pairs;                      // every two bodies that may touch
  PairTable<ContactFriction> friction;  // where it is known
  std::vector<ProbeHeader> probes;
  std::vector<std::string> stops;  // formulas at whose zeros the run ends
  // One for each body, in its frame, empty where it has none; none at all unless asked for
  // (world/tools/display_mesh.h).
  std::vector<DisplayMesh> meshes;

  // What energy errors are measured by, docs/notation.md. [J]
  double energy_reference(double largest_kinetic) const { return largest_kinetic + energy_scale; }
};

struct EnergySummary {
  double initial = 0;             // [J]
  double final = 0;               // [J]
  double max_relative_drift = 0;  // over all accepted steps, docs/notation.md
  double dissipated = 0;          // [J]
  double work = 0;                // [J], by loads without a potential and by drives
};

// How long it had to be watched whether a pair touches, and for how much of that it is proven that
// no touch was missed. [s]
struct WatchedTime {
  int pair = 0;
  double all = 0, certified = 0;
};

// Counts of work done.
struct Counters {
  std::int64_t steps = 0;  // accepted
  std::int64_t rejected_steps = 0;
  std::int64_t rates_calls = 0;
  std::int64_t events = 0;
  std::int64_t chart_crossings = 0;
  std::int64_t reanchorings = 0;       // changes of a reference direction
  std::int64_t closest_calls = 0;      // Newton searches for nearest points
  std::int64_t witness_hits = 0;       // nearest points found from those before
  std::int64_t witness_misses = 0;     // or searched for anew, because of the three below
  std::int64_t newton_iterations = 0;  // of searches for nearest points
  std::int64_t witness_unknown = 0;    // none were known, or the bodies had been far apart
  std::int64_t witness_vanished = 0;   // they were no longer nearest, or Newton's method failed
  std::int64_t witness_left = 0;       // a point ran over a border beyond which there is nothing
  std::vector<WatchedTime> watched;    // of pairs that are not convex, in their order

  WatchedTime& watched_time(int pair) {
    const auto at = std::lower_bound(watched.begin(), watched.end(), pair,
                                     [](const WatchedTime& w, int p) { return w.pair < p; });
    return at != watched.end() && at->pair == pair ? *at : *watched.insert(at, {pair});
  }
};

struct Summary {
  double t_end = 0;   // [s], time reached
  double wall_s = 0;  // [s]
  EnergySummary energy;
  double max_gap_error = 0;  // [m], over all accepted steps in contact
  // Over the raw bits of (t, y, mode) of all accepted steps: of each body that moves, in the
  // scene's order, and of all of these.
  std::vector<std::uint64_t> hashes;
  std::uint64_t hash = 0;
  std::vector<BodyFrame> bodies;
  Counters counters;
};

// What frames just before and after events have to tell.
enum class EventDetail {
  none,       // there are none
  concerned,  // bodies and contacts that the event concerns; of all others, of energies and of
              // probes they say nothing. Cost does not grow with the number of bodies.
  whole,      // everything
};

// With more bodies than this, whole frames at events would cost more than the run.
inline constexpr std::size_t kManyBodies = 64;
inline EventDetail usual_detail(const Header& header, EventDetail of_many) {
  return header.bodies.size() > kManyBodies ? of_many : EventDetail::whole;
}

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void begin(const Header&) = 0;
  // What it wants of events: asked once, after begin. Whoever runs a scene may give more.
  virtual EventDetail event_detail() const { return EventDetail::whole; }
  virtual void frame(const Frame&) = 0;
  virtual void event(const Event&) = 0;
  virtual void end(const Summary&) = 0;
  // Called often while a run computes, also where there is nothing to record.
  virtual void tick() {}
  // What went wrong while writing, if anything; the run stops then and the other recorders close.
  virtual std::optional<Error> trouble() const { return std::nullopt; }
};

}  // namespace oloid::scene
