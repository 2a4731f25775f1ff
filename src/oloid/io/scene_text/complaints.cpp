#include "oloid/io/scene_text/complaints.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace oloid::io {

int Complaints::add_file(std::string name) {
  files_.push_back(std::move(name));
  return static_cast<int>(files_.size()) - 1;
}

Place Complaints::place(Spot spot, std::string path) const {
  return {files_[static_cast<std::size_t>(spot.file)], std::move(path), spot.line, spot.column};
}

void Complaints::add(Place place, std::string message, std::string remedy) {
  errors_.push_back({std::move(place), std::move(message), std::move(remedy)});
}

void Complaints::add(Spot spot, std::string path, std::string message, std::string remedy) {
  add(place(spot, std::move(path)), std::move(message), std::move(remedy));
}

void Complaints::add(Error error) { errors_.push_back(std::move(error)); }

void Complaints::add_both(Place place, std::string_view first, std::string_view second,
                          std::string_view what) {
  add(std::move(place), fmt::format("`{}` and `{}` both specify {}", first, second, what),
      "keep one of them");
}

Errors Complaints::take() {
  constexpr std::size_t kMost = 100;
  const auto order = [&](const Error& error) {
    const auto file = std::find(files_.begin(), files_.end(), error.place.file);
    return std::tuple(file - files_.begin(), error.place.line, error.place.column);
  };
  std::stable_sort(errors_.begin(), errors_.end(),
                   [&](const Error& a, const Error& b) { return order(a) < order(b); });
  if (errors_.size() > kMost) {
    const std::size_t more = errors_.size() - kMost;
    errors_.resize(kMost);
    Error rest;
    rest.place.file = files_.front();
    rest.message = fmt::format("{} more errors", more);
    rest.remedy = "correct the ones above first";
    errors_.push_back(std::move(rest));
  }
  return std::move(errors_);
}

}  // namespace oloid::io
