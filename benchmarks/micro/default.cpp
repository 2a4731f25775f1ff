// The kernels for the instruction set that everything is compiled for.
#include "micro/kernels.h"
#include "oloid/base/pack.h"
#include "support/rooms.h"

namespace oloid::bench {

const Kernel* default_kernels() {
  static constexpr Kernel table[] = {
      OLOID_BENCH_KERNELS(double, "double", 1),
      OLOID_BENCH_KERNELS(Pack<4>, "Pack<4>", 4),
      OLOID_BENCH_KERNELS(Pack<8>, "Pack<8>", 8),
      {},
  };
  return table;
}

}  // namespace oloid::bench
