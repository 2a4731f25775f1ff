#include "oloid/io/plot/plot_panels.h"

#include <gtest/gtest.h>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::plot_panels_test {

// Two balls and an egg over a table; contact 2 is that of the egg.
Header header() {
  Header h = sample_header();
  h.bodies = {"table", "ball", "b.2, \"big\"", "egg"};
  h.masses = {0, 2, 1, 1};
  h.pairs = BodyPairs(std::vector<BodyPairs::Bodies>{
      {BodyId{1}, BodyId{0}}, {BodyId{2}, BodyId{0}}, {BodyId{3}, BodyId{0}}});
  h.probes.push_back({"spin", "1/s", "t", false});
  return h;
}

std::vector<PlotPanel> panels(const std::string& what, std::vector<std::size_t> contacts = {}) {
  auto result = plot_panels(header(), what, contacts);
  if (!result) {
    ADD_FAILURE() << to_string(result.error());
    return {};
  }
  return *std::move(result);
}

std::string refusal(const std::string& what) {
  const auto result = plot_panels(header(), what, {});
  return result ? "" : to_string(result.error());
}

TEST(PlotPanels, OnePanelForEachComma) {
  const auto list = panels("energy,gap, energy_error");
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].curves.size(), 5u);
  EXPECT_EQ(list[1].curves.size(), 3u);  // of all contacts
  EXPECT_EQ(list[2].curves[0].quantity->name, "energy_error");
}

TEST(PlotPanels, OwnersAndParts) {
  auto curve = panels("egg.position.z")[0].curves.at(0);
  EXPECT_EQ(curve.owner, 3u);
  EXPECT_EQ(curve.quantity->parts[curve.part], "z");
  EXPECT_EQ(panels("egg.position")[0].curves.size(), 3u);
  EXPECT_EQ(panels("table.position")[0].curves.at(0).owner, 0u);
  EXPECT_EQ(panels("position.z")[0].curves.size(), 3u);  // of all that move
  EXPECT_EQ(panels("position").size(), 3u);              // a panel for each
  curve = panels("table-egg.slip.x")[0].curves.at(0);
  EXPECT_EQ(curve.owner, 2u);
  EXPECT_EQ(curve.quantity->parts[curve.part], "x");
  EXPECT_FALSE(curve.on_demand);
  EXPECT_EQ(panels("egg-table.slip")[0].curves.at(0).part, 0u);
  EXPECT_EQ(panels("energy.work")[0].curves.at(0).part, 4u);
}

TEST(PlotPanels, NamesMayHavePointsAndQuotes) {
  const std::string name = R"("b.2, \"big\"")";
  EXPECT_EQ(panels(name + ".velocity.norm")[0].curves.at(0).owner, 2u);
  EXPECT_EQ(panels(name + "-table.gap,gap")[0].curves.at(0).owner, 1u);
}

TEST(PlotPanels, ProbesByNameAndAllOfThem) {
  EXPECT_EQ(panels("cosine")[0].curves.at(0).quantity, nullptr);
  EXPECT_EQ(panels("cosine")[0].curves.at(0).owner, 1u);
  EXPECT_EQ(panels("probes").size(), 3u);
  EXPECT_NE(panels("spin")[0].curves.at(0).quantity, nullptr);  // the contact's
  EXPECT_EQ(panels("probe.spin")[0].curves.at(0).owner, 2u);    // the probe
}

TEST(PlotPanels, PlusJoins) {
  const auto list = panels("ball.position.z+egg.position,cosine");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].curves.size(), 4u);
  EXPECT_NE(refusal("gap+normal_force").find("cannot share an axis ([m] and [N])"),
            std::string::npos);
  EXPECT_NE(refusal("mode+energy_error").find("cannot share an axis"), std::string::npos);
  EXPECT_NE(refusal("cosine+energy_error").find("cannot share an axis"), std::string::npos);
}

TEST(PlotPanels, ContactsThatAreMeant) {
  const auto list = panels("gap,egg-table.gap", {1});
  ASSERT_EQ(list[0].curves.size(), 1u);
  EXPECT_EQ(list[0].curves[0].owner, 1u);
  EXPECT_EQ(list[1].curves[0].owner, 2u);
  EXPECT_FALSE(list[0].curves[0].on_demand);
}

TEST(PlotPanels, TheUsualOnesFitAnyRun) {
  EXPECT_GE(panels("").size(), 8u);
  Header bare;
  bare.bodies = {"rock"};
  bare.masses = {0};
  const auto list = plot_panels(bare, "", {});
  ASSERT_TRUE(list);
  EXPECT_EQ(list->size(), 2u);  // the energy and its error
  EXPECT_FALSE(plot_panels(bare, "gap", {}));
}

TEST(PlotPanels, SaysWhatWasProbablyMeant) {
  EXPECT_NE(refusal("gapp").find("did you mean gap?"), std::string::npos);
  EXPECT_NE(refusal("eg.position.z").find("did you mean egg.position.z?"), std::string::npos);
  EXPECT_NE(refusal("cosin").find("did you mean cosine?"), std::string::npos);
  EXPECT_NE(refusal("egg-tabel.gap").find("did you mean egg-table.gap?"), std::string::npos);
  EXPECT_NE(refusal("weather").find("available: probes, energy"), std::string::npos);
  EXPECT_NE(refusal("gap,").find("unknown quantity \"\""), std::string::npos);
  EXPECT_NE(refusal("\"gap").find("unclosed quote"), std::string::npos);
  EXPECT_NE(refusal("egg.energy"), "");
  EXPECT_NE(refusal("egg.gap"), "");
  EXPECT_NE(refusal("position.w"), "");
}

TEST(PlotPanels, RefusesTooMany) {
  Header h = header();
  for (int i = 0; i < 50; ++i) {
    h.bodies.push_back("b" + std::to_string(i));
    h.masses.push_back(1);
  }
  const auto result = plot_panels(h, "position", {});
  ASSERT_FALSE(result);
  EXPECT_NE(to_string(result.error()).find("53 panels"), std::string::npos);
  EXPECT_TRUE(plot_panels(h, "", {}));
}

}  // namespace oloid::test::plot_panels_test
