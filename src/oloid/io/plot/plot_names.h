// Names of quantities, bodies and contacts in `--what` and `--contact`: quoted, found, and proposed
// where they are misspelt.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/scene/recorder.h"

namespace oloid::io {

// A name as it is to be written: between quotes if it contains commas, + or quotes.
std::string quoted(std::string_view name);
// The name that was written, without quotes and blanks around it.
std::string unquoted(std::string_view text);
// Splits at a character outside of quotes; quotes and backslashes stay.
Result<std::vector<std::string>> split_outside_quotes(std::string_view text, char separator);

// Suggests what was probably meant, or lists what is available.
Error unknown_quantity(const Header& header, const std::string& text);

// A contact by "A-B", the names of its bodies in either order.
std::optional<std::size_t> pair_index(const Header& header, std::string_view text);
// A contact by the names of its bodies, "A,B" or "A-B", in either order, or by its number from 0.
Result<std::size_t> contact_named(const Header& header, std::string_view text);

std::string contact_name(const Header& header, std::size_t contact);  // "ball – table"

}  // namespace oloid::io
