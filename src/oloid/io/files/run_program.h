// Another program, started and waited for.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "oloid/base/rooms.h"

namespace oloid::io {

// File descriptors that a program gets as its standard streams; -1: our own.
struct ProgramStreams {
  int in = -1, out = -1, err = -1;
};

// Runs the program words[0], looked for on PATH unless it is a path, with the other words as its
// arguments. Its exit status, 128 + the number of the signal that ended it, or errno negated if it
// could not be started. Nothing if it is still running after `patience`; by default there is no
// limit.
std::optional<int> run_program(std::vector<std::string> words, const ProgramStreams& streams,
                               std::optional<std::chrono::milliseconds> patience = {});

}  // namespace oloid::io
