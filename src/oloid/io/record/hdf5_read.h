// Small functions that read from an HDF5 file. They return nothing if an item is missing or of the
// wrong kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oloid/base/linalg.h"
#include "oloid/io/record/hdf5_handle.h"

namespace oloid::io {

// The first bytes of every HDF5 file.
inline constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";

bool has(Hdf5Handle::Id at, const std::string& name);
Hdf5Handle open_group(Hdf5Handle::Id at, const std::string& name);
Hdf5Handle open_dataset(Hdf5Handle::Id at, const std::string& name);

std::optional<std::string> read_text(Hdf5Handle::Id at, const std::string& dataset);
std::optional<std::string> text_attribute(Hdf5Handle::Id at, const char* key);
std::optional<double> number_attribute(Hdf5Handle::Id at, const char* key);
std::optional<Vec3<double>> vector_attribute(Hdf5Handle::Id at, const char* key);

// Names of what is in a group.
std::vector<std::string> names_in(Hdf5Handle::Id group);

// Number of rows of a dataset whose rows have `width` entries.
std::optional<std::size_t> rows_of(const Hdf5Handle& dataset, std::size_t width);

// Rows from `first` on, as values of a type in memory.
bool read_rows(const Hdf5Handle& dataset, const Hdf5Handle& type, std::size_t width,
               std::size_t first, std::size_t count, void* to);
// The same as numbers.
bool read_rows(const Hdf5Handle& dataset, std::size_t width, std::size_t first, std::size_t count,
               double* to);
bool read_rows(const Hdf5Handle& dataset, std::size_t width, std::size_t first, std::size_t count,
               std::int32_t* to);

}  // namespace oloid::io
