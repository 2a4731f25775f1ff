// Asks the system for disk space ahead of need, so that a full disk is noticed while a file can
// still be closed properly.
#pragma once

#include <cstdint>
#include <string>

#include "oloid/base/rooms.h"

namespace oloid::io {

class DiskSpace {
 public:
  DiskSpace() = default;
  // The file must exist.
  explicit DiskSpace(const std::string& path);
  ~DiskSpace();
  DiskSpace(DiskSpace&& other) noexcept;
  DiskSpace& operator=(DiskSpace&& other) noexcept;

  // Makes sure that the file can grow to this many bytes. Returns 0, also where the system cannot
  // tell; or the errno that says why not: ENOSPC the disk, EDQUOT a quota, EFBIG the limit on the
  // size of a file.
  int ensure(std::int64_t size);
  // Gives back what was not used and waits until the data are on the disk.
  void release();

 private:
  int fd_ = -1;
  std::int64_t reserved_ = 0;  // file offset up to which space is ours
  std::int64_t limit_ = 0;     // the process's limit on file sizes
};

}  // namespace oloid::io
