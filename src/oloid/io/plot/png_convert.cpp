#include "oloid/io/plot/png_convert.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "oloid/io/files/run_program.h"

namespace oloid::io {
namespace {

constexpr const char* kProgram = "rsvg-convert";
constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr const char* kOtherwise = "write an SVG file instead, which browsers can display";

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// A file without a name, gone when it is closed.
File nameless() { return {std::tmpfile(), &std::fclose}; }

std::string content(std::FILE* file) {
  std::string text;
  std::rewind(file);
  char piece[1 << 16];
  for (std::size_t n = 0; (n = std::fread(piece, 1, sizeof piece, file)) > 0;)
    text.append(piece, n);
  return text;
}

Unexpected<Error> failed(std::string why) {
  return Unexpected{Error{{kProgram, "", 0, 0}, std::move(why), kOtherwise}};
}

}  // namespace

Result<std::string> find_png_converter() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string folder(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string file = fmt::format("{}/{}", folder.empty() ? "." : folder, kProgram);
    std::error_code unknown;
    if (std::filesystem::is_regular_file(file, unknown) && ::access(file.c_str(), X_OK) == 0)
      return file;
  }
  return Unexpected{Error{{kProgram, "", 0, 0},
                          "this program, needed to make PNG files, is not installed",
                          fmt::format("install the package librsvg2-bin, or {}", kOtherwise)}};
}

Result<std::string> png_of(const std::string& converter, const std::string& svg, double scale) {
  const File in = nameless(), out = nameless(), err = nameless();
  if (!in || !out || !err || std::fwrite(svg.data(), 1, svg.size(), in.get()) != svg.size() ||
      std::fflush(in.get()) != 0) {
    return failed(fmt::format("cannot write a temporary file: {}", std::strerror(errno)));
  }
  std::rewind(in.get());
  const int status = *run_program({converter, "--format=png", fmt::format("--zoom={}", scale)},
                                  {::fileno(in.get()), ::fileno(out.get()), ::fileno(err.get())});
  if (status < 0) return failed(fmt::format("cannot be started: {}", std::strerror(-status)));
  const std::string told = content(err.get());
  if (status != 0) {
    return failed(fmt::format("exited with code {}{}{}", status, told.empty() ? "" : ": ",
                              told.substr(0, told.find('\n'))));
  }
  std::string png = content(out.get());
  if (!std::string_view(png).starts_with(kSignature)) return failed("did not produce a PNG file");
  return png;
}

}  // namespace oloid::io
