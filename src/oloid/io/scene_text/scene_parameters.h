// [parameters] of a scene: numbers with names, which formulas anywhere in the scene may use.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/formula/formula_names.h"
#include "oloid/io/scene_text/document.h"

namespace oloid::io {

class Complaints;

class Parameters {
 public:
  Parameters() = default;
  explicit Parameters(std::map<std::string, double, std::less<>> values)
      : values_(std::move(values)) {}

  // The finite value of a formula of parameters. Errors name the column in the text.
  Result<double> value(std::string_view formula) const;

  // A formula in these variables, or any (kAnyNames), and in parameters: checked, with numbers for
  // the parameters.
  Result<std::string> formula(std::string_view text,
                              std::span<const std::string_view> variables) const;

 private:
  // The parameters that a text uses. If the text is not a valid formula, the error lists all names.
  std::vector<NamedNumber> named_in(std::string_view text) const;
  Error error_of(std::string_view text, std::span<const std::string_view> variables) const;

  std::map<std::string, double, std::less<>> values_;
};

// Numbers, and formulas of other parameters in any order. What is wrong is complained about and
// left out.
Parameters read_parameters(const NodeTable& table, Complaints& complaints);

}  // namespace oloid::io
