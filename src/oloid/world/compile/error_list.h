// Collects what is wrong with a scene while it is compiled.
#pragma once

#include <string>
#include <string_view>

#include "oloid/scene/spec.h"

namespace oloid::world {

class ErrorList {
 public:
  void refuse(const Place& place, std::string message, std::string remedy) {
    errors_.push_back({place, std::move(message), std::move(remedy)});
  }
  void take(const Error& error) { errors_.push_back(error); }
  void take(const Errors& errors) { errors_.insert(errors_.end(), errors.begin(), errors.end()); }

  // A number in [low, high].
  bool in_range(const Located<double>& x, std::string_view what, double low, double high,
                std::string_view remedy);
  // A vector that is finite and not too long.
  bool bounded(const Located<Vec3<double>>& x, std::string_view what);

  bool empty() const { return errors_.empty(); }
  std::size_t size() const { return errors_.size(); }
  const Errors& all() const { return errors_; }

 private:
  Errors errors_;
};

}  // namespace oloid::world
