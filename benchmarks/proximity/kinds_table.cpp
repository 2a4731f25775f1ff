#include "proximity/kinds_table.h"

#include <fmt/format.h>

#include "support/rooms.h"

namespace oloid::bench {
namespace {

constexpr int kColdPoses = 16;
constexpr double kGap = 0.002;  // [m]
constexpr const char *kWarm = "warm", *kCold = "cold";

Pose<double> apart(const PlacedShape& A, const PlacedShape& B, Random& random) {
  const double distance = bounding_radius(A.shape) + bounding_radius(B.shape);
  return {random.rotation(), distance * random.direction()};
}

// Nearest pairs that were found apart are brought to a gap of kGap, by moving along the normal.
std::vector<Pose<double>> motion_of(OurPair& pair, const std::vector<Pose<double>>& poses,
                                    Random& random) {
  for (const Pose<double>& X_BA : poses) {
    const OurPair::Answer nearest = pair.anywhere(X_BA);
    if (!nearest.found) continue;
    return motion_about({X_BA.R, X_BA.p + (kGap - nearest.gap) * nearest.normal}, random);
  }
  return {};
}

}  // namespace

std::string KindsTable::Case::name(const char* what) const {
  return fmt::format("kinds/{}/{}/{}", a, b, what);
}

KindsTable::KindsTable() : kinds_(bodies_of_all_kinds()) {
  for (std::size_t a = 0; a < kinds_.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      Random random(static_cast<unsigned>(100 * a + b));
      Case made{a, b, std::make_unique<OurPair>(kinds_[a].side, kinds_[b].side), {}, {}};
      for (int i = 0; i < kColdPoses; ++i)
        made.apart.push_back(apart(kinds_[a].side, kinds_[b].side, random));
      made.motion = motion_of(*made.pair, made.apart, random);
      cases_.push_back(std::move(made));
    }
  }
}

void KindsTable::add_benchmarks() {
  for (Case& at : cases_) {
    benchmark::RegisterBenchmark(at.name(kCold).c_str(), [&at](benchmark::State& state) {
      for (auto _ : state)
        for (const Pose<double>& X_BA : at.apart) benchmark::DoNotOptimize(at.pair->anywhere(X_BA));
    });
    if (at.motion.empty()) continue;
    benchmark::RegisterBenchmark(at.name(kWarm).c_str(), [&at](benchmark::State& state) {
      at.pair->begin(at.motion.front());
      for (auto _ : state)
        for (const Pose<double>& X_BA : at.motion) benchmark::DoNotOptimize(at.pair->follow(X_BA));
    });
  }
}

// µs a query, and the part that was answered if not all were.
std::string KindsTable::cell(Case& at, const Medians& medians, const char* what) {
  const bool warm = what == kWarm;
  const std::vector<Pose<double>>& poses = warm ? at.motion : at.apart;
  if (poses.empty()) return "none found";
  const auto n = static_cast<double>(poses.size());
  double found = 0;
  if (warm) at.pair->begin(poses.front());
  for (const Pose<double>& X_BA : poses)
    found += (warm ? at.pair->follow(X_BA) : at.pair->anywhere(X_BA)).found ? 1 : 0;
  const double us = medians.us(at.name(what)) / n;
  const std::string time = us < 100 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
  return found == n ? time : fmt::format("{} ({:.0f} %)", time, 100 * found / n);
}

void KindsTable::print_matrix(const Medians& medians, const char* what) {
  std::string head = fmt::format("| µs, {} |", what), rule = "|---|";
  for (const NamedSide& kind : kinds_) {
    head += fmt::format(" {} |", kind.name);
    rule += "--:|";
  }
  fmt::print("{}\n{}\n", head, rule);
  for (std::size_t i = 0; i < cases_.size();) {
    const std::size_t a = cases_[i].a;
    std::string row = fmt::format("| {} |", kinds_[a].name);
    for (; i < cases_.size() && cases_[i].a == a; ++i)
      row += fmt::format(" {} |", cell(cases_[i], medians, what));
    for (std::size_t b = a + 1; b < kinds_.size(); ++b) row += " |";
    fmt::print("{}\n", row);
  }
  fmt::print("\n");
}

void KindsTable::print(const Medians& medians) {
  print_matrix(medians, kWarm);
  print_matrix(medians, kCold);
}

}  // namespace oloid::bench
