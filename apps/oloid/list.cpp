#include "list.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "demo_scenes.h"
#include "oloid/io/scene_text/scene_schema.h"
#include "oloid/scene/event.h"
#include "simulate.h"

namespace oloid::app {
namespace {

using Lines = std::vector<std::pair<std::string_view, std::string>>;

// The first sentence of the comment at the top of a scene.
std::string first_sentence(std::string_view text) {
  std::string comment;
  while (text.starts_with('#')) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(1, end - 1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!comment.empty()) comment += ' ';
    comment += line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  // A sentence ends with a stop and a blank; one that is too long for a line, where it pauses.
  constexpr std::size_t kLongest = 90;
  comment.resize(std::min(comment.find(". "), comment.size()));
  if (comment.size() > kLongest) {
    const std::size_t pause =
        std::max(comment.rfind(": ", kLongest) + 1, comment.rfind(", ", kLongest) + 1);  // 0: none
    if (pause > 0) comment.resize(pause - 1);
  }
  if (comment.ends_with('.')) comment.pop_back();
  return comment;
}

Lines scenes() {
  Lines lines;
  lines.reserve(std::size(kDemoScenes));
  for (const DemoScene& scene : kDemoScenes)
    lines.emplace_back(scene.name, first_sentence(scene.text));
  return lines;
}

std::string with_value(EventKind kind) {
  const std::string_view value = value_meaning(kind);
  return value.empty() ? std::string(meaning(kind))
                       : fmt::format("{}; value: {}", meaning(kind), value);
}

Lines events() {
  Lines lines;
  lines.reserve(std::size(kEventKinds));
  for (const EventKind kind : kEventKinds) lines.emplace_back(name(kind), with_value(kind));
  return lines;
}

Lines modes() {
  Lines lines;
  lines.reserve(std::size(kModes));
  for (const Mode mode : kModes) lines.emplace_back(name(mode), meaning(mode));
  return lines;
}

// Types of shapes, each with its keys.
Lines shapes() {
  Lines lines;
  for (const SceneKey& type : scene_schema()) {
    if (type.table != "shape" || type.key != "type") continue;
    for (const std::string_view shape : choices_of(type)) {
      std::string keys;
      for (const SceneKey& key : scene_schema()) {
        if (key.table == shape) keys += fmt::format("{}{}", keys.empty() ? "" : ", ", key.key);
      }
      lines.emplace_back(shape, keys);
    }
  }
  return lines;
}

void print(const Lines& lines) {
  std::size_t width = 0;
  for (const auto& [word, meaning] : lines) width = std::max(width, word.size());
  for (const auto& [word, meaning] : lines)
    fmt::print("{}\n", meaning.empty() ? std::string(word)
                                       : fmt::format("{:<{}}  {}", word, width, meaning));
}

}  // namespace

ExitCode list(const std::string& what) {
  if (what == "scenes") {
    print(scenes());
  } else if (what == "events") {
    print(events());
  } else if (what == "modes") {
    print(modes());
  } else {
    print(shapes());
  }
  return kOk;
}

}  // namespace oloid::app
