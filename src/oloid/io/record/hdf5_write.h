// Small functions that write to an HDF5 file: groups, texts, attributes, tables of fixed size.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "oloid/base/linalg.h"
#include "oloid/io/record/hdf5_handle.h"

namespace oloid::io {

// UTF-8 of fixed length, padded with zeros.
Hdf5Handle text_type(std::size_t size);

// Not valid if it could not be made.
Hdf5Handle make_group(Hdf5Handle::Id at, const std::string& name);

// A dataset with one text: attributes are meant for small things, and scenes can be long.
Hdf5Handle write_text(Hdf5Handle::Id at, const std::string& name, const std::string& content);

// Each returns whether it worked.
bool write_attribute(Hdf5Handle::Id at, const char* key, std::string_view text);
bool write_attribute(Hdf5Handle::Id at, const char* key, double value);
bool write_attribute(Hdf5Handle::Id at, const char* key, std::int64_t value);
bool write_attribute(Hdf5Handle::Id at, const char* key, const Vec3<double>& v);
bool write_table(Hdf5Handle::Id at, const char* key, const std::vector<Vec3<double>>& rows,
                 std::string_view unit);
bool write_table(Hdf5Handle::Id at, const char* key,
                 const std::vector<std::array<std::int32_t, 3>>& rows);

}  // namespace oloid::io
