#include "oloid/io/files/writer_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace oloid::io {

WriterLock::~WriterLock() {
  if (fd_ >= 0) ::close(fd_);
}

bool WriterLock::take(const std::string& path) {
  fd_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
#ifdef F_OFD_SETLK
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (fd_ >= 0 && ::fcntl(fd_, F_OFD_SETLK, &whole) != 0) return errno != EAGAIN && errno != EACCES;
#endif
  return true;
}

}  // namespace oloid::io
