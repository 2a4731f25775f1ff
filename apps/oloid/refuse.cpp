#include "refuse.h"

#include <fmt/format.h>

#include <cstdio>

namespace oloid::app {

void print_errors(const Errors& errors) {
  // Where they cannot be written nobody can be told.
  for (const Error& error : errors)
    std::fputs(fmt::format("oloid: {}\n", to_string(error)).c_str(), stderr);
}

ExitCode refused(const Errors& errors, ExitCode code) {
  print_errors(errors);
  return code;
}
ExitCode refused(const Error& error, ExitCode code) { return refused(Errors{error}, code); }

}  // namespace oloid::app
