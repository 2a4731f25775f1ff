// Promises between functions. A broken one is our bug, never the user's.
#pragma once

#include "oloid/base/rooms.h"

namespace oloid::base {

[[noreturn]] void broken_promise(const char* condition, const char* file, int line);

}  // namespace oloid::base

// Armed in every build that runs tests (OLOID_CONTRACTS); otherwise the condition is not evaluated.
#ifdef OLOID_CONTRACTS
#define OLOID_EXPECT(condition)       \
  ((condition) ? static_cast<void>(0) \
               : ::oloid::base::broken_promise(#condition, __FILE__, __LINE__))
#else
#define OLOID_EXPECT(condition) static_cast<void>(sizeof(!(condition)))
#endif
