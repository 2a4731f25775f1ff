// Values of a scene given from outside: "body.ball.velocity=[1, 0, 0]".
#pragma once

#include <string>
#include <vector>

#include "oloid/io/scene_text/complaints.h"
#include "oloid/io/scene_text/document.h"

namespace oloid::io {

// Each is PATH=VALUE. The path has keys separated by points; tables in lists are named, as in
// body.ball, or counted from 0, as in body[0]; names with points or blanks are quoted. The value is
// written as in TOML; what is none is taken as a text. A table that is missing is made, later
// overrides win over earlier ones. Paths that lead nowhere are complained about.
void override_values(Node& root, const std::vector<std::string>& overrides, Complaints& complaints);

}  // namespace oloid::io
