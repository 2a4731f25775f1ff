#include "standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "oloid/io/files/output_path.h"
#include "refuse.h"

namespace oloid::app {
namespace {

int failed(int error_number) {
  print_errors({file_error("standard output", "writing failed", error_number)});
  return kOutputFailed;
}

}  // namespace

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    if (::open("/dev/null", O_RDWR) != stream) return;  // it takes the lowest number that is free
  }
}

int with_standard_output(int (*program)(int, char**), int argc, char** argv) {
  int code = kOk;
  try {
    code = program(argc, argv);
  } catch (const std::system_error& error) {  // by printing, as soon as the buffer is full
    if (std::ferror(stdout) == 0) throw;
    return failed(error.code().value());
  }
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  const int trouble = failed(errno != 0 ? errno : EIO);
  return code == kOk ? trouble : code;
}

}  // namespace oloid::app
