#include "oloid/io/files/disk_space.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

namespace oloid::io {
namespace {

constexpr std::int64_t kAhead = 256 << 10;  // [bytes] reserved at once, so that requests are rare

// Allocates blocks without changing the file's visible size; 0 or an errno.
int allocate(int fd, std::int64_t from, std::int64_t to) {
#ifdef FALLOC_FL_KEEP_SIZE
  while (::fallocate(fd, FALLOC_FL_KEEP_SIZE, from, to - from) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
#else
  static_cast<void>(fd), static_cast<void>(from), static_cast<void>(to);
  return ENOSYS;
#endif
}

// Where space cannot be reserved: checks whether there seems to be enough.
bool seems_free(int fd, std::int64_t size) {
  struct stat file {};
  struct statvfs disk {};
  if (::fstat(fd, &file) != 0 || ::fstatvfs(fd, &disk) != 0) return true;
  const auto free = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
  return static_cast<double>(size - file.st_size) < free;
}

}  // namespace

DiskSpace::DiskSpace(const std::string& path) : fd_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  limit_ = std::numeric_limits<std::int64_t>::max();
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    limit_ = static_cast<std::int64_t>(limit.rlim_cur);
  }
}

DiskSpace::~DiskSpace() {
  if (fd_ >= 0) ::close(fd_);
}

DiskSpace::DiskSpace(DiskSpace&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), reserved_(other.reserved_), limit_(other.limit_) {}

DiskSpace& DiskSpace::operator=(DiskSpace&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(reserved_, other.reserved_);
  std::swap(limit_, other.limit_);
  return *this;
}

int DiskSpace::ensure(std::int64_t size) {
  if (fd_ < 0) return 0;
  if (size > limit_) return EFBIG;
  if (size <= reserved_) return 0;
  int trouble = 0;
  // First more than needed, then just enough. A request that is refused allocates nothing.
  for (const std::int64_t to : {std::min(size + kAhead, limit_), size}) {
    trouble = allocate(fd_, reserved_, to);
    if (trouble == 0) {
      reserved_ = to;
      return 0;
    }
    if (trouble != ENOSPC && trouble != EDQUOT && trouble != EFBIG)
      return seems_free(fd_, size) ? 0 : ENOSPC;
  }
  return trouble;
}

void DiskSpace::release() {
  struct stat status {};
  if (fd_ < 0 || ::fstat(fd_, &status) != 0) return;
  // Truncating to the present size frees blocks beyond it; failing that they are merely unused.
  if (reserved_ > status.st_size && ::ftruncate(fd_, status.st_size) != 0) return;
  reserved_ = 0;
  ::fsync(fd_);
}

}  // namespace oloid::io
