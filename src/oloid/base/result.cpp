#include "oloid/base/result.h"

#include <fmt/format.h>

namespace oloid::base {

std::string to_string(const Error& error) {
  std::string text = error.place.file;
  if (error.place.line > 0) text += fmt::format(":{}:{}", error.place.line, error.place.column);
  if (!error.place.path.empty()) text += (text.empty() ? "" : " ") + error.place.path;
  if (!text.empty()) text += ": ";
  text += error.message;
  if (!error.remedy.empty()) text += fmt::format(" ({})", error.remedy);
  return text;
}

Unexpected<Error> refuse(std::string message, std::string remedy) {
  return Unexpected{Error{{}, std::move(message), std::move(remedy)}};
}

}  // namespace oloid::base
