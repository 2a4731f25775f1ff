#include "oloid/io/mesh/obj_writer.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace oloid::io {
namespace {

constexpr std::size_t kPiece = 64 << 10;  // [bytes]

// Blanks end a name, # begins a comment, \ at the end of a line joins the next one.
std::string readable(std::string name) {
  for (char& c : name) {
    const auto code = static_cast<unsigned char>(c);
    if (code <= ' ' || code == 0x7f || c == '#' || c == '\\') c = '_';
  }
  return name.empty() ? "_" : name;
}

// Collects lines and passes them on when there are enough.
class Pieces {
 public:
  explicit Pieces(const std::function<void(std::string_view)>& write) : write_(write) {}

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_.push_back('\n');
    if (text_.size() >= kPiece) pass_on();
  }

  void pass_on() {
    write_({text_.data(), text_.size()});
    text_.clear();
  }

 private:
  const std::function<void(std::string_view)>& write_;
  fmt::memory_buffer text_;
};

}  // namespace

void write_obj(std::span<const ObjObject> objects,
               const std::function<void(std::string_view)>& write) {
  Pieces out(write);
  out.line("# written by oloid; in metres, normals point out of the bodies");
  std::set<std::string> taken;
  std::int64_t first = 1, first_normal = 1;  // OBJ counts from 1, through all objects
  for (const ObjObject& object : objects) {
    const std::string name = readable(object.name);
    std::string unique = name;
    for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
    out.line("o {}", unique);
    const DisplayMesh& mesh = object.mesh;
    for (const Vec3<double>& p : mesh.vertices) out.line("v {} {} {}", p.x(), p.y(), p.z());
    for (const Vec3<double>& n : mesh.normals)
      out.line("vn {:.9g} {:.9g} {:.9g}", n.x(), n.y(), n.z());
    for (const auto& t : mesh.triangles) {
      out.line("f {}//{} {}//{} {}//{}", first + t[0], first_normal + t[0], first + t[1],
               first_normal + t[1], first + t[2], first_normal + t[2]);
    }
    first += static_cast<std::int64_t>(mesh.vertices.size());
    first_normal += static_cast<std::int64_t>(mesh.normals.size());
    for (const Polyline& line : object.lines) {
      for (const Vec3<double>& p : line) out.line("v {} {} {}", p.x(), p.y(), p.z());
      std::vector<std::int64_t> chain(line.size());
      std::iota(chain.begin(), chain.end(), first);
      out.line("l {}", fmt::join(chain, " "));
      first += static_cast<std::int64_t>(line.size());
    }
  }
  out.pass_on();
}

}  // namespace oloid::io
