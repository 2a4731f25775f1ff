// Held on a file while a run writes it, so that no other program touches it.
#pragma once

#include <string>
#include <utility>

#include "oloid/base/rooms.h"

namespace oloid::io {

// HDF5 gives up its own lock when it admits readers. The system releases this one when the program
// ends, however it ends.
class WriterLock {
 public:
  WriterLock() = default;
  WriterLock(WriterLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  WriterLock& operator=(WriterLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~WriterLock();

  bool held() const { return fd_ >= 0; }
  // False only if another program holds it.
  bool take(const std::string& path);

 private:
  int fd_ = -1;
};

}  // namespace oloid::io
