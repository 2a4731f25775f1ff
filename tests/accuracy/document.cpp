#include "accuracy/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

#include "oloid/base/largest.h"
#include "support/rooms.h"

namespace oloid::test {
namespace {

constexpr std::string_view kFirstTable = "## Worst errors";
constexpr std::string_view kNothing = "–";

std::string metres(const ErrorCount& count) {
  return count.answered > 0 ? fmt::format("{:.1e}", count.worst) : std::string(kNothing);
}

// The lower triangle of a table over pairs that are bounded.
template <class Cell>
std::string triangle(const ErrorTable& table, const Cell& cell) {
  std::string header = "| |", line = "|---|", rows;
  for (const Body& body : table.bodies) {
    if (body.is_polyhedron()) continue;
    header += fmt::format(" {} |", body.name());
    line += "---|";
  }
  for (const ErrorTable::Pair& pair : table.pairs) {
    if (!table.is_bounded(pair)) continue;
    if (pair.column == 0) rows += fmt::format("\n| {} |", table.bodies[pair.row].name());
    rows += fmt::format(" {} |", cell(pair.errors));
  }
  return header + "\n" + line + rows + "\n";
}

std::string bodies_and_caps(const ErrorTable& table) {
  std::string text = "| kind | body | caps off the limit surface [m] |\n|---|---|---|\n";
  for (const Body& body : table.bodies) {
    const double off = cap_deviation(body);
    text += fmt::format("| {} | {} | {} |\n", body.name(), body.description(),
                        off > 0 ? fmt::format("{:.0e}", off) : std::string(kNothing));
  }
  return text;
}

std::string flat_pairs(const ErrorTable& table) {
  std::string text =
      "| pair | curved: answered | worst [m] | flat: answered | worst [m] |\n"
      "|---|---|---|---|---|\n";
  for (const ErrorTable::Pair& pair : table.pairs) {
    const auto& [curved, flat, elsewhere, anywhere, missed] = pair.errors;
    if (table.is_bounded(pair) && flat.poses == 0) continue;
    text +=
        fmt::format("| {}, {} | {} of {} | {} | {} of {} | {} |\n", table.bodies[pair.row].name(),
                    table.bodies[pair.column].name(), curved.answered, curved.poses, metres(curved),
                    flat.answered, flat.poses, metres(flat));
  }
  return text;
}

std::string searches(const ErrorTable& table) {
  ErrorCount all;
  int missed = 0;
  std::string where;
  for (const ErrorTable::Pair& pair : table.pairs) {
    if (!table.is_bounded(pair)) continue;
    const ErrorCount& count = pair.errors.anywhere;
    all.poses += count.poses;
    all.answered += count.answered;
    all.worst = nan_or_max(all.worst, count.worst);
    missed += pair.errors.missed;
    if (pair.errors.missed > 0)
      where += fmt::format(" ({}, {}: {})", table.bodies[pair.row].name(),
                           table.bodies[pair.column].name(), pair.errors.missed);
  }
  return fmt::format(
      "{} searches, {} answered, worst error {:.1e} m; {} returned a pair farther than the one "
      "known{}.\n",
      all.poses, all.answered, all.worst, missed, where);
}

}  // namespace

std::string accuracy_document(const ErrorTable& table) {
  std::string text = fmt::format(
      R"(# How accurate signed distances are

Bodies of all kinds, 20 cm large, touch at random points and are then moved 2 mm apart or into each other: {0} poses of each pair.
The distance is asked for from starts 2 mm off over both surfaces and compared with the exact extremal pair of that very pose, solved
with 40 digits on the same surfaces. Where the conformity λ_min(N) ℓ, N = K_A + K_B + χ K_A K_B, ℓ the smaller bounding radius, is {1:g}
or more the error of an answer is at most {2:g} m, which a test checks; flatter pairs and polyhedra are listed, not bounded. This document is made by

    OLOID_UPDATE_DOCS=1 build/dev/bin/test_accuracy --gtest_filter='AccuracyDocument.*'

)",
      table.poses, kLeastConformity, kBound);
  text += std::string(kFirstTable) + " [m]\n\n";
  text +=
      "In brackets: the part of the poses that are flatter than that, which this table leaves "
      "out.\n\n";
  text += triangle(table, [](const PairErrors& errors) {
    const double flat = 100.0 * errors.flat.poses / errors.poses();
    return errors.flat.poses == 0 ? metres(errors.curved)
                                  : fmt::format("{} ({:.1f} %)", metres(errors.curved), flat);
  });
  text += fmt::format(R"(
## Poses without an answer, of {}

Newton's method ran to an extremal pair that is no minimum, or did not converge (mostly around extraordinary vertices), and
said so; such poses are not in the table above.
In brackets: answers that are another local pair than the one that made the pose; their reference is the exact pair next to them.

)",
                      table.poses);
  text += triangle(table, [](const PairErrors& errors) {
    const int none = errors.curved.poses - errors.curved.answered;
    return errors.elsewhere == 0 ? fmt::format("{}", none)
                                 : fmt::format("{} ({})", none, errors.elsewhere);
  });
  text += R"(
## Flat pairs and polyhedra

A face against a cylinder, and a face against a face, have no isolated nearest pair, so none is compared.

)";
  text += flat_pairs(table);
  text += R"(
## The search without starts

Every fifth of the poses apart was also searched for without starts. The pair it returns is compared with the exact one next to it, and
with the one that made the pose, which on bodies that are not convex need not be the nearest: the answer must not be farther.

)";
  text += searches(table);
  text += R"(
## The bodies

Errors above are those of the surface as it is defined here. Around extraordinary vertices of subdivision surfaces that is a small disc,
which is off the limit surface by what the last column says (extrapolated from discs 2⁶ and 2¹⁰ times as large: it falls as K r²).

)";
  text += bodies_and_caps(table);
  text += R"(
## Others

Drake documents, for 2 mm of penetration between geometries of about 20 cm, worst observed errors of 2e-5 to 2e-3 m for pairs with curved
shapes that its iterative method solves, and 3e-6 to 5e-5 m for its signed distances; 2e-15 to 6e-15 m where there are formulas
([geometry/query_object.h](https://github.com/RobotLocomotion/drake/blob/2622232cc565a25d33fb9548a5f5faf93bde7058/geometry/query_object.h)).
Its queries need no starts.
)";
  return text;
}

std::map<std::pair<std::string, std::string>, double> kept_errors(const std::string& document) {
  std::map<std::pair<std::string, std::string>, double> errors;
  const std::size_t from = document.find(kFirstTable);
  if (from == document.npos) return errors;
  std::istringstream text(document.substr(from + kFirstTable.size()));
  const auto cells = [](const std::string& line) {
    std::vector<std::string> result;
    std::istringstream row(line);
    std::string cell;
    while (std::getline(row, cell, '|')) {
      const std::size_t first = cell.find_first_not_of(' ');
      result.push_back(first == cell.npos
                           ? std::string()
                           : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    }
    return result;
  };
  std::vector<std::string> columns;
  for (std::string line; std::getline(text, line) && line.substr(0, 2) != "##";) {
    if (line.empty() || line[0] != '|' || line.substr(0, 4) == "|---") continue;
    const std::vector<std::string> row = cells(line);
    if (columns.empty()) {
      columns = row;
      continue;
    }
    for (std::size_t j = 2; j < row.size() && j < columns.size(); ++j) {
      const bool none = row[j] == kNothing;
      errors[{row[1], columns[j]}] = none ? -1 : std::strtod(row[j].c_str(), nullptr);
    }
  }
  return errors;
}

}  // namespace oloid::test
