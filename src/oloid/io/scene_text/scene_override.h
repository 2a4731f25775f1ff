// Values of a scene given from outside: "body.ball.velocity=[1, 0, 0]".
#pragma once

#include <string>
#include <vector>

#include "oloid/io/scene_text/complaints.h"
#include "oloid/io/scene_text/document.h"

namespace oloid::io {

// Each is PATH=VALUE. The path has keys separated by dots; tables in lists are named, as in
// body.ball, or counted from 0, as in body[0]; names with dots or blanks are quoted. The value is
// written as in TOML; anything else is taken as a string. A missing table is created; later
// overrides win over earlier ones. Paths that do not exist are complained about.
void override_values(Node& root, const std::vector<std::string>& overrides, Complaints& complaints);

}  // namespace oloid::io
