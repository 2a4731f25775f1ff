// What the curves of a panel, and events, are called in a picture.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oloid/io/plot/plot_panels.h"

namespace oloid::io {

// Texts that are not all equal tell curves apart; one that all share belongs in the heading.
class PlotCaptions {
 public:
  // At least one curve.
  PlotCaptions(const Header& header, std::span<const PlotCurve* const> curves);

  std::string heading(std::string_view unit) const;
  std::string label(std::size_t curve) const;

 private:
  std::vector<std::string> title_, owner_, part_;
};

std::string event_label(const Header& header, const Event& event);

}  // namespace oloid::io
