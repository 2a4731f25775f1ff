#include "oloid/io/plot/plot_quantity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::plot_quantity_test {

// Every quantity and part reads what its name says.
TEST(PlotQuantity, ReadTheNumbersOfAFrame) {
  SampleFrame s = sample_frame(50);
  s.contacts[0].slip = {3, 0, 4};
  const EnergyFrame start = sample_frame(0).frame.energy;
  const PlotSample sample{s.frame, start, {0, 1, 0}};
  const auto value = [&](std::string_view name, std::string_view part, std::size_t owner) {
    for (const PlotQuantity& quantity : plot_quantities()) {
      if (quantity.name != name) continue;
      const auto at = std::find(quantity.parts.begin(), quantity.parts.end(), part);
      return quantity.value(sample, owner, static_cast<std::size_t>(at - quantity.parts.begin()));
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  const EnergyFrame& e = s.frame.energy;
  EXPECT_EQ(value("energy", "kinetic", 0), e.kinetic);
  EXPECT_EQ(value("energy", "potential", 0), e.potential - start.potential);
  EXPECT_EQ(value("energy", "dissipated", 0), e.dissipated);
  EXPECT_EQ(value("energy", "total", 0), e.kinetic + e.potential - start.potential);
  EXPECT_EQ(value("energy", "work", 0), e.work);
  EXPECT_NEAR(value("energy_error", "", 0), 0.01 * 0.5, 1e-15);
  EXPECT_EQ(value("position", "x", 1), 0.5);
  EXPECT_EQ(value("position", "z", 1), 1);
  EXPECT_EQ(value("velocity", "up", 1), -50);
  EXPECT_EQ(value("orientation", "z", 1), std::sin(0.5));
  EXPECT_EQ(value("slip", "norm", 0), 5);
  EXPECT_EQ(value("slip", "z", 0), 4);
  EXPECT_EQ(value("normal_force", "", 0), 20 + std::sin(5.0));
  EXPECT_EQ(value("psi", "", 0), -0.5);
  s.contacts[0].mode = Mode::separated;
  EXPECT_TRUE(std::isnan(value("slip", "norm", 0)));
  EXPECT_TRUE(std::isnan(value("spin", "", 0)));
  s.frame.contacts = {};  // far apart: nothing is known but that there is no force
  EXPECT_TRUE(std::isnan(value("gap", "", 0)));
  EXPECT_TRUE(std::isnan(value("point_a", "x", 0)));
  EXPECT_TRUE(std::isnan(value("slip", "norm", 0)));
  EXPECT_EQ(value("normal_force", "", 0), 0);
  EXPECT_EQ(value("friction", "norm", 0), 0);
}

}  // namespace oloid::test::plot_quantity_test
