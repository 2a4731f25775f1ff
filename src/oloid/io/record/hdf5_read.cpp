#include "oloid/io/record/hdf5_read.h"

#include <hdf5.h>

#include <algorithm>

namespace oloid::io {
namespace {

constexpr std::size_t kLongestText = std::size_t{1} << 30;  // [bytes]: more is damage

// Texts of fixed length, padded with zeros.
template <class Read>
std::optional<std::string> read_fixed_text(const Hdf5Handle& type, Read read) {
  if (!type.valid() || H5Tget_class(type.id()) != H5T_STRING ||
      H5Tis_variable_str(type.id()) != 0 || H5Tget_size(type.id()) > kLongestText)
    return std::nullopt;
  std::string text(H5Tget_size(type.id()), '\0');
  if (read(type.id(), text.data()) < 0) return std::nullopt;
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

std::size_t size_of_space(const Hdf5Handle& space) {
  const hssize_t size = space.valid() ? H5Sget_simple_extent_npoints(space.id()) : -1;
  return size < 0 ? 0 : static_cast<std::size_t>(size);
}

bool read_numbers(hid_t at, const char* key, std::size_t count, double* to) {
  const Hdf5Handle a(H5Aopen(at, key, H5P_DEFAULT), H5Aclose);
  if (!a.valid()) return false;
  const Hdf5Handle space(H5Aget_space(a.id()), H5Sclose);
  return size_of_space(space) == count && H5Aread(a.id(), H5T_NATIVE_DOUBLE, to) >= 0;
}

}  // namespace

bool has(Hdf5Handle::Id at, const std::string& name) {
  return H5Lexists(at, name.c_str(), H5P_DEFAULT) > 0;
}

Hdf5Handle open_group(Hdf5Handle::Id at, const std::string& name) {
  return {H5Gopen2(at, name.c_str(), H5P_DEFAULT), H5Gclose};
}

Hdf5Handle open_dataset(Hdf5Handle::Id at, const std::string& name) {
  return {H5Dopen2(at, name.c_str(), H5P_DEFAULT), H5Dclose};
}

std::optional<std::string> read_text(Hdf5Handle::Id at, const std::string& dataset) {
  const Hdf5Handle data = open_dataset(at, dataset);
  if (!data.valid()) return std::nullopt;
  const Hdf5Handle space(H5Dget_space(data.id()), H5Sclose);
  if (size_of_space(space) != 1) return std::nullopt;
  return read_fixed_text(Hdf5Handle(H5Dget_type(data.id()), H5Tclose), [&](hid_t type, void* to) {
    return H5Dread(data.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
  });
}

std::optional<std::string> text_attribute(Hdf5Handle::Id at, const char* key) {
  const Hdf5Handle a(H5Aopen(at, key, H5P_DEFAULT), H5Aclose);
  if (!a.valid()) return std::nullopt;
  const Hdf5Handle space(H5Aget_space(a.id()), H5Sclose);
  if (size_of_space(space) != 1) return std::nullopt;
  return read_fixed_text(Hdf5Handle(H5Aget_type(a.id()), H5Tclose),
                         [&](hid_t type, void* to) { return H5Aread(a.id(), type, to); });
}

std::optional<double> number_attribute(Hdf5Handle::Id at, const char* key) {
  double x = 0;
  return read_numbers(at, key, 1, &x) ? std::optional(x) : std::nullopt;
}

std::optional<Vec3<double>> vector_attribute(Hdf5Handle::Id at, const char* key) {
  Vec3<double> v;
  return read_numbers(at, key, 3, v.data()) ? std::optional(v) : std::nullopt;
}

std::vector<std::string> names_in(Hdf5Handle::Id group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  hsize_t from = 0;
  H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &from, add, &names);
  return names;
}

std::optional<std::size_t> rows_of(const Hdf5Handle& dataset, std::size_t width) {
  if (!dataset.valid()) return std::nullopt;
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const int rank = width == 1 ? 1 : 2;
  hsize_t size[2] = {0, 1};
  if (!space.valid() || H5Sget_simple_extent_ndims(space.id()) != rank ||
      H5Sget_simple_extent_dims(space.id(), size, nullptr) != rank || size[1] != width)
    return std::nullopt;
  return static_cast<std::size_t>(size[0]);
}

bool read_rows(const Hdf5Handle& dataset, const Hdf5Handle& type, std::size_t width,
               std::size_t first, std::size_t count, void* to) {
  if (count == 0) return true;
  const int rank = width == 1 ? 1 : 2;
  const hsize_t start[2] = {first, 0}, block[2] = {count, width};
  const Hdf5Handle in_file(H5Dget_space(dataset.id()), H5Sclose);
  const Hdf5Handle in_memory(H5Screate_simple(rank, block, nullptr), H5Sclose);
  return H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start, nullptr, block, nullptr) >= 0 &&
         H5Dread(dataset.id(), type.id(), in_memory.id(), in_file.id(), H5P_DEFAULT, to) >= 0;
}

bool read_rows(const Hdf5Handle& dataset, std::size_t width, std::size_t first, std::size_t count,
               double* to) {
  const Hdf5Handle type(H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose);
  return read_rows(dataset, type, width, first, count, to);
}
bool read_rows(const Hdf5Handle& dataset, std::size_t width, std::size_t first, std::size_t count,
               std::int32_t* to) {
  const Hdf5Handle type(H5Tcopy(H5T_NATIVE_INT32), H5Tclose);
  return read_rows(dataset, type, width, first, count, to);
}

}  // namespace oloid::io
