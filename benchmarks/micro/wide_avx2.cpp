// The kernels for AVX2 with FMA. Only packs that fill one register: their type names the
// instruction set, so nothing in this unit has the name of something compiled for another one.
#include "micro/kernels.h"
#include "oloid/base/pack.h"
#include "support/rooms.h"

namespace oloid::bench {

const Kernel* avx2_kernels() {
  static constexpr Kernel table[] = {OLOID_BENCH_KERNELS(Pack<4>, "Pack<4> AVX2", 4), {}};
  return table;
}

}  // namespace oloid::bench
