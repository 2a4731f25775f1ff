#include "oloid/world/compile/find_body.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "oloid/base/did_you_mean.h"

namespace oloid::world {

Result<std::size_t> find_body(const Spec& spec, const std::string& name, const Place& place) {
  std::vector<std::string_view> known;
  known.reserve(spec.bodies.size());
  for (const BodySpec& body : spec.bodies) {
    if (body.name.value == name) return known.size();
    known.push_back(body.name.value);
  }
  const std::string_view meant = did_you_mean(name, known);
  return Unexpected{Error{place, fmt::format("unknown body \"{}\"", name),
                          meant.empty()
                              ? fmt::format("available: \"{}\"", fmt::join(known, "\", \""))
                              : fmt::format("did you mean \"{}\"?", meant)}};
}

}  // namespace oloid::world
