// Owns one handle of the HDF5 library and closes it.
#pragma once

#include <cstdint>
#include <utility>

#include "oloid/base/rooms.h"

namespace oloid::io {

// Does not include hdf5.h, so that headers may use it; hdf5_handle.cpp checks that the types agree.
class Hdf5Handle {
 public:
  using Id = std::int64_t;    // hid_t
  using Close = int (*)(Id);  // H5Fclose, H5Dclose, ...

  Hdf5Handle() = default;
  Hdf5Handle(Id id, Close closer) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept { swap(other); }
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    Hdf5Handle(std::move(other)).swap(*this);
    return *this;
  }
  ~Hdf5Handle() { close(); }

  bool valid() const { return id_ >= 0; }
  Id id() const { return id_; }
  // Whether closing worked; for files this is where buffered data can fail to be written.
  bool close() {
    const Id id = std::exchange(id_, -1);
    return id < 0 || close_(id) >= 0;
  }

 private:
  void swap(Hdf5Handle& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
  }

  Id id_ = -1;
  Close close_ = nullptr;
};

// While it lives the HDF5 library prints nothing; then the caller's setting holds again.
class Hdf5Silence {
 public:
  Hdf5Silence();
  ~Hdf5Silence();
  Hdf5Silence(const Hdf5Silence&) = delete;
  Hdf5Silence& operator=(const Hdf5Silence&) = delete;

 private:
  int (*print_)(Hdf5Handle::Id, void*) = nullptr;
  void* print_data_ = nullptr;
};

}  // namespace oloid::io
