#include "oloid/io/files/base64.h"

#include <cstdint>

namespace oloid::io {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t triple = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t byte =
          i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0;
      triple = triple << 8 | byte;
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const bool filled = i + k <= bytes.size();  // three bytes make four letters
      text += filled ? kLetters[triple >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

}  // namespace oloid::io
