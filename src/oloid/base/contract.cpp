#include "oloid/base/contract.h"

#include <cstdio>
#include <cstdlib>

namespace oloid::base {

void broken_promise(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "oloid: internal error at %s:%d: %s\n", file, line, condition);
  std::abort();
}

}  // namespace oloid::base
