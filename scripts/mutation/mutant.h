// Which mutant is active, for sources in which scripts/mutate has planted some.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace oloid::mutant {

inline constexpr int kCapacity = 4096;
inline constinit int active = 0;  // 0: none
inline constinit bool reached[kCapacity] = {};
inline constinit bool has_started = false;

// Whether this mutant is active; notes that its place was reached.
inline bool on(int number) {
  reached[number] = true;
  return active == number;
}

// Adds the numbers of the mutants that were reached to a file, because programs may start others.
inline void write_reached() {
  std::FILE* file = std::fopen(std::getenv("OLOID_MUTANT_REACHED"), "a");
  if (!file) return;
  for (int i = 0; i < kCapacity; ++i) {
    if (reached[i]) std::fprintf(file, "%d\n", i);
  }
  std::fclose(file);
}

// Runs before the initialisers of all variables that are not constant, once for each source file.
[[gnu::constructor(101)]] static void start() {
  if (has_started) return;
  has_started = true;
  if (const char* number = std::getenv("OLOID_MUTANT")) active = std::atoi(number);
  if (std::getenv("OLOID_MUTANT_REACHED")) std::atexit(write_reached);
}

}  // namespace oloid::mutant
