// A scene and the files it includes, as one document.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "oloid/io/scene_text/complaints.h"
#include "oloid/io/scene_text/document.h"
#include "oloid/io/scene_text/scene_files.h"

namespace oloid::io {

inline constexpr std::size_t kLargestScene = std::size_t{64} << 20;  // [bytes]

// Top-level keys and tables are merged key by key: the including file wins over what it includes, a
// later include over an earlier one. Lists of tables ([[body]], ...) are joined, included ones
// first. A file that is included more than once counts once, where it comes first. Nothing after a
// complaint.
std::optional<Node> load_document(std::string_view text, const std::string& path, SceneFiles& files,
                                  Complaints& complaints);

}  // namespace oloid::io
