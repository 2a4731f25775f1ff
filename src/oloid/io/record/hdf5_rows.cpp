#include "oloid/io/record/hdf5_rows.h"

#include <hdf5.h>

#include <cmath>
#include <cstring>

#include "oloid/base/contract.h"
#include "oloid/io/record/hdf5_write.h"

namespace oloid::io {

void Hdf5Rows::add(Hdf5Handle::Id at, const char* key, Hdf5Handle type, std::size_t width,
                   std::string_view unit) {
  Column& c = columns_.emplace_back();
  c.width = width;
  c.row_bytes = H5Tget_size(type.id()) * width;
  c.rows.resize(c.row_bytes * block_);
  const int rank = width == 1 ? 1 : 2;
  const hsize_t size[2] = {0, width}, most[2] = {H5S_UNLIMITED, width}, chunk[2] = {block_, width};
  const Hdf5Handle space(H5Screate_simple(rank, size, most), H5Sclose);
  const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(how.id(), rank, chunk);
  H5Pset_shuffle(how.id());
  H5Pset_deflate(how.id(), 1);
  H5Pset_fletcher32(how.id());
  if (H5Tget_class(type.id()) == H5T_FLOAT) {
    const double nothing = std::nan("");
    H5Pset_fill_value(how.id(), H5T_NATIVE_DOUBLE, &nothing);
  }
  c.dataset = {H5Dcreate2(at, key, type.id(), space.id(), H5P_DEFAULT, how.id(), H5P_DEFAULT),
               H5Dclose};
  c.type = std::move(type);
  good_ =
      good_ && c.dataset.valid() && (unit.empty() || write_attribute(c.dataset.id(), "unit", unit));
}

void Hdf5Rows::put(const void* data) {
  OLOID_EXPECT(next_ < columns_.size() && filled_ < block_);
  Column& c = columns_[next_++];
  std::memcpy(c.rows.data() + filled_ * c.row_bytes, data, c.row_bytes);
}

void Hdf5Rows::end_row() {
  OLOID_EXPECT(next_ == columns_.size());
  next_ = 0;
  ++filled_;
}

bool Hdf5Rows::append() {
  if (filled_ == 0) return true;
  for (const Column& c : columns_) {
    if (!append(c)) return false;
  }
  written_ += filled_;
  filled_ = 0;
  return true;
}

bool Hdf5Rows::append(const Column& c) const {
  const hsize_t size[2] = {written_ + filled_, c.width};
  return H5Dset_extent(c.dataset.id(), size) >= 0 && write(c, written_, filled_, c.rows.data());
}

bool Hdf5Rows::replace(std::size_t row, const void* data) const {
  OLOID_EXPECT(columns_.size() == 1 && row < written_);
  return write(columns_.front(), row, 1, data);
}

bool Hdf5Rows::write(const Column& c, std::size_t first, std::size_t count,
                     const void* data) const {
  const int rank = c.width == 1 ? 1 : 2;
  const hsize_t start[2] = {first, 0}, block[2] = {count, c.width};
  const Hdf5Handle in_file(H5Dget_space(c.dataset.id()), H5Sclose);
  const Hdf5Handle in_memory(H5Screate_simple(rank, block, nullptr), H5Sclose);
  return H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start, nullptr, block, nullptr) >= 0 &&
         H5Dwrite(c.dataset.id(), c.type.id(), in_memory.id(), in_file.id(), H5P_DEFAULT, data) >=
             0;
}

// A new chunk everywhere, and its entry in the index.
std::int64_t Hdf5Rows::bytes() const {
  std::size_t sum = 0;
  for (const Column& c : columns_) sum += c.rows.size() + 512;
  return static_cast<std::int64_t>(sum);
}

}  // namespace oloid::io
