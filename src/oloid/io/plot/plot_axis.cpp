#include "oloid/io/plot/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace oloid::io {
namespace {

// 1, 2 or 5 times a power of ten, about `rough`.
double round_step(double rough) {
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  const double m = rough / decade;
  return decade * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
}

// "10" with superscript digits.
std::string power_of_ten(int exponent) {
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char c : std::to_string(std::abs(exponent))) text += kDigits[c - '0'];
  return text;
}

}  // namespace

void Range::add(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

double Axis::fraction(double value) const {
  if (logarithmic) return std::log(std::max(value, low) / low) / std::log(high / low);
  return (value - low) / (high - low);
}

Axis linear_axis(double low, double high, int count, bool widen) {
  // A constant gets some room, so that it is a line in the middle.
  if (!(high - low > 1e-12 * std::max({std::abs(low), std::abs(high), 1e-300}))) {
    const double room = std::max({std::abs(low), std::abs(high)}) * 0.1;
    low -= room > 0 ? room : 1;
    high += room > 0 ? room : 1;
  }
  const double step = round_step((high - low) / count);
  Axis axis;
  axis.low = widen ? std::floor(low / step + 1e-9) * step : low;
  axis.high = widen ? std::ceil(high / step - 1e-9) * step : high;
  const double slack = 1e-9 * step;
  for (double k = std::ceil((axis.low - slack) / step); k * step <= axis.high + slack; ++k) {
    axis.ticks.push_back(k * step);
  }
  return axis;
}

Axis roomy_axis(double low, double high, int count) {
  const double room = 0.06 * (high - low);
  return linear_axis(low - room, high + room, count, false);
}

Axis log_axis(double low, double high, int count) {
  const int from = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int to = std::max(from + 1, static_cast<int>(std::ceil(std::log10(high) - 1e-9)));
  const int step = std::max(1, (to - from + count - 1) / count);
  Axis axis;
  axis.logarithmic = true;
  axis.low = std::pow(10.0, from);
  axis.high = std::pow(10.0, to);
  for (int e = from; e <= to; e += step) axis.ticks.push_back(std::pow(10.0, e));
  return axis;
}

std::string tick_label(const Axis& axis, double tick) {
  if (axis.logarithmic) return power_of_ten(static_cast<int>(std::lround(std::log10(tick))));
  const double step = axis.ticks.size() > 1 ? axis.ticks[1] - axis.ticks[0] : std::abs(tick);
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  if (tick == 0 || std::abs(tick) < 1e-9 * step) return "0";
  std::string text;
  if (largest >= 1e5 || largest < 1e-3) {
    const int digits = static_cast<int>(std::floor(std::log10(largest) + 1e-9) -
                                        std::floor(std::log10(step) + 1e-9));
    const int exponent = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
    text = fmt::format("{:.{}f}·{}", tick / std::pow(10.0, exponent), std::clamp(digits, 0, 12),
                       power_of_ten(exponent));
  } else {
    const int decimals = static_cast<int>(std::max(0.0, -std::floor(std::log10(step) + 1e-9)));
    text = fmt::format("{:.{}f}", tick, std::min(decimals, 12));
  }
  if (text[0] == '-') text.replace(0, 1, "−");
  return text;
}

}  // namespace oloid::io
