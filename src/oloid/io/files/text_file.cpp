#include "oloid/io/files/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

namespace oloid::io {

Result<std::string> read_text_file(const std::string& path, std::size_t most) {
  const auto refused = [&](std::string message, std::string remedy) {
    return Unexpected{Error{{path, {}, 0, 0}, std::move(message), std::move(remedy)}};
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return refused("this is a directory", "specify a file in it");
  // One that nobody writes to would keep the program waiting. Pipes from the shell are in /dev.
  if (std::filesystem::is_fifo(path, ignored) && !path.starts_with("/dev/"))
    return refused("this is a named pipe", "specify a file, or /dev/stdin to read from a pipe");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) {
    const int why = errno;
    return refused(
        fmt::format("cannot open the file: {}", std::strerror(why)),
        why == ENOENT ? "check the spelling and the current directory" : "check its permissions");
  }
  // Read with a limit instead of asking for the size: pipes have none, devices never end.
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= most) {
    const std::size_t n = std::fread(buffer, 1, sizeof buffer, file.get());
    if (n == 0) break;
    text.append(buffer, n);
  }
  if (std::ferror(file.get())) {
    return refused(fmt::format("cannot read the file: {}", std::strerror(errno)), "check the disk");
  }
  return text;
}

}  // namespace oloid::io
