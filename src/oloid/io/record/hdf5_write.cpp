#include "oloid/io/record/hdf5_write.h"

#include <hdf5.h>

#include <algorithm>

namespace oloid::io {
namespace {

bool attribute(hid_t at, const char* key, hid_t type, hsize_t count, const void* data) {
  const Hdf5Handle space(count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr),
                         H5Sclose);
  const Hdf5Handle a(H5Acreate2(at, key, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return a.valid() && H5Awrite(a.id(), type, data) >= 0;
}

bool table(hid_t at, const char* key, hid_t type, std::size_t rows, std::string_view unit,
           const void* data) {
  const hsize_t size[2] = {rows, 3};
  const Hdf5Handle space(H5Screate_simple(2, size, nullptr), H5Sclose);
  const Hdf5Handle dataset(
      H5Dcreate2(at, key, type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  return dataset.valid() &&
         H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0 &&
         (unit.empty() || write_attribute(dataset.id(), "unit", unit));
}

}  // namespace

Hdf5Handle text_type(std::size_t size) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), std::max<std::size_t>(size, 1));
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

Hdf5Handle make_group(Hdf5Handle::Id at, const std::string& name) {
  return {H5Gcreate2(at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
}

Hdf5Handle write_text(Hdf5Handle::Id at, const std::string& name, const std::string& content) {
  const Hdf5Handle type = text_type(content.size());
  const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  Hdf5Handle text(
      H5Dcreate2(at, name.c_str(), type.id(), scalar.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  const std::string padded = content + '\0';
  const bool written = text.valid() && H5Dwrite(text.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                                padded.data()) >= 0;
  return written ? std::move(text) : Hdf5Handle();
}

bool write_attribute(Hdf5Handle::Id at, const char* key, std::string_view text) {
  const std::string padded = text.empty() ? std::string(1, '\0') : std::string(text);
  return attribute(at, key, text_type(text.size()).id(), 1, padded.data());
}
bool write_attribute(Hdf5Handle::Id at, const char* key, double value) {
  return attribute(at, key, H5T_NATIVE_DOUBLE, 1, &value);
}
bool write_attribute(Hdf5Handle::Id at, const char* key, std::int64_t value) {
  return attribute(at, key, H5T_NATIVE_INT64, 1, &value);
}
bool write_attribute(Hdf5Handle::Id at, const char* key, const Vec3<double>& v) {
  return attribute(at, key, H5T_NATIVE_DOUBLE, 3, v.data());
}

bool write_table(Hdf5Handle::Id at, const char* key, const std::vector<Vec3<double>>& rows,
                 std::string_view unit) {
  static_assert(sizeof(Vec3<double>) == 3 * sizeof(double));  // rows without gaps
  return table(at, key, H5T_NATIVE_DOUBLE, rows.size(), unit, rows.data());
}
bool write_table(Hdf5Handle::Id at, const char* key,
                 const std::vector<std::array<std::int32_t, 3>>& rows) {
  return table(at, key, H5T_NATIVE_INT32, rows.size(), "", rows.data());
}

}  // namespace oloid::io
