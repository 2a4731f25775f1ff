#include "refuse.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace oloid::app {

namespace {

// Names from files may contain what a terminal takes for orders.
std::string printable(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool c1 = c == 0xc2 && next >= 0x80 && next < 0xa0;  // the same in UTF-8, two bytes
    if (c1) ++i;
    if (c1 || c == 0x7f || (c < 0x20 && c != '\n' && c != '\t')) {
      result += fmt::format("\\x{:02x}", c1 ? next : c);
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

void print_errors(const Errors& errors) {
  // Where they cannot be written nobody can be told.
  for (const Error& error : errors)
    std::fputs(fmt::format("oloid: {}\n", printable(to_string(error))).c_str(), stderr);
}

ExitCode refused(const Errors& errors, ExitCode code) {
  print_errors(errors);
  return code;
}
ExitCode refused(const Error& error, ExitCode code) { return refused(Errors{error}, code); }

}  // namespace oloid::app
