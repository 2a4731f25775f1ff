#include "oloid/io/mesh/obj_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "oloid/io/files/text_file.h"

namespace oloid::io {
namespace {

struct Word {
  std::string_view text;
  int column;  // from 1
};

// At most 20 characters, without control characters.
std::string shown(std::string_view text) {
  std::string result(text.substr(0, 20));
  for (char& c : result)
    if (c < ' ' || c > '~') c = '?';
  return text.size() > 20 ? result + "..." : result;
}

std::optional<double> number(std::string_view text) {
  constexpr std::size_t kLongest = 64;  // no number needs more
  if (text.empty() || text.size() > kLongest ||
      text.find_first_not_of("0123456789+-.eE") != text.npos)
    return std::nullopt;
  std::array<char, kLongest + 1> buffer{};
  std::copy(text.begin(), text.end(), buffer.begin());
  char* end = nullptr;
  const double value = std::strtod(buffer.data(), &end);
  if (end != buffer.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<int> integer(std::string_view text) {
  int value = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (trouble != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class ObjParser {
 public:
  ObjParser(std::string_view text, const std::string& file, const ObjLimits& limits)
      : text_(text), file_(file), limits_(limits) {}

  Result<Cage> parse() {
    if (text_.size() > limits_.bytes) {
      return Unexpected{Error{{file_, {}, 0, 0},
                              fmt::format("the file has more than {} bytes", limits_.bytes),
                              "control cages are small; is this a scanned mesh?"}};
    }
    while (next_line()) {
      if (words_.empty()) continue;
      if (!statement()) return Unexpected{error_};
    }
    if (!check_indices()) return Unexpected{error_};
    if (cage_.faces.empty()) {
      return Unexpected{
          Error{{file_, {}, 0, 0}, "the file has no faces", "add lines like f 1 2 3"}};
    }
    return std::move(cage_);
  }

 private:
  // Splits the next line into words; a backslash at its end joins the line after it.
  bool next_line() {
    words_.clear();
    if (at_ >= text_.size()) return false;
    line_ = next_;
    bool joined = true;
    while (joined && at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, end - at_);
      at_ = end + 1;
      ++next_;
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      joined = !line.empty() && line.back() == '\\';
      if (joined) line.remove_suffix(1);
      line = line.substr(0, line.find('#'));
      std::size_t from = 0;
      while ((from = line.find_first_not_of(" \t", from)) != line.npos) {
        const std::size_t to = std::min(line.find_first_of(" \t", from), line.size());
        words_.push_back({line.substr(from, to - from), static_cast<int>(from) + 1});
        from = to;
      }
    }
    return true;
  }

  bool fail(const Word& word, std::string message, std::string remedy) {
    error_ = {{file_, {}, line_, word.column}, std::move(message), std::move(remedy)};
    return false;
  }

  bool statement() {
    const std::string_view key = words_[0].text;
    if (key == "v") return vertex();
    if (key == "f") return face();
    if (key == "t") return tag();
    if (key == "o") return name(object_);
    if (key == "g") return name(group_);
    for (std::string_view skipped : {"vt", "vn", "vp", "s", "mg", "usemtl", "mtllib", "l", "p"})
      if (key == skipped) return true;
    // Only what could be a statement is quoted: the file may be any file, named by a scene of
    // someone else.
    const bool word = key.size() <= 10 && std::all_of(key.begin(), key.end(), [](char c) {
                        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
                      });
    return fail(words_[0],
                word ? fmt::format("unknown statement \"{}\"", key) : "unknown statement",
                "control cages consist of v, f and t crease lines");
  }

  // Faces with the same object and group are one part, wherever they stand in the file.
  bool name(std::string& of) {
    of.clear();
    for (std::size_t i = 1; i < words_.size(); ++i) {
      if (i > 1) of += ' ';
      of += words_[i].text;
    }
    part_ = -1;
    constexpr std::size_t kLongestName = 200;
    if (of.size() <= kLongestName) return true;
    return fail(words_[1], fmt::format("the name is {} characters long", of.size()),
                fmt::format("at most {} are allowed", kLongestName));
  }
  int current_part() {
    if (part_ >= 0) return part_;
    const auto [found, added] =
        parts_.emplace(std::pair(object_, group_), static_cast<int>(parts_.size()));
    part_ = found->second;
    if (added) {
      const bool both = !object_.empty() && !group_.empty();
      cage_.parts.push_back(shown(object_) + (both ? ", " : "") + shown(group_));
    }
    return part_;
  }

  bool vertex() {
    if (cage_.vertices.size() >= limits_.vertices) {
      return fail(words_[0], fmt::format("there are more than {} vertices", limits_.vertices),
                  "control cages are small; is this a scanned mesh?");
    }
    const std::size_t count = words_.size() - 1;
    if (count < 3 || count == 5 || count > 7) {  // 4th: weight; three more: a colour
      return fail(words_[0], fmt::format("this vertex has {} numbers", count),
                  "a vertex has x, y and z");
    }
    Vec3<double> p;
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = number(words_[i + 1].text);
      if (!value) return fail_number(words_[i + 1]);
      if (i < 3) p(static_cast<int>(i)) = *value;
    }
    cage_.vertices.push_back(p);
    return true;
  }
  bool fail_number(const Word& word) {
    return fail(word, fmt::format("\"{}\" is not a finite number", shown(word.text)),
                "write it like 1.5 or -2e-3");
  }

  bool face() {
    if (cage_.faces.size() >= limits_.faces) {
      return fail(words_[0], fmt::format("there are more than {} faces", limits_.faces),
                  "control cages are small; is this a scanned mesh?");
    }
    const std::size_t count = words_.size() - 1;
    if (count < 3) {
      return fail(words_[0], fmt::format("this face has {} vertices", count),
                  "a face has at least 3");
    }
    if (count > limits_.corners) {
      return fail(words_[0], fmt::format("this face has {} vertices", count),
                  fmt::format("a face has at most {}", limits_.corners));
    }
    std::vector<int> face;
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const auto index = corner(words_[i]);
      if (!index) return false;
      face.push_back(*index);
    }
    cage_.faces.push_back(std::move(face));
    cage_.part_of_face.push_back(current_part());
    cage_.line_of_face.push_back(line_);
    face_columns_.push_back(words_[0].column);
    return true;
  }
  // v, v/vt, v//vn or v/vt/vn; only v counts, from 0 in the result.
  std::optional<int> corner(const Word& word) {
    std::string_view rest = word.text;
    int index = 0;
    for (int part = 0; part < 3 && !rest.empty(); ++part) {
      const std::size_t slash = std::min(rest.find('/'), rest.size());
      const std::string_view digits = rest.substr(0, slash);
      const auto value = integer(digits);
      const bool left_out = digits.empty() && part == 1 && slash < rest.size();
      const bool good = left_out || (value && *value != 0);
      const bool more = slash < rest.size();
      if (!good || (more && (part == 2 || slash + 1 == rest.size()))) return fail_corner(word);
      if (part == 0) index = *value;
      rest = more ? rest.substr(slash + 1) : std::string_view{};
    }
    const int known = static_cast<int>(cage_.vertices.size());
    if (index > 0) return index - 1;
    if (index < -known) {
      fail(word, fmt::format("vertex {} does not exist", index),
           fmt::format("{} are defined so far; -1 is the last of them", known));
      return std::nullopt;
    }
    return known + index;
  }
  std::optional<int> fail_corner(const Word& word) {
    fail(word, fmt::format("\"{}\" is not a valid face vertex", shown(word.text)),
         "write 3, 3/1, 3//2 or 3/1/2; vertices are counted from 1");
    return std::nullopt;
  }

  // t NAME ints/floats/strings ...
  bool tag() {
    if (words_.size() < 3) {
      return fail(words_[0], "the tag has no name or no counts",
                  "write t crease 2/1/0, followed by two vertices and the sharpness");
    }
    const std::string_view name = words_[1].text;
    if (name.substr(0, 11) == "facevarying") return true;  // texture coordinates
    const Word& counts = words_[2];
    std::array<std::size_t, 3> n{};
    std::string_view rest = counts.text;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t slash = std::min(rest.find('/'), rest.size());
      const auto value = integer(rest.substr(0, slash));
      if (!value || *value < 0 || (i < 2) != (slash < rest.size())) {
        return fail(counts, fmt::format("\"{}\" is not a valid list of counts", shown(counts.text)),
                    "write integers/floats/strings, like 2/1/0");
      }
      n[i] = static_cast<std::size_t>(*value);
      rest = slash < rest.size() ? rest.substr(slash + 1) : std::string_view{};
    }
    const std::size_t given = words_.size() - 3;
    if (n[0] > given || n[1] > given || n[2] > given || n[0] + n[1] + n[2] != given) {
      return fail(counts,
                  fmt::format("the tag has {} values, but {} are declared", given, counts.text),
                  "make the counts integers/floats/strings match the values");
    }
    if (name == "crease") return crease(n[0], n[1]);
    if (name == "interpolateboundary") {
      if (n[0] == 1 && integer(words_[3].text) == 1) return true;
      return fail(words_[1], "this kind of boundary smoothing is not supported",
                  "use interpolateboundary 1, which keeps edges and corners");
    }
    return fail(words_[1], fmt::format("unknown tag \"{}\"", shown(name)),
                "only creases are supported; for a corner, make three edges at a vertex sharp");
  }
  bool crease(std::size_t vertices, std::size_t sharpnesses) {
    if (vertices < 2 || (sharpnesses != 1 && sharpnesses != vertices - 1)) {
      return fail(
          words_[2],
          fmt::format("the crease has {} vertices and {} sharpness values", vertices, sharpnesses),
          "specify at least two vertices, and one sharpness or one per edge");
    }
    for (std::size_t i = 0; i < vertices; ++i) {
      const Word& word = words_[3 + i];
      const auto index = integer(word.text);
      if (!index || *index < 0) {
        return fail(word, fmt::format("\"{}\" is not a valid crease vertex", shown(word.text)),
                    "crease vertices are counted from 0");
      }
      if (i == 0) continue;
      const Word& value = words_[3 + vertices + (sharpnesses == 1 ? 0 : i - 1)];
      const auto sharpness = number(value.text);
      if (!sharpness) return fail_number(value);
      if (*sharpness < 0) {
        return fail(value, fmt::format("the sharpness {} is less than 0", shown(value.text)),
                    "0 is smooth, 10 or more is sharp");
      }
      cage_.creases.push_back({*integer(words_[2 + i].text), *index, *sharpness});
      crease_lines_.emplace_back(line_, word.column);
    }
    return true;
  }

  // Vertices may come after the faces that name them.
  bool check_indices() {
    const int known = static_cast<int>(cage_.vertices.size());
    const auto missing = [&](std::pair<int, int> place, int index, int first) {
      line_ = place.first;
      return fail({{}, place.second}, fmt::format("vertex {} does not exist", index + first),
                  known == 0 ? "the file has no vertices"
                             : fmt::format("vertices are {} to {}", first, known - 1 + first));
    };
    for (std::size_t f = 0; f < cage_.faces.size(); ++f)
      for (int v : cage_.faces[f])
        if (v >= known) return missing({cage_.line_of_face[f], face_columns_[f]}, v, 1);
    for (std::size_t c = 0; c < cage_.creases.size(); ++c)
      for (int v : {cage_.creases[c].a, cage_.creases[c].b})
        if (v >= known) return missing(crease_lines_[c], v, 0);
    return true;
  }

  std::string_view text_;
  std::string file_;
  ObjLimits limits_;
  std::size_t at_ = 0;
  int line_ = 1, next_ = 1;  // from 1
  std::vector<Word> words_;
  Cage cage_;
  std::vector<int> face_columns_;
  std::vector<std::pair<int, int>> crease_lines_;  // line and column
  std::string object_, group_;                     // current names
  int part_ = -1;                                  // that these belong to; -1: not looked up yet
  std::map<std::pair<std::string, std::string>, int> parts_;
  Error error_;
};

}  // namespace

Result<Cage> parse_obj(std::string_view text, const std::string& file, const ObjLimits& limits) {
  return ObjParser(text, file, limits).parse();
}

}  // namespace oloid::io
