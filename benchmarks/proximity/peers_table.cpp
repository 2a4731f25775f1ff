#include "proximity/peers_table.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "support/rooms.h"

namespace oloid::bench {
namespace {

constexpr int kMotions = 4;
constexpr double kGap = 0.002;  // [m]

// Differences from the gap, and how often there was no answer.
class Errors {
 public:
  explicit Errors(double exact) : exact_(exact) {}
  void add(double gap) {
    if (std::isfinite(gap))
      errors_.push_back(std::abs(gap - exact_));
    else
      ++missed_;
  }
  bool none() const { return errors_.empty(); }
  // Median, and the largest.
  std::string text() {
    std::sort(errors_.begin(), errors_.end());
    const std::string error =
        fmt::format("{:.0e}, {:.0e}", errors_[errors_.size() / 2], errors_.back());
    return missed_ == 0 ? error : fmt::format("{}; {:.1f} % missed", error, missed_percent());
  }

 private:
  double missed_percent() const {
    return 100.0 * missed_ / (missed_ + static_cast<double>(errors_.size()));
  }
  double exact_;
  std::vector<double> errors_;
  int missed_ = 0;
};

// Whether a library lives through a question: some stop the program, or never return. Asked in a
// child process that writes nothing.
template <class F>
bool survives(const F& ask) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
    ask();
    _exit(0);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

void PeersTable::Entry::begin(const Motions& motions) const {
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i]->begin(motions.all[i].start);
}

template <class F>
void PeersTable::Entry::follow(const Motions& motions, const F& use) const {
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const Pose<double>& X_BA : motions.all[i].poses) use(pairs[i]->follow(X_BA));
}

PeersTable::PeersTable() : peers_(all_peers()) {
  const Vec3<double> axes(0.12, 0.1, 0.08);
  const ConvexBody sphere = ConvexBody::sphere(0.1), ellipsoid = ConvexBody::ellipsoid(axes),
                   cylinder = ConvexBody::cylinder(0.08, 0.2), box = ConvexBody::box(2 * axes),
                   hull = ConvexBody::hull(spread_points(40, axes));
  add_case("sphere, sphere", sphere, ConvexBody::sphere(0.06));
  add_case("sphere, ellipsoid", sphere, ellipsoid);
  add_case("ellipsoid, ellipsoid", ellipsoid, ConvexBody::ellipsoid({0.1, 0.15, 0.08}));
  add_case("sphere, cylinder", sphere, cylinder);
  add_case("cylinder, cylinder", cylinder, ConvexBody::cylinder(0.06, 0.3));
  add_case("sphere, box", sphere, box);
  add_case("ellipsoid, box", ellipsoid, box);
  add_case("box, box", box, ConvexBody::box({0.3, 0.2, 0.1}));
  add_case("hull, hull", hull, hull);
}

void PeersTable::add_case(const std::string& name, const ConvexBody& A, const ConvexBody& B) {
  Random random(static_cast<unsigned>(cases_.size()));
  Case made{name, {kGap, {}}, {-kGap, {}}, {}};
  for (int i = 0; i < kMotions; ++i) {
    const KnownPair pair(A, B, random);
    for (Motions* motions : {&made.apart, &made.overlapping}) {
      Motion motion{pair.pose(0, kGap), {}};
      for (int k = 0; k < kSteps; ++k)
        motion.poses.push_back(pair.pose(2 * std::numbers::pi * k / kSteps, motions->gap));
      motions->all.push_back(std::move(motion));
    }
  }
  for (std::size_t peer = 0; peer < peers_.size(); ++peer) add_entry(made, peer, A, B);
  cases_.push_back(std::move(made));
}

void PeersTable::add_entry(Case& to, std::size_t peer, const ConvexBody& A,
                           const ConvexBody& B) const {
  Entry entry{peer, {}, peers_[peer].apart, true};
  for (int i = 0; i < kMotions; ++i) {
    entry.pairs.push_back(peers_[peer].make(A, B));
    if (!entry.pairs.back()) return;
  }
  const auto lives = [&](const Motions& motions) {
    return survives([&] {
      entry.begin(motions);
      entry.follow(motions, [](double) {});
    });
  };
  entry.apart = entry.apart && lives(to.apart);
  entry.overlapping = lives(to.overlapping);
  to.entries.push_back(std::move(entry));
}

std::string PeersTable::benchmark_name(const Case& at, std::size_t peer, double gap) const {
  return fmt::format("peers/{}/{}/{:+.3f}", at.name, peers_[peer].name, gap);
}

void PeersTable::add_benchmarks() {
  for (const Case& at : cases_) {
    for (const Entry& entry : at.entries) {
      for (const Motions* motions : {&at.apart, &at.overlapping}) {
        if (!entry.answers(*motions)) continue;
        benchmark::RegisterBenchmark(
            benchmark_name(at, entry.peer, motions->gap).c_str(),
            [&entry, motions](benchmark::State& state) {
              entry.begin(*motions);
              for (auto _ : state)
                entry.follow(*motions, [](double gap) { benchmark::DoNotOptimize(gap); });
            });
      }
    }
  }
}

// µs with the ratio to the first library, if both have answers, and errors.
std::string PeersTable::cells(const Case& at, const Entry& entry, const Motions& motions,
                              const Medians& medians) const {
  if (!entry.answers(motions)) {
    const bool known = motions.gap < 0 || peers_[entry.peer].apart;
    return known ? " stops the program | |" : " | |";
  }
  const auto errors_of = [&](const Entry& library) {
    Errors errors(motions.gap);
    library.begin(motions);
    library.follow(motions, [&](double gap) { errors.add(gap); });
    return errors;
  };
  Errors errors = errors_of(entry);
  if (errors.none()) return " | no answer |";
  const double us = medians.us(benchmark_name(at, entry.peer, motions.gap));
  const double first = medians.us(benchmark_name(at, 0, motions.gap));
  const std::string ratio =
      errors_of(at.entries.front()).none() ? "" : fmt::format(" ({:.2g})", us / first);
  return fmt::format(" {:.2f}{} | {} |", us / (kMotions * kSteps), ratio, errors.text());
}

void PeersTable::print(const Medians& medians) {
  fmt::print(
      "| pair | library | 2 mm apart: µs (ratio) | error [m]: median, largest |"
      " 2 mm deep: µs (ratio) | error [m] |\n|---|---|--:|--:|--:|--:|\n");
  for (const Case& at : cases_) {
    for (const Entry& entry : at.entries) {
      fmt::print("| {} | {} |{}{}\n", at.name, peers_[entry.peer].name,
                 cells(at, entry, at.apart, medians), cells(at, entry, at.overlapping, medians));
    }
  }
  fmt::print("\n");
  for (const Peer& peer : peers_) fmt::print("- {}: {}\n", peer.name, peer.settings);
}

}  // namespace oloid::bench
