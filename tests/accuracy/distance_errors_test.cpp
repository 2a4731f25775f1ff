#include "accuracy/distance_errors.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "accuracy/document.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "support/rooms.h"

namespace oloid::test::distance_errors_test {

const std::string kDocument = std::string(OLOID_TEST_DATA) + "/../../docs/accuracy.md";

std::string kept_document() {
  std::ifstream file(kDocument);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The first of the thousand poses of the document; other compilers round differently.
TEST(DistanceErrors, AreWithinTheBoundAndAsDocumented) {
  const ErrorTable table = error_table(make_bodies(), 8, 8);
  const auto kept = kept_errors(kept_document());
  int poses = 0, answered = 0;
  for (const ErrorTable::Pair& pair : table.pairs) {
    if (!table.is_bounded(pair)) continue;
    const Body &row = table.bodies[pair.row], &column = table.bodies[pair.column];
    SCOPED_TRACE(row.name() + ", " + column.name());
    const PairErrors& errors = pair.errors;
    EXPECT_LE(errors.curved.worst, kBound);
    EXPECT_LE(errors.anywhere.worst, kBound);
    EXPECT_EQ(errors.anywhere.answered, errors.anywhere.poses);
    EXPECT_EQ(errors.missed, 0);
    const auto documented = kept.find({row.name(), column.name()});
    ASSERT_NE(documented, kept.end());
    EXPECT_LE(errors.curved.worst, 2 * documented->second + 1e-16);
    poses += errors.curved.poses;
    answered += errors.curved.answered;
  }
  EXPECT_GT(poses, 300);
  EXPECT_GE(answered, poses - poses / 100);
}

// Measured against nothing but themselves errors would be 0 always: the reference must differ from
// double in its last digits, and by no more.
TEST(DistanceErrors, AreThoseOfDouble) {
  const std::vector<Body> bodies = make_bodies();
  const PairErrors errors = distance_errors(bodies[1], bodies[4], 20, 20);
  EXPECT_GT(errors.curved.worst, 1e-18);
  EXPECT_LT(errors.curved.worst, 1e-15);
}

// Discs measured directly would be lost in round-off.
TEST(CapDeviation, IsFarBelowTheBound) {
  for (const Body& body : make_bodies()) {
    const double off = cap_deviation(body);
    EXPECT_LT(off, 0.1 * kBound) << body.name();
    const auto* patches = body.shape().as<Patchwork>();
    EXPECT_EQ(off > 0, patches != nullptr && patches->caps() > 0) << body.name();
  }
}

// OLOID_UPDATE_DOCS=1 measures all of it, which takes minutes, and writes the document.
TEST(AccuracyDocument, HasAllPairsWithinTheBound) {
  const std::vector<Body> bodies = make_bodies();
  if (std::getenv("OLOID_UPDATE_DOCS")) {
    const std::string made = accuracy_document(error_table(bodies, 1000, 10));
    std::ofstream(kDocument) << made;
  }
  const std::string document = kept_document();
  EXPECT_NE(document.find("1000 poses of each pair"), document.npos);
  EXPECT_NE(document.find("OLOID_UPDATE_DOCS=1"), document.npos);
  const auto kept = kept_errors(document);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_NE(document.find("\n| " + bodies[i].name() + " | " + bodies[i].description() + " |"),
              document.npos)
        << bodies[i].name();
    for (std::size_t j = 0; j <= i; ++j) {
      if (bodies[i].is_polyhedron()) {
        EXPECT_NE(document.find("| " + bodies[i].name() + ", " + bodies[j].name() + " |"),
                  document.npos);
        continue;
      }
      const auto error = kept.find({bodies[i].name(), bodies[j].name()});
      ASSERT_NE(error, kept.end()) << bodies[i].name() << ", " << bodies[j].name();
      EXPECT_GT(error->second, 0);
      EXPECT_LE(error->second, kBound);
    }
  }
}

}  // namespace oloid::test::distance_errors_test
