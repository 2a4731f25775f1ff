// The kernels for AVX-512. Only packs that fill one register: their type names the instruction set,
// so nothing in this unit has the name of something compiled for another one.
#include "micro/kernels.h"
#include "oloid/base/pack.h"
#include "support/rooms.h"

namespace oloid::bench {

const Kernel* avx512_kernels() {
  static constexpr Kernel table[] = {OLOID_BENCH_KERNELS(Pack<8>, "Pack<8> AVX-512", 8), {}};
  return table;
}

}  // namespace oloid::bench
