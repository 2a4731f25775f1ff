// Counts machine instructions of a piece of code, exactly and on any machine: a child process runs
// it step by step. Slow (microseconds per instruction), but independent of load and clock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "support/rooms.h"

namespace oloid::bench {

// Nothing where a process may not trace its children.
std::optional<std::int64_t> count_instructions(const std::function<void()>& code);

}  // namespace oloid::bench
