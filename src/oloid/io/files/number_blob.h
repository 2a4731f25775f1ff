// Arrays of numbers one after the other, little-endian, as glTF files and the replay page carry
// them.
#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "oloid/base/linalg.h"

namespace oloid::io {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are here");

class NumberBlob {
 public:
  // Arrays start at multiples of this many bytes; the total length is one, too.
  explicit NumberBlob(std::size_t alignment) : alignment_(alignment) {}

  // Where the array starts.
  template <class T>
  std::size_t add(std::span<const T> values) {
    const std::size_t offset = bytes_.size();
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    bytes_.resize((bytes_.size() + alignment_ - 1) / alignment_ * alignment_);
    return offset;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::size_t alignment_;
  std::string bytes_;
};

// A number that is too large for a float becomes the largest float. NaN stays NaN.
float single(double x);
// The same with 0 for NaN.
float single_or_zero(double x);
// x, y, z of all vectors.
std::vector<float> singles(std::span<const Vec3<double>> vectors, float (*convert)(double));

}  // namespace oloid::io
