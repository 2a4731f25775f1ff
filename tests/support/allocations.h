// How often this program has asked for memory, where one of its files includes
// support/count_allocations.h; else 0.
#pragma once

#include <atomic>

inline std::atomic<long> allocations{0};
