// Datasets of an HDF5 file that grow together, row by row.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "oloid/io/record/hdf5_handle.h"

namespace oloid::io {

// Columns of equal length. Rows are buffered until append(); rows that exist in the file but were
// never written read as NaN or 0.
class Hdf5Rows {
 public:
  // Rows that are buffered at most, and rows of a chunk in the file.
  explicit Hdf5Rows(std::size_t block) : block_(block) {}

  void add(Hdf5Handle::Id at, const char* key, Hdf5Handle type, std::size_t width,
           std::string_view unit);

  // The values of a row come in the order in which columns were added, each as its type is stored.
  void put(const void* data);
  void end_row();

  // Writes what is buffered.
  bool append();
  // Replaces a row that has been written, where there is one column.
  bool replace(std::size_t row, const void* data) const;
  void close() { columns_.clear(); }

  bool good() const { return good_; }  // whether all columns could be made
  bool empty() const { return filled_ == 0; }
  bool full() const { return filled_ == block_; }
  std::size_t rows() const { return written_ + filled_; }
  std::int64_t bytes() const;  // that append() may add to the file

 private:
  // With a buffer of block_ rows in memory.
  struct Column {
    Hdf5Handle dataset, type;
    std::size_t width = 1, row_bytes = 0;
    std::vector<std::byte> rows;
  };
  bool append(const Column& column) const;
  bool write(const Column& column, std::size_t first, std::size_t count, const void* data) const;

  std::size_t block_;
  std::vector<Column> columns_;
  std::size_t next_ = 0, filled_ = 0, written_ = 0;
  bool good_ = true;
};

}  // namespace oloid::io
