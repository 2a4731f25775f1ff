// What a reader makes of a .glb file, with what it must find there checked.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/rooms.h"

namespace oloid::test {

using Json = nlohmann::json;

struct Glb {
  Json json;
  std::string bytes;

  std::vector<float> floats(std::size_t accessor) const {
    const Json& a = json["accessors"][accessor];
    const Json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
    const std::size_t offset = view["byteOffset"], length = view["byteLength"];
    EXPECT_EQ(a["componentType"], 5126);
    EXPECT_EQ(offset % 4, 0u);
    EXPECT_LE(offset + length, bytes.size());
    std::vector<float> values(length / 4);
    std::memcpy(values.data(), bytes.data() + offset, length);
    return values;
  }
};

inline std::uint32_t word(const std::string& text, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, text.data() + at, 4);
  return value;
}

inline Glb parsed(const std::string& file) {
  Glb glb;
  EXPECT_EQ(file.substr(0, 4), "glTF");
  EXPECT_EQ(word(file, 4), 2u);
  EXPECT_EQ(word(file, 8), file.size());
  const std::size_t length = word(file, 12);
  EXPECT_EQ(length % 4, 0u);
  EXPECT_EQ(file.substr(16, 4), "JSON");
  glb.json = Json::parse(file.substr(20, length));
  if (20 + length < file.size()) {
    EXPECT_EQ(word(file, 20 + length), file.size() - 28 - length);
    EXPECT_EQ(file.substr(24 + length, 4), std::string("BIN\0", 4));
    glb.bytes = file.substr(28 + length);
    EXPECT_EQ(glb.json["buffers"][0]["byteLength"], glb.bytes.size());
  }
  return glb;
}

}  // namespace oloid::test
