// What a run shows of contacts: rows of what touches or is near, and numbers that last.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "oloid/scene/contact_lives.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::logbook_test {

// Two balls dropped from the same height, one that slides into them, and one far away if wanted.
Spec balls(bool far_body) {
  const auto ball = [](const std::string& name, const Vec3<double>& p, const Vec3<double>& v) {
    return named(name, test::ball(0.1), {p, v, {0, 0, 0}});
  };
  std::vector<BodySpec> bodies{table(), ball("left", {-0.5, 0, 0.15}, {0, 0, 0}),
                               ball("right", {0.5, 0, 0.15}, {0, 0, 0}),
                               ball("third", {-1.5, 0.03, 0.1}, {4, 0, 0})};
  if (far_body) bodies.push_back(ball("far", {0, 900, 50}, {0, 1, 0}));
  Spec spec = scene_of(bodies, {law("left", "third", 0.2, 0.5)}, 1.5);
  for (const char* name : {"left", "right", "third"})
    spec.pairs.push_back(law(name, "table", 0.2, 0));
  spec.output_dt = 0.05;
  return spec;
}

std::vector<std::tuple<double, int, std::vector<BodyId>>> births(const Film& f) {
  ContactLives lives;
  for (const Event& e : f.events) lives.see(e);
  std::vector<std::tuple<double, int, std::vector<BodyId>>> list;
  for (const ContactLife& life : lives.all()) {
    const auto& [a, b] = f.header.pairs[static_cast<std::size_t>(life.pair)];
    list.push_back({life.t0, life.id.index, {a, b}});
  }
  return list;
}

TEST(ContactIds, DependNeitherOnThreadsNorOnFarBodies) {
  const auto one = births(film(balls(false), 1));
  ASSERT_GE(one.size(), 3u);
  for (const int threads : {2, 4}) EXPECT_EQ(births(film(balls(false), threads)), one);
  EXPECT_EQ(births(film(balls(true), 2)), one);
  // In order of time; both balls land at the same instant, in order of their pairs.
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(std::get<1>(one[i]), static_cast<int>(i));
}

// From the first event in which it touches to the one in which it does not: rows of frames have its
// number between them and at no other time.
TEST(ContactIds, LastAsLongAsTheContact) {
  struct Rows final : Recorder {
    ContactLives lives;
    std::map<std::int32_t, std::set<double>> times;
    void begin(const Header&) override {}
    void frame(const Frame& f) override {
      int last = -1;
      for (const ContactFrame& c : f.contacts) {
        EXPECT_LT(last, c.pair);
        last = c.pair;
        EXPECT_EQ(c.id.valid(), c.mode != Mode::separated) << "t = " << f.t;
        if (c.id.valid()) times[c.id.index].insert(f.t);
      }
    }
    void event(const Event& e) override {
      lives.see(e);
      EXPECT_EQ(e.contact.valid(), e.before != Mode::separated || e.after != Mode::separated);
      EXPECT_TRUE(e.pair >= 0 || !e.contact.valid());
    }
    void end(const Summary&) override {}
  } rows;
  // A ball that falls and comes to lie, and is lifted off again and again by a pull.
  BodySpec ball = test::ball(0.1);
  ball.position = Vec3<double>(0, 0, 0.3);
  Spec spec = scene(ball, ground(), 0.3, 4);
  spec.pairs[0].law.restitution = Located<double>(0.1);
  spec.loads = {force("body", {"0", "0", "11 * sin(2 * t) * sin(2 * t)"})};
  spec.output_dt = 0.1;
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error().front());
  State state = initial_state(*model);
  run(*model, state, rows);
  ASSERT_GE(rows.lives.all().size(), 2u);
  EXPECT_EQ(state.next_contact, static_cast<std::int32_t>(rows.lives.all().size()));
  for (const ContactLife& life : rows.lives.all()) {
    const std::set<double>& seen = rows.times[life.id.index];
    ASSERT_FALSE(seen.empty());
    EXPECT_GE(*seen.begin(), life.t0);
    EXPECT_TRUE(std::isnan(life.t1) || *seen.rbegin() <= life.t1);
  }
}

// A pair has a row while the balls around its bodies are nearer than ℓ; a formula may ask for its
// gap at any distance.
TEST(ContactRows, OnlyOfWhatIsNear) {
  struct Rows final : Recorder {
    int rows = 0, none = 0;
    void begin(const Header&) override {}
    void frame(const Frame& f) override {
      const double apart = (f.bodies[0].position - f.bodies[1].position).norm() - 0.2;
      const ContactFrame* c = first_of(f.contacts, 0);
      EXPECT_EQ(c != nullptr, apart <= 0.1) << apart;
      ++(c ? rows : none);
      EXPECT_NEAR(f.probes[0], apart, 1e-12);
      if (!c) return;
      EXPECT_EQ(c->mode, Mode::separated);
      EXPECT_FALSE(c->id.valid());
      EXPECT_NEAR(c->gap, apart, 1e-12);
    }
    void event(const Event&) override {}
    void end(const Summary&) override {}
  } seen;
  const auto ball = [](const std::string& name, const Vec3<double>& p, const Vec3<double>& v) {
    return named(name, test::ball(0.1), {p, v, {0, 0, 0}});
  };
  Spec spec = scene_of({ball("a", {0, 0, 0}, {0, 0, 0}), ball("b", {-1, 0.25, 0}, {1, 0, 0})},
                       {law("a", "b", 0)}, 2);
  spec.gravity = Vec3<double>(0, 0, 0);
  spec.output_dt = 0.05;
  spec.probes.emplace_back();
  spec.probes[0].name = std::string("gap");
  spec.probes[0].formula = std::string("a.b.gap");
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error().front());
  State state = initial_state(*model);
  run(*model, state, seen);
  EXPECT_GE(seen.rows, 3);
  EXPECT_GE(seen.none, 20);
}

// They cost neither events nor frames unless they are wanted; the motion is the same.
TEST(ChartCrossings, AreCountedAndRecordedOnRequest) {
  Spec spec = ball_on_slope(5, 0.5, 2);
  const auto played = [&](bool wanted) {
    spec.chart_crossings = wanted;
    Memory memory;
    const auto model = compile(spec);
    State state = initial_state(*model);
    run(*model, state, memory);
    return memory;
  };
  const Memory quiet = played(false), loud = played(true);
  const auto crossings = static_cast<std::size_t>(loud.summary.counters.chart_crossings);
  EXPECT_GE(crossings, 3u);
  EXPECT_EQ(loud.of(EventKind::chart_crossing).size(), crossings);
  EXPECT_TRUE(quiet.of(EventKind::chart_crossing).empty());
  EXPECT_EQ(quiet.summary.counters.chart_crossings, loud.summary.counters.chart_crossings);
  EXPECT_EQ(quiet.frames.size() + 2 * crossings, loud.frames.size());
  EXPECT_EQ(quiet.summary.hash, loud.summary.hash);
  // The number of a contact survives them.
  for (const Event& e : loud.of(EventKind::chart_crossing)) EXPECT_EQ(e.contact, ContactId{0});
}

}  // namespace oloid::test::logbook_test
